#!/usr/bin/env python3
"""Malformed LUKS2 headers, one fault in each, and what a reader must say to them.

    bad_luks2.py PROBE

makes headers by the specification alone, sound but for one fault whose checksums are right again,
and shows them to luks2_probe. Each must end with the expected status and message, in less than a
second of processor time and 256 MiB of memory. Sound headers that are unusual are among them.
"""

import base64
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

BINARY = 4096
HEADER = 16384
AREA = 258048
DATA = 1 << 20
MAGIC, SECOND_MAGIC = b"LUKS\xba\xbe", b"SKUL\xba\xbe"
SALT = base64.b64encode(bytes(range(32))).decode()

OK, BAD, LIMIT = 0, 4, 6
ABSENT = object()


# Sound headers.


def keyslot(number, header=HEADER):
    return {
        "type": "luks2",
        "key_size": 64,
        "area": {
            "type": "raw",
            "offset": str(2 * header + number * AREA),
            "size": str(AREA),
            "encryption": "aes-xts-plain64",
            "key_size": 64,
        },
        "kdf": {"type": "argon2id", "time": 4, "memory": 65536, "cpus": 1, "salt": SALT},
        "af": {"type": "luks1", "stripes": 4000, "hash": "sha256"},
    }


def metadata(header=HEADER):
    return {
        "keyslots": {"0": keyslot(0, header), "1": keyslot(1, header)},
        "tokens": {"0": {"type": "test", "keyslots": ["1"]}},
        "segments": {
            "0": {
                "type": "crypt",
                "offset": str(2 * header + DATA),
                "size": "dynamic",
                "iv_tweak": "0",
                "encryption": "aes-xts-plain64",
                "sector_size": 4096,
            }
        },
        "digests": {
            "0": {
                "type": "pbkdf2",
                "keyslots": ["0", "1"],
                "segments": ["0"],
                "hash": "sha256",
                "iterations": 1000,
                "salt": SALT,
                "digest": SALT,
            }
        },
        "config": {"json_size": str(header - BINARY), "keyslots_size": str(DATA)},
    }


def text_of(meta):
    return json.dumps(meta, separators=(",", ":")).encode()


def binary(offset, header, **more):
    """The binary part of one copy, its checksum zeros."""
    f = {
        "magic": MAGIC if offset == 0 else SECOND_MAGIC,
        "version": 2,
        "length": header,
        "seqid": 1,
        "label": b"",
        "hash": b"sha256",
        "place": offset,
        **more,
    }
    head = struct.pack(
        ">6sHQQ48s32s64s40s48sQ",
        f["magic"],
        f["version"],
        f["length"],
        f["seqid"],
        f["label"],
        f["hash"],
        b"",
        b"uuid",
        b"",
        f["place"],
    )
    return head.ljust(BINARY, b"\0")


def checked(one):
    """One copy with its checksum."""
    digest = hashlib.sha256(one).digest()
    return one[:448] + digest + one[448 + len(digest) :]


def one_copy(text, offset=0, header=HEADER, **more):
    area = text.ljust(header - BINARY, b"\0")[: header - BINARY]
    return checked(binary(offset, header, **more) + area)


def both(text, header=HEADER, **more):
    return one_copy(text, 0, header, **more) + one_copy(text, header, header, **more)


# Faults. A case is (name, image, status, a piece of what is printed).


def changed(path, value):
    meta = metadata()
    *parents, last = path.split(".")
    to = meta
    for name in parents:
        to = to[name]
    if value is ABSENT:
        del to[last]
    else:
        to[last] = value
    return text_of(meta)


KS, SEG, DIG = "keyslots.1", "segments.0", "digests.0"

VALUES = (
    # top level
    *((name, ABSENT, f"{name}: missing") for name in metadata()),
    *((name, 42, f"{name}: not an object") for name in metadata()),
    *((name, [], f"{name}: not an object") for name in metadata()),
    *((name, None, f"{name}: not an object") for name in metadata()),
    # config
    ("config.json_size", ABSENT, "json_size: missing"),
    ("config.json_size", 12288, "json_size: not a string"),
    ("config.json_size", "12287", "json_size: not the header's"),
    ("config.json_size", "16384", "json_size: not the header's"),
    ("config.json_size", "-1", "json_size: not a decimal number"),
    ("config.keyslots_size", ABSENT, "keyslots_size: missing"),
    ("config.keyslots_size", "1000", "keyslots_size: out of range"),
    ("config.keyslots_size", str((128 << 20) + 4096), "keyslots_size: out of range"),
    ("config.keyslots_size", str(2**64 - 4096), "keyslots_size: out of range"),
    ("config.keyslots_size", str(AREA), "outside of the part for areas"),
    ("config.keyslots_size", "0", "outside of the part for areas"),
    ("config.flags", "x", "flags: not an array"),
    ("config.flags", [7], "flags: an element is no plain string"),
    ("config.requirements", [], "requirements: not an object"),
    ("config.requirements", {"mandatory": {}}, "mandatory: not an array"),
    # key slots
    ("keyslots.32", keyslot(2), "keyslots: a name is no number"),
    ("keyslots.01", keyslot(2), "keyslots: a name is no number"),
    ("keyslots.-1", keyslot(2), "keyslots: a name is no number"),
    ("keyslots.x", keyslot(2), "keyslots: a name is no number"),
    ("keyslots.", keyslot(2), "keyslots: a name is no number"),
    (KS, 1, "1: not an object"),
    (KS, ABSENT, "digest 0, keyslots: there is no such key slot"),
    ("keyslots.2", keyslot(2), "a key slot has no digest"),
    (f"{KS}.type", ABSENT, "key slot 1, type: missing"),
    (f"{KS}.type", {}, "key slot 1, type: not a string"),
    (f"{KS}.type", "", "key slot 1, type: empty"),
    (f"{KS}.type", "x" * 256, "key slot 1, type: empty, too long"),
    (f"{KS}.type", "luks2\x1b[2J", "key slot 1, type: empty, too long or not printable"),
    (f"{KS}.type", "luks2\0", "key slot 1, type: empty, too long or not printable"),
    (f"{KS}.key_size", ABSENT, "key_size: missing"),
    (f"{KS}.key_size", "64", "key_size: not an integer"),
    (f"{KS}.key_size", 64.0, "key_size: not an integer"),
    (f"{KS}.key_size", 0, "key_size: out of range"),
    (f"{KS}.key_size", -64, "key_size: out of range"),
    (f"{KS}.key_size", 2**32 + 64, "key_size: out of range"),
    (f"{KS}.key_size", 2**64 + 64, "key_size: out of range"),
    (f"{KS}.key_size", 65, "size: too small for the key"),
    (f"{KS}.priority", 3, "priority: out of range"),
    (f"{KS}.priority", "1", "priority: not an integer"),
    (f"{KS}.area", ABSENT, "area: missing"),
    (f"{KS}.area", [], "area: not an object"),
    (f"{KS}.area.type", ABSENT, "key slot 1, area, type: missing"),
    (f"{KS}.area.type", "none", "area, type: not"),
    (f"{KS}.area.offset", ABSENT, "area, offset: missing"),
    (f"{KS}.area.offset", 290816, "area, offset: not a string"),
    (f"{KS}.area.offset", "290816 ", "area, offset: not a decimal"),
    (f"{KS}.area.offset", "+290816", "area, offset: not a decimal"),
    (f"{KS}.area.offset", "0x8000", "area, offset: not a decimal"),
    (f"{KS}.area.offset", "32768", "it overlaps another slot's"),
    (f"{KS}.area.offset", "286720", "it overlaps another slot's"),
    (f"{KS}.area.offset", "16384", "outside of the part for areas"),
    (f"{KS}.area.offset", str(2 * HEADER + DATA - 4096), "outside of the part for areas"),
    (f"{KS}.area.offset", str(2**64 - 4096), "outside of the part for areas"),
    (f"{KS}.area.size", ABSENT, "area, size: missing"),
    (f"{KS}.area.size", "0", "too small for the key"),
    (f"{KS}.area.size", "255999", "too small for the key"),
    (f"{KS}.area.size", str(2**64 - 1), "outside of the part for areas"),
    (f"{KS}.area.size", str(2**64), "area, size: not a decimal number below 2^64"),
    (f"{KS}.area.size", str(2**64 + 258048), "area, size: not a decimal number below 2^64"),
    (f"{KS}.area.encryption", ABSENT, "encryption: missing"),
    (f"{KS}.area.encryption", "", "encryption: empty"),
    (f"{KS}.area.key_size", ABSENT, "area, key_size: missing"),
    (f"{KS}.area.key_size", 0, "area, key_size: out of range"),
    (f"{KS}.af", ABSENT, "af: missing"),
    (f"{KS}.af", {}, "af, type: missing"),
    (f"{KS}.af.stripes", ABSENT, "stripes: missing"),
    (f"{KS}.af.stripes", 3999, "stripes: not 4000"),
    (f"{KS}.af.hash", ABSENT, "af, hash: missing"),
    (f"{KS}.kdf", ABSENT, "kdf: missing"),
    (f"{KS}.kdf.type", ABSENT, "kdf, type: missing"),
    (f"{KS}.kdf.time", ABSENT, "time: missing"),
    (f"{KS}.kdf.time", 0, "time: out of range"),
    (f"{KS}.kdf.time", 2**32, "time: out of range"),
    (f"{KS}.kdf.memory", 7, "memory: out of range"),
    (f"{KS}.kdf.memory", "65536", "memory: not an integer"),
    (f"{KS}.kdf.cpus", 0, "cpus: out of range"),
    (f"{KS}.kdf.cpus", 257, "cpus: out of range"),
    (f"{KS}.kdf", {"type": "argon2i", "time": 4, "memory": 31, "cpus": 4, "salt": SALT}, "memory: too little"),
    (f"{KS}.kdf.salt", ABSENT, "salt: missing"),
    (f"{KS}.kdf.salt", "AAAA", "salt: not of 32 bytes"),
    (f"{KS}.kdf.salt", SALT[:-1], "salt: not base64"),
    (f"{KS}.kdf.salt", SALT + "\n", "salt: empty, too long or not printable"),
    (f"{KS}.kdf.salt", "A" * 44, "salt: not base64, or too long"),
    (f"{KS}.kdf", {"type": "pbkdf2", "hash": "sha256", "salt": SALT}, "iterations: missing"),
    (f"{KS}.kdf", {"type": "pbkdf2", "iterations": 1000, "salt": SALT}, "kdf, hash: missing"),
    # segments
    ("segments", {}, "there is no segment"),
    (SEG, "x", "segments, 0: not an object"),
    (f"{SEG}.type", ABSENT, "type: missing"),
    (f"{SEG}.type", 42, "type: not a string"),
    (f"{SEG}.offset", ABSENT, "segment 0, offset: missing"),
    (f"{SEG}.offset", -42, "segment 0, offset: not a string"),
    (f"{SEG}.offset", "1081345", "segment 0, offset: not a multiple of 512"),
    (f"{SEG}.size", ABSENT, "segment 0, size: missing"),
    (f"{SEG}.size", 4096, "segment 0, size: not a string"),
    (f"{SEG}.size", "automatic", "segment 0, size: not a decimal"),
    (f"{SEG}.size", "511", "segment 0, size: not whole sectors"),
    (f"{SEG}.size", "512", "segment 0, size: not whole sectors"),
    (f"{SEG}.size", "0", "segment 0, size: out of range"),
    (f"{SEG}.size", str(2**64 - 4096), "segment 0, size: out of range"),
    (f"{SEG}.size", str(2**64), "segment 0, size: not a decimal number below 2^64"),
    (f"{SEG}.size", "-512", "segment 0, size: not a decimal"),
    (f"{SEG}.iv_tweak", ABSENT, "iv_tweak: missing"),
    (f"{SEG}.iv_tweak", "dynamic", "iv_tweak: not a decimal"),
    (f"{SEG}.encryption", ABSENT, "encryption: missing"),
    (f"{SEG}.encryption", "", "encryption: empty"),
    (f"{SEG}.sector_size", ABSENT, "sector_size: missing"),
    (f"{SEG}.sector_size", "4096", "sector_size: not an integer"),
    (f"{SEG}.sector_size", 1023, "sector_size: not a power of two"),
    (f"{SEG}.sector_size", 256, "sector_size: out of range"),
    (f"{SEG}.sector_size", 8192, "sector_size: out of range"),
    (f"{SEG}.sector_size", -512, "sector_size: out of range"),
    (f"{SEG}.flags", "hello", "flags: not an array"),
    (f"{SEG}.flags", ["hello", 1], "flags: an element is no plain string"),
    # digests
    (f"{DIG}.keyslots", ABSENT, "digest 0, keyslots: missing"),
    (f"{DIG}.keyslots", {}, "digest 0, keyslots: not an array"),
    (f"{DIG}.keyslots", ["0"], "a key slot has no digest"),
    (f"{DIG}.keyslots", [0, 1], "digest 0, keyslots: an element is no number"),
    (f"{DIG}.keyslots", ["0", "1", "2"], "there is no such key slot"),
    (f"{DIG}.keyslots", ["0", "1", "0"], "an element stands twice"),
    (f"{DIG}.keyslots", ["0", "1", None], "an element is no number"),
    (f"{DIG}.segments", ["0", "1"], "there is no such segment"),
    (f"{DIG}.segments", ABSENT, "digest 0, segments: missing"),
    ("digests.1", metadata()["digests"]["0"], "a key slot has two digests"),
    ("digests.1", {**metadata()["digests"]["0"], "keyslots": []}, "a segment has two digests"),
    (f"{DIG}.type", ABSENT, "type: missing"),
    (f"{DIG}.hash", ABSENT, "hash: missing"),
    (f"{DIG}.iterations", 0, "iterations: out of range"),
    (f"{DIG}.salt", "", "salt: empty"),
    (f"{DIG}.digest", ABSENT, "digest: missing"),
    (f"{DIG}.digest", "AAAA", "not of the hash's length"),
    (f"{DIG}.digest", "A" * 100, "not base64, or too long"),
    # tokens
    ("tokens.0", [], "tokens, 0: not an object"),
    ("tokens.0.type", ABSENT, "token 0, type: missing"),
    ("tokens.0.keyslots", ["2"], "token 0, keyslots: there is no such key slot"),
    ("tokens.0.keyslots", ABSENT, "token 0, keyslots: missing"),
)

# Sound, but it cannot be decrypted, or one slot cannot be used.
UNSUPPORTED = (
    ("config.requirements", {"mandatory": ["online-reencrypt-v2"]}, 'it requires "online-reencrypt-v2"'),
    (f"{SEG}.encryption", "aes-cbc-essiv:sha256", "the encryption aes-cbc-essiv:sha256"),
    (f"{SEG}.encryption", "serpent-xts-plain64", "the encryption serpent-xts-plain64"),
    (f"{SEG}.type", "linear", "segments of the type linear"),
    (f"{SEG}.integrity", {"type": "hmac(sha256)"}, "authenticated LUKS2 encryption"),
    (f"{SEG}.flags", ["backup-previous"], "the flag backup-previous"),
    (f"{SEG}.offset", "0", "detached headers"),
    (f"{SEG}.offset", str(DATA), "detached headers"),
    ("segments.1", metadata()["segments"]["0"], "several segments"),
    (f"{DIG}.segments", [], "a segment without a digest"),
    (f"{DIG}.type", "hmac", "digests of the type hmac"),
    (f"{DIG}.hash", "sha1", "PBKDF2 with the hash sha1"),
    (f"{KS}.type", "reencrypt", "slot 1: priority 1, area 290816+258048, unsupported: its type reencrypt"),
    (f"{KS}.area.encryption", "aes-cbc-plain", "the slot's encryption aes-cbc-plain"),
    (f"{KS}.area.key_size", 48, "keys of 48 bytes"),
    (f"{KS}.key_size", 16, "keys of 16 bytes"),
    (f"{KS}.af.type", "luks9", "the anti-forensic splitter luks9"),
    (f"{KS}.af.hash", "whirlpool", "the anti-forensic splitter with the hash whirlpool"),
    (f"{KS}.kdf.type", "scrypt", "the key derivation scrypt"),
    (f"{KS}.kdf", {"type": "pbkdf2", "hash": "sha1", "iterations": 1, "salt": SALT}, "PBKDF2 with the hash sha1"),
)

# Sound.
SOUND = (
    ("config.requirements", {"mandatory": []}, "tokens: 1"),
    ("config.flags", ["allow-discards"], "tokens: 1"),
    (f"{KS}.priority", 0, "slot 1: priority 0"),
    (f"{KS}.kdf.iterations", 1000, "slot 1: priority 1"),
    (f"{KS}.kdf", {"type": "pbkdf2", "hash": "sha512", "iterations": 9, "time": 4, "salt": SALT}, "pbkdf2 sha512 9"),
    (f"{SEG}.size", "4096", "size 4096"),
    (f"{SEG}.size", str((2**64 - 1 - 2 * HEADER - DATA) // 4096 * 4096), "tokens: 1"),
    (f"{SEG}.iv_tweak", str(2**64 - 1), f"iv_tweak {2**64 - 1}"),
    (f"{DIG}.digest", base64.b64encode(bytes(20)).decode(), "tokens: 1"),
    ("tokens", {}, "tokens: 0"),
    ("unknown", {"a": [1, "2", None, True, {"b": 1.5}]}, "tokens: 1"),
)


def value_cases():
    for i, (path, value, message) in enumerate(VALUES):
        yield f"{i} {path}", both(changed(path, value)), BAD, "malformed LUKS2 metadata: ", message
    for path, value, message in UNSUPPORTED:
        yield path, both(changed(path, value)), OK, "unsupported: ", message
    for path, value, message in SOUND:
        yield path, both(changed(path, value)), OK, "header 16384", message


def text_cases():
    good = text_of(metadata())
    room = HEADER - BINARY - len(good)
    nested = b'{"x":' * 20 + b"{}" + b"}" * 20
    yield "full", both(good + b" " * (room - 1)), OK, "tokens: 1"
    for name, text, message in (
        ("nothing", b"", "begin with"),
        ("blank-first", b" " + good, "begin with"),
        ("array", b"[" + good + b"]", "begin with"),
        ("bom", b"\xef\xbb\xbf" + good, "begin with"),
        ("unterminated", good + b" " * room, "no zero byte behind the JSON"),
        ("garbage-behind", good + b"\0x", "garbage behind the JSON"),
        ("garbage-at-the-end", (good + b"\0" * room)[:-1] + b"x", "garbage behind the JSON"),
        ("text-behind", good + b"x", "no JSON at byte"),
        ("two-documents", good + good, "no JSON at byte"),
        ("cut", good[:-1], "no JSON at byte"),
        ("no-utf8", good.replace(b"test", b"te\xfft"), "no JSON at byte"),
        ("comment", good.replace(b'"tokens"', b'/**/"tokens"'), "no JSON at byte"),
        ("comma", good.replace(b'"1"]', b'"1",]'), "no JSON at byte"),
        ("single-quotes", good.replace(b'"test"', b"'test'"), "no JSON at byte"),
        ("twice", good.replace(b'"tokens"', b'"tokens":{},"tokens"'), "stands twice"),
        ("twice-inside", good.replace(b'"time"', b'"time":1,"time"', 1), "stands twice"),
        ("twice-escaped", good.replace(b'"time"', b'"\\u0074ime":1,"time"', 1), "stands twice"),
        ("twice-nul", good.replace(b'"time"', b'"time\\u0000":1,"time"', 1), "stands twice"),
        ("long-number", good.replace(b'"time":4', b'"time":' + b"4" * 400, 1), "time: out of range"),
        ("minus", good.replace(b'"time":4', b'"time":-' + b"4" * 400, 1), "time: out of range"),
        ("exponent", good.replace(b'"time":4', b'"time":4e0', 1), "time: not an integer"),
        ("octal", good.replace(b'"time":4', b'"time":04', 1), "no JSON at byte"),
        ("not-a-number", good.replace(b'"time":4', b'"time":NaN', 1), "time: not an integer"),
        ("nested", good[:-1] + b',"x":' + nested + b"}", "no JSON at byte"),
        ("brackets", good[:-1] + b',"x":' + b"[" * 5000 + b"]" * 5000 + b"}", "no JSON at byte"),
    ):
        yield name, both(text), BAD, message


def bomb_cases():
    header = 4 << 20
    good = text_of(metadata(header))
    room = header - BINARY - len(good) - 20
    for name, piece in (("objects", b"{},"), ("zeros", b"0,"), ("arrays", b"[],"), ("texts", b'"",')):
        filler = piece * (room // len(piece))
        text = good[:-1] + b',"x":[' + filler[:-1] + b"]}"
        yield f"bomb-{name}", both(text, header), BAD, "too many values"
    members = b",".join(b'"%x":0' % i for i in range(room // 11))
    yield "bomb-members", both(good[:-1] + b',"x":{' + members + b"}}", header), BAD, "too many values"
    long = good[:-1] + b',"x":"' + b"a" * (room - 10) + b'"}'
    yield "long-text", both(long, header), OK, "tokens: 1"


def binary_cases():
    good = text_of(metadata())
    sound = both(good)
    first, second = sound[:HEADER], sound[HEADER:]
    broken = b"\0" * 100
    yield "sound", sound, OK, "header 16384, seqid 1"
    yield "checksums", first[:-1] + b"x" + second[:-1] + b"x", BAD, "its checksum is wrong"
    yield "first-checksum", first[:-1] + b"x" + second, OK, "the primary LUKS2 header is damaged"
    yield "second-checksum", first + second[:-1] + b"x", OK, "the secondary LUKS2 header is damaged"
    yield "first-json", one_copy(b"{") + second, OK, "the primary LUKS2 header is damaged"
    yield "second-json", first + one_copy(b"{", HEADER), OK, "the secondary LUKS2 header is damaged"
    yield "second-gone", first, OK, "the secondary LUKS2 header is damaged"
    yield "newer", first + one_copy(good, HEADER, seqid=2), OK, "seqid 2"
    yield "older", one_copy(good, seqid=9) + second, OK, "seqid 9"
    yield "empty", b"", BAD, "not a LUKS2 image"
    yield "zeros", bytes(5 << 20), BAD, "not a LUKS2 image"
    yield "cut", first[:8000], BAD, "truncated"
    yield "cut-early", first[:600], BAD, "truncated"
    yield "luks1", first[:7] + b"\1" + first[8:] + broken, BAD, "LUKS1"
    for name, more, message in (
        ("version-3", {"version": 3}, "unknown LUKS version 3"),
        ("length-0", {"length": 0}, "its length or place is wrong"),
        ("length-4096", {"length": 4096}, "its length or place is wrong"),
        ("length-odd", {"length": 16385}, "its length or place is wrong"),
        ("length-20480", {"length": 20480}, "its length or place is wrong"),
        ("length-8M", {"length": 8 << 20}, "its length or place is wrong"),
        ("length-top", {"length": 1 << 63}, "its length or place is wrong"),
        ("length-32K", {"length": 32768}, "its checksum is wrong"),
        ("place", {"place": 512}, "its length or place is wrong"),
        ("hash", {"hash": b"md5"}, "a checksum of an unknown kind"),
        ("hash-long", {"hash": b"sha256" * 5}, "a checksum of an unknown kind"),
        ("magic", {"magic": b"LUKS\xba\xbf"}, "not a LUKS2 image"),
    ):
        bad = one_copy(good, **more)
        yield name, bad + bytes(HEADER), BAD, message
        yield name + "-first", bad + second, OK, "the primary LUKS2 header is damaged"


def size_cases():
    """Every allowed length of a header, whole, and with the secondary copy alone."""
    for log2 in range(14, 23):
        header = 1 << log2
        sound = both(text_of(metadata(header)), header)
        yield f"size-{header}", sound, OK, f"header {header}, "
        yield f"second-{header}", bytes(header) + sound[header:], OK, f"header {header}, "
    alone = one_copy(text_of(metadata(24576)), 24576, 24576)
    yield "second-nowhere", bytes(24576) + alone, BAD, "not a LUKS2 image"


# Costs that nobody wants to pay: `open` must refuse them before it pays.
COSTS = (
    ({"type": "argon2id", "time": 1, "memory": 2**32 - 1, "cpus": 1}, "4194304 MiB"),
    ({"type": "argon2i", "time": 2**32 - 1, "memory": 65536, "cpus": 256}, "GiB-passes"),
    ({"type": "pbkdf2", "hash": "sha256", "iterations": 2**32 - 1}, "iterations of PBKDF2"),
    ({"type": "pbkdf2", "hash": "sha512", "iterations": 2**27 + 1}, "iterations of PBKDF2"),
)


def cost_cases():
    for i, (kdf, message) in enumerate(COSTS):
        image = both(changed(f"{KS}.kdf", {**kdf, "salt": SALT})) + bytes(DATA)
        yield f"costs-{i}", image, LIMIT, message
    image = both(changed(f"{DIG}.iterations", 2**32 - 1)) + bytes(DATA)
    yield "costs-digest", image, LIMIT, "iterations of PBKDF2"
    yield "area-missing", both(text_of(metadata())), BAD, "truncated: slot 1"


def run(arguments):
    """(status, output, CPU seconds, KiB) of a program."""
    read, write = os.pipe()
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=write, stderr=write)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        output = pipe.read().decode("utf-8", "backslashreplace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def faults(probe, path, case, how):
    _, image, status, *messages = case
    with open(path, "wb") as f:
        f.write(image)
    got, output, seconds, kib = run([probe, how[0], path, *how[1:]])
    if got != status:
        yield f"status {got} instead of {status}: {output}"
    for message in messages:
        if message not in output:
            yield f"no {message!r} in {output!r}"
    if seconds > 1 or kib > 256 << 10:
        yield f"took {seconds:.1f} s, {kib} KiB"


def main():
    shown = (*value_cases(), *text_cases(), *bomb_cases(), *binary_cases(), *size_cases())
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "image")
        for cases, how in ((shown, ["show"]), (tuple(cost_cases()), ["open", "1", "pass"])):
            for case in cases:
                count += 1
                for fault in faults(sys.argv[1], path, case, how):
                    print(f"{case[0]}: {fault}")
                    failed += 1
    print(f"{count} headers, {failed} faults")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
