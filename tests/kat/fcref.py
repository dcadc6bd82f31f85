#!/usr/bin/env python3
"""fcrypt containers, a second time: an encryptor and decryptor written from fcrypt.5 alone.

It shares no code with the command, is plain and slow, and is the judge of golden files and of
malformed ones.  Everything but Argon2id is here or in Python's standard library; Argon2id comes
from libsodium through ctypes, and only passphrase slots need it.

    fcref.py enc --key-file K [--seed TEXT] IN OUT
    fcref.py dec --key-file K IN OUT

As a module: encrypt(), decrypt(), and the pieces of a container one by one.
"""

import argparse
import ctypes
import ctypes.util
import hashlib
import os
import re
import struct
import sys

MAGIC = b"fcrypt\n"
VERSION = 1
SUITE_KEY_LEN = {1: 32, 2: 16}
EMPTY, PASSPHRASE, KEY_FILE, BOTH = 0, 1, 2, 3
TAG = 16


class Refused(Exception):
    """What a reader says no to, with the command's exit status and the plaintext that was released
    before the fault."""

    def __init__(self, status, text, released=b""):
        super().__init__(text)
        self.status = status
        self.released = released


def H(key, message, length):
    return hashlib.blake2b(message, key=key or b"", digest_size=length).digest()


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b))


# AES, encryption only (FIPS 197).


def _double(x):
    return (x << 1) ^ (0x11B if x & 0x80 else 0)


def _make_sbox():
    power, log = [1], {1: 0}  # of the generator 3
    for i in range(1, 255):
        power.append(power[-1] ^ _double(power[-1]))
        log[power[-1]] = i
    sbox = []
    for x in range(256):
        b = power[(255 - log[x]) % 255] if x else 0
        bits = b | b << 8
        sbox.append((bits ^ bits >> 4 ^ bits >> 5 ^ bits >> 6 ^ bits >> 7 ^ 0x63) & 0xFF)
    return sbox


SBOX = _make_sbox()
DOUBLE = [_double(x) for x in range(256)]
# ShiftRows: the byte that comes to place i.
SHIFTED = [(i + 4 * (i % 4)) % 16 for i in range(16)]


def aes_expand(key):
    """The round keys, 16 bytes each."""
    nk = len(key) // 4
    words = [list(key[4 * i : 4 * i + 4]) for i in range(nk)]
    rcon = 1
    for i in range(nk, 4 * (nk + 7)):
        word = words[-1]
        if i % nk == 0:
            word = [SBOX[b] for b in word[1:] + word[:1]]
            word[0] ^= rcon
            rcon = _double(rcon)
        elif nk == 8 and i % nk == 4:
            word = [SBOX[b] for b in word]
        words.append([a ^ b for a, b in zip(words[i - nk], word)])
    flat = [b for word in words for b in word]
    return [flat[i : i + 16] for i in range(0, len(flat), 16)]


def aes_encrypt(round_keys, block):
    state = [a ^ b for a, b in zip(block, round_keys[0])]
    for round_key in round_keys[1:-1]:
        s = [SBOX[state[i]] for i in SHIFTED]
        state = []
        for c in range(0, 16, 4):
            a, b, d, e = s[c : c + 4]
            every = a ^ b ^ d ^ e
            state.append(a ^ every ^ DOUBLE[a ^ b] ^ round_key[c])
            state.append(b ^ every ^ DOUBLE[b ^ d] ^ round_key[c + 1])
            state.append(d ^ every ^ DOUBLE[d ^ e] ^ round_key[c + 2])
            state.append(e ^ every ^ DOUBLE[e ^ a] ^ round_key[c + 3])
    return bytes(SBOX[state[i]] ^ k for i, k in zip(SHIFTED, round_keys[-1]))


# AES-GCM-SIV (RFC 8452).

POLY = 1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1


def _dot(a, b):
    """a * b * x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1 (section 3)."""
    product = 0
    for i in range(128):
        if b >> i & 1:
            product ^= a << i
    for _ in range(128):  # divide by x
        if product & 1:
            product ^= POLY
        product >>= 1
    return product


def polyval(h, message):
    h = int.from_bytes(h, "little")
    # The product is linear in its first factor: one table of H times each byte at each place.
    bits = [_dot(1 << i, h) for i in range(128)]
    table = []
    for place in range(16):
        row = [0] * 256
        for value in range(1, 256):
            low = value & -value
            row[value] = row[value ^ low] ^ bits[8 * place + low.bit_length() - 1]
        table.append(row)
    acc = 0
    for i in range(0, len(message), 16):
        acc ^= int.from_bytes(message[i : i + 16], "little")
        product = 0
        for place, value in enumerate(acc.to_bytes(16, "little")):
            product ^= table[place][value]
        acc = product
    return acc.to_bytes(16, "little")


def _message_keys(key, nonce):
    master = aes_expand(key)
    half = [aes_encrypt(master, struct.pack("<I", i) + nonce)[:8] for i in range(2 + len(key) // 8)]
    return half[0] + half[1], aes_expand(b"".join(half[2:]))


def _padded(data):
    return data + bytes(-len(data) % 16)


def _siv_tag(auth_key, round_keys, nonce, plaintext, ad):
    lengths = struct.pack("<QQ", 8 * len(ad), 8 * len(plaintext))
    s = bytearray(polyval(auth_key, _padded(ad) + _padded(plaintext) + lengths))
    s[:12] = xor(s[:12], nonce)
    s[15] &= 0x7F
    return aes_encrypt(round_keys, s)


def _siv_ctr(round_keys, tag, data):
    counter = struct.unpack("<I", tag[:4])[0]
    rest = tag[4:15] + bytes([tag[15] | 0x80])
    out = bytearray()
    for i in range(0, len(data), 16):
        stream = aes_encrypt(round_keys, struct.pack("<I", counter) + rest)
        out += xor(data[i : i + 16], stream)
        counter = (counter + 1) & 0xFFFFFFFF
    return bytes(out)


def gcmsiv_seal(key, nonce, plaintext, ad=b""):
    auth_key, round_keys = _message_keys(key, nonce)
    tag = _siv_tag(auth_key, round_keys, nonce, plaintext, ad)
    return _siv_ctr(round_keys, tag, plaintext) + tag


def gcmsiv_open(key, nonce, sealed, ad=b""):
    """The plaintext, or None."""
    if len(sealed) < TAG:
        return None
    auth_key, round_keys = _message_keys(key, nonce)
    tag = sealed[-TAG:]
    plaintext = _siv_ctr(round_keys, tag, sealed[:-TAG])
    return plaintext if _siv_tag(auth_key, round_keys, nonce, plaintext, ad) == tag else None


# Credentials.


def argon2id(passphrase, salt, passes, mem_kib):
    name = ctypes.util.find_library("sodium")
    if name is None:
        raise SystemExit("fcref: passphrase slots need libsodium")
    sodium = ctypes.CDLL(name)
    sodium.sodium_init()
    out = ctypes.create_string_buffer(32)
    failed = sodium.crypto_pwhash(
        out,
        ctypes.c_ulonglong(32),
        passphrase,
        ctypes.c_ulonglong(len(passphrase)),
        salt,
        ctypes.c_ulonglong(passes),
        ctypes.c_size_t(mem_kib * 1024),
        ctypes.c_int(2),  # Argon2id, version 0x13
    )
    if failed:
        raise Refused(6, f"Argon2id with {mem_kib} KiB failed")
    return out.raw


def key_file_text(secret):
    return f"fcrypt-key-1:{secret.hex()}:{H(None, secret, 4).hex()}\n"


def parse_key_file(data):
    if len(data) == 32:
        if all(0x20 <= b <= 0x7E or b in b"\t\r\n" for b in data):
            raise Refused(2, "32 printable characters are a password")
        return data
    secret = None
    for line in data.split(b"\n"):
        line = line.removesuffix(b"\r").rstrip(b" \t")
        if not line or line.startswith(b"#"):
            continue
        match = re.fullmatch(rb"fcrypt-key-1:([0-9a-fA-F]{64}):([0-9a-fA-F]{8})", line)
        if match is None or secret is not None:
            raise Refused(2, "malformed key file")
        secret, check = (bytes.fromhex(group.decode()) for group in match.groups())
        if H(None, secret, 4) != check:
            raise Refused(2, "typing mistake in the key file")
    if secret is None:
        raise Refused(2, "no key in the key file")
    return secret


def make_kek(kind, passphrase, secret, salt, passes, mem_kib):
    f = H(None, b"fcrypt-v1 key file" + secret, 32) if kind in (KEY_FILE, BOTH) else b""
    a = argon2id(passphrase, salt, passes, mem_kib) if kind in (PASSPHRASE, BOTH) else b""
    return H(a, b"fcrypt-v1 two factors" + f, 32) if kind == BOTH else a + f


# Header.


def with_checksum(raw112):
    """A preamble or slot with its checksum: also what mends one after a change."""
    return raw112 + H(None, raw112, 16)


def build_preamble(file_key, file_salt, suite=1, chunk_log2=16, units=1):
    bound = MAGIC + bytes([VERSION, suite, chunk_log2, units, 0]) + bytes(4) + file_salt + bytes(32)
    return with_checksum(bound + H(file_key, b"fcrypt-v1 header" + bound, 32))


def slot_keys(kek, preamble, slot):
    s = H(kek, b"fcrypt-v1 slot" + preamble[:80] + slot[:32], 64)
    return s[:32], s[32:]


def build_slot(preamble, file_key, kek, kind, salt, passes=0, mem_kib=0):
    slot = struct.pack("<B3xII4x", kind, passes, mem_kib) + salt
    wrap_key, commitment = slot_keys(kek, preamble, slot)
    wrapped = gcmsiv_seal(wrap_key, bytes(12), file_key, preamble[:80] + slot)
    return with_checksum(slot + commitment + wrapped)


def parse_preamble(raw):
    """(suite, chunk_log2, units)."""
    if raw[:7] != MAGIC[: len(raw[:7])] or not raw:
        raise Refused(4, "not an fcrypt container")
    if len(raw) < 128:
        raise Refused(4, "truncated header")
    if raw[7] != VERSION:
        raise Refused(4, "another version")
    if with_checksum(raw[:112]) != raw:
        raise Refused(4, "damaged preamble")
    suite, chunk_log2, units = raw[8:11]
    if suite not in SUITE_KEY_LEN or not 13 <= chunk_log2 <= 24 or not 1 <= units <= 64:
        raise Refused(4, "suite, chunk size or header length out of range")
    if any(raw[11:16]) or any(raw[48:80]):
        raise Refused(4, "reserved bytes are not zero")
    return suite, chunk_log2, units


def judge_slot(slot):
    """'empty', 'damaged', 'unknown' or 'good'."""
    if not any(slot):
        return "empty"
    if slot[0] == EMPTY or with_checksum(slot[:112]) != slot:
        return "damaged"
    kind, passes, mem_kib = struct.unpack("<B3xII", slot[:12])
    if kind > BOTH or any(slot[1:4]) or any(slot[12:16]):
        return "unknown"
    if kind == KEY_FILE:
        return "unknown" if passes or mem_kib else "good"
    return "good" if passes >= 1 and mem_kib >= 8 else "unknown"


def open_slot(slot, preamble, kek):
    """The file key, or None where the commitment is another KEK's."""
    wrap_key, commitment = slot_keys(kek, preamble, slot)
    if commitment != slot[32:64]:
        return None
    file_key = gcmsiv_open(wrap_key, bytes(12), slot[64:112], preamble[:80] + slot[:32])
    if file_key is None or H(file_key, b"fcrypt-v1 header" + preamble[:80], 32) != preamble[80:112]:
        raise Refused(4, "broken slot")
    return file_key


def unlock(header, passphrase=None, secret=None, max_mem_kib=1 << 20, max_work_kib=16 << 20):
    """The file key from a whole header."""
    preamble = header[:128]
    slots = [header[at : at + 128] for at in range(128, len(header), 128)]
    states = [judge_slot(slot) for slot in slots]
    if all(state == "empty" for state in states):
        raise Refused(4, "no slot: its keys were destroyed")
    tries, salts = [], set()
    for slot, state in zip(slots, states):
        kind, passes, mem_kib = struct.unpack("<B3xII", slot[:12])
        if state != "good" or slot[16:32] in salts:
            continue
        salts.add(slot[16:32])
        if (kind != KEY_FILE and passphrase is None) or (kind != PASSPHRASE and secret is None):
            continue
        tries.append((passes * mem_kib, mem_kib, slot))
    tries.sort(key=lambda entry: entry[0])
    spent, asked, too_much = 0, 0, False
    for work, mem_kib, slot in tries:
        if mem_kib <= max_mem_kib:
            spent, asked = spent + work, asked + (work > 0)
        if mem_kib > max_mem_kib or spent > max_work_kib or asked > 7:
            too_much = True
            continue
        passes = struct.unpack("<I", slot[4:8])[0]
        kek = make_kek(slot[0], passphrase, secret, slot[16:32], passes, mem_kib)
        file_key = open_slot(slot, preamble, kek)
        if file_key is not None:
            return file_key
    if too_much:
        raise Refused(6, "Argon2id costs over the limits")
    raise Refused(4 if "damaged" in states else 3, "no slot opens")


# Payload.


def payload_keys(preamble, file_key):
    key_len = SUITE_KEY_LEN[preamble[8]]
    p = H(file_key, b"fcrypt-v1 payload" + preamble[:80], key_len + 12)
    return p[:key_len], p[key_len:]


def chunk_nonce(base, index, last):
    return xor(base, struct.pack("<Q3xB", index, last))


def seal_chunk(preamble, file_key, index, last, plaintext):
    key, base = payload_keys(preamble, file_key)
    return gcmsiv_seal(key, chunk_nonce(base, index, last), plaintext)


def seal_payload(preamble, file_key, plaintext):
    size = 1 << preamble[9]
    pieces = [plaintext[at : at + size] for at in range(0, len(plaintext), size)] or [b""]
    return b"".join(
        seal_chunk(preamble, file_key, i, i == len(pieces) - 1, piece)
        for i, piece in enumerate(pieces)
    )


def open_payload(preamble, file_key, payload):
    size = (1 << preamble[9]) + TAG
    key, base = payload_keys(preamble, file_key)
    count = max(1, -(-len(payload) // size))
    out = bytearray()
    for i in range(count):
        sealed = payload[i * size : (i + 1) * size]
        piece = gcmsiv_open(key, chunk_nonce(base, i, i == count - 1), sealed)
        if piece is None or (i > 0 and not piece):
            raise Refused(4, f"chunk {i} is refused", bytes(out))
        out += piece
    return bytes(out)


# Whole containers.


def encrypt(plaintext, slots, random=os.urandom, suite=1, chunk_log2=16, units=1, **fixed):
    """slots: dicts with kind, passphrase, secret, passes, mem_kib (as the kind needs), salt
    (optional), or with raw: 128 bytes to stand as they are.  fixed: file_key, file_salt."""
    file_key = fixed.get("file_key") or random(32)
    file_salt = fixed.get("file_salt") or random(32)
    preamble = build_preamble(file_key, file_salt, suite, chunk_log2, units)
    area = b""
    for slot in slots:
        if "raw" in slot:
            area += slot["raw"]
            continue
        kind, salt = slot["kind"], slot.get("salt") or random(16)
        costs = (slot["passes"], slot["mem_kib"]) if kind != KEY_FILE else (0, 0)
        kek = make_kek(kind, slot.get("passphrase"), slot.get("secret"), salt, *costs)
        area += build_slot(preamble, file_key, kek, kind, salt, *costs)
    header = preamble + area.ljust(1024 * units - 128, b"\0")
    return header + seal_payload(preamble, file_key, plaintext)


def decrypt(container, passphrase=None, secret=None):
    _, _, units = parse_preamble(container[:128])
    header = container[: 1024 * units]
    if len(header) < 1024 * units:
        raise Refused(4, "truncated header")
    file_key = unlock(header, passphrase, secret)
    return open_payload(header[:128], file_key, container[1024 * units :])


def seeded(seed):
    """Random bytes that are the same each time: BLAKE2b of the seed and a counter."""
    count = 0

    def draw(length):
        nonlocal count
        count += 1
        return H(None, seed + struct.pack("<Q", count), length)

    return draw


# Command line.


def _read(path):
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _write(path, data):
    if path == "-":
        sys.stdout.buffer.write(data)
        return
    with open(path, "wb") as file:
        file.write(data)


def _parse_slot(text, credentials, costs):
    if text.startswith("raw:"):
        return {"raw": bytes.fromhex(text[4:]).ljust(128, b"\0")}
    kind, _, salt = text.partition(":")
    return {"kind": int(kind), "salt": bytes.fromhex(salt), **credentials, **costs}


def _arguments(argv):
    parser = argparse.ArgumentParser(prog="fcref.py", description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    enc = commands.add_parser("enc", help="encrypt")
    dec = commands.add_parser("dec", help="decrypt")
    for command in (enc, dec):
        command.add_argument("--key-file", metavar="FILE", help="keygen's text or 32 raw bytes")
        command.add_argument("--passphrase", metavar="TEXT", help="for tests only")
        command.add_argument("input", metavar="IN")
        command.add_argument("output", metavar="OUT")
    enc.add_argument("--suite", type=int, default=1, choices=(1, 2))
    enc.add_argument("--chunk-log2", type=int, default=16)
    enc.add_argument("--units", type=int, default=1, help="header length in KiB")
    enc.add_argument("--passes", type=int, default=1, help="Argon2id passes")
    enc.add_argument("--mem-kib", type=int, default=8192, help="Argon2id memory")
    enc.add_argument(
        "--slot",
        action="append",
        metavar="KIND[:SALT]|raw:HEX",
        help="a slot, in order (default: one that needs every credential given)",
    )
    enc.add_argument("--seed", help="take all random bytes from this text")
    enc.add_argument("--file-key", type=bytes.fromhex, metavar="HEX")
    enc.add_argument("--file-salt", type=bytes.fromhex, metavar="HEX")
    return parser.parse_args(argv)


def main(argv=None):
    args = _arguments(argv)
    secret = parse_key_file(_read(args.key_file)) if args.key_file else None
    passphrase = os.fsencode(args.passphrase) if args.passphrase is not None else None
    if args.command == "dec":
        _write(args.output, decrypt(_read(args.input), passphrase, secret))
        return
    credentials = {"passphrase": passphrase, "secret": secret}
    costs = {"passes": args.passes, "mem_kib": args.mem_kib}
    every = (PASSPHRASE if passphrase is not None else 0) + (KEY_FILE if secret else 0)
    if not every and not args.slot:
        raise Refused(2, "no credential")
    container = encrypt(
        _read(args.input),
        [_parse_slot(text, credentials, costs) for text in args.slot or [str(every)]],
        random=seeded(args.seed.encode()) if args.seed is not None else os.urandom,
        suite=args.suite,
        chunk_log2=args.chunk_log2,
        units=args.units,
        file_key=args.file_key,
        file_salt=args.file_salt,
    )
    _write(args.output, container)


if __name__ == "__main__":
    try:
        main()
    except Refused as refused:
        print(f"fcref: {refused}", file=sys.stderr)
        sys.exit(refused.status)
