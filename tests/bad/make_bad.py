#!/usr/bin/env python3
"""Malformed containers, one fault in each, and what a reader must do with them.

    make_bad.py FOLDER

writes the containers, the credentials they are tried with, `plain` (of which every plaintext is a
beginning) and manifest.tsv: file, options, status, how many bytes of `plain` come out before the
fault, and a piece of the message (of the note, where the status is 0).
The containers come from fcref.py, which shares no code with the command.
"""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "kat"))

import fcref  # noqa: E402

LOG2 = 13
CHUNK = 1 << LOG2
SEALED = CHUNK + fcref.TAG
HEADER = 1024
SLOT = 128  # where the first slot begins
SECRET = fcref.H(None, b"the right key", 32)
OTHER_SECRET = fcref.H(None, b"another key", 32)
PASSPHRASE = b"the right passphrase"
OTHER_PASSPHRASE = b"another passphrase"
PLAIN = "".join(f"{i}\n" for i in range(6000)).encode()[: 3 * CHUNK]
CHEAP = {"passes": 1, "mem_kib": 8}
KEY = "-k key"
PASS = "--passphrase-file pass"
MASKS = (0x01, 0x80)

OK, WRONG_KEY, BAD, LIMIT = 0, 3, 4, 6


class Corpus:
    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def add(self, name, data, status, released, message, options=KEY):
        self.write(name, data)
        self.row(name, status, released, message, options)

    def row(self, name, status, released, message, options=KEY):
        self.rows.append((name, options, str(status), str(released), message))

    def write(self, name, data):
        with open(os.path.join(self.folder, name), "wb") as f:
            f.write(data)

    def finish(self):
        self.write("key", SECRET)
        self.write("pass", PASSPHRASE)
        self.write("plain", PLAIN)
        lines = ["\t".join(row) + "\n" for row in self.rows]
        self.write("manifest.tsv", "".join(lines).encode())


# Containers without fault.


def key_slot(secret=SECRET, **more):
    return {"kind": fcref.KEY_FILE, "secret": secret, **more}


def pass_slot(passphrase=PASSPHRASE, **more):
    return {"kind": fcref.PASSPHRASE, "passphrase": passphrase, **CHEAP, **more}


def container(length, slots, seed, **more):
    random = fcref.seeded(seed.encode())
    return fcref.encrypt(PLAIN[:length], slots, random, **{"chunk_log2": LOG2, **more})


def flipped(data, offset, mask=0x01):
    out = bytearray(data)
    out[offset] ^= mask
    return bytes(out)


def patched(data, offset, patch):
    return data[:offset] + patch + data[offset + len(patch) :]


def mended(data, offset):
    """With a right checksum in the block of 128 header bytes around offset."""
    start = offset - offset % 128
    return patched(data, start, fcref.with_checksum(data[start : start + 112]))


def chunk(data, i):
    """Sealed chunk i; the last may be shorter."""
    return data[HEADER + i * SEALED : HEADER + (i + 1) * SEALED]


# The preamble.


def mended_preamble(offset, value):
    """(status, message) for a preamble byte changed to value under a right checksum."""
    if offset < 7:
        return BAD, "not an fcrypt container"
    if offset == 7:
        return BAD, "newer" if value > 1 else "damaged"
    named = {8: "suite", 9: "chunk size", 10: "length", 11: "flags"}
    if offset in named:
        return BAD, named[offset]
    if offset < 16 or 48 <= offset < 80:
        return BAD, "reserved"
    if offset < 48:
        return WRONG_KEY, "key"  # the salt is bound: no commitment matches
    return BAD, "damaged"  # the header tag


def preambles(corpus):
    good = container(100, [key_slot()], "preamble")
    corpus.add("good", good, OK, 100, "")
    for offset in range(128):
        for mask in MASKS:
            bad = flipped(good, offset, mask)
            name = f"preamble-{offset:03}-{mask:02x}"
            corpus.add(name, bad, BAD, 0, "not an fcrypt" if offset < 7 else "damaged")
            if offset < 112:
                expected = mended_preamble(offset, bad[offset])
                corpus.add(name + "-mended", mended(bad, offset), expected[0], 0, expected[1])
    for name, offset, value, message in (
        ("version-2", 7, 2, "newer"),
        ("version-255", 7, 255, "newer"),
        ("suite-0", 8, 0, "suite"),
        ("suite-3", 8, 3, "suite"),
        ("suite-255", 8, 255, "suite"),
        ("chunk-12", 9, 12, "chunk size"),
        ("chunk-25", 9, 25, "chunk size"),
        ("chunk-0", 9, 0, "chunk size"),
        ("chunk-255", 9, 255, "chunk size"),
        ("units-0", 10, 0, "length"),
        ("units-65", 10, 65, "length"),
        ("units-255", 10, 255, "length"),
        ("units-2-but-1", 10, 2, "truncated"),
        ("units-64-but-1", 10, 64, "truncated"),
    ):
        bad = mended(patched(good, offset, bytes([value])), offset)
        corpus.add("preamble-" + name, bad, BAD, 0, message)
    for suite, log2, units in ((2, 13, 1), (1, 13, 64), (2, 24, 64), (1, 24, 2)):
        more = {"suite": suite, "chunk_log2": log2, "units": units}
        data = container(100, [key_slot()], f"{more}", **more)
        corpus.add(f"good-{suite}-{log2}-{units}", data, OK, 100, "")
    # The other suite and chunk size are well-formed, but bound into every key.
    for name, offset, value in (("suite-2", 8, 2), ("chunk-14", 9, 14)):
        bad = mended(patched(good, offset, bytes([value])), offset)
        corpus.add("preamble-" + name, bad, WRONG_KEY, 0, "key")
    bad = container(100, [key_slot()], "other file key", file_key=bytes(range(32)))
    bad = mended(patched(bad, 80, good[80:112]), 80)
    corpus.add("preamble-tag-of-another", bad, BAD, 0, "damaged")


def header_cuts(corpus):
    good = container(100, [key_slot()], "cuts")
    for length in range(HEADER + 1):
        message = "" if length < 128 else "truncated"
        corpus.add(f"header-cut-{length:04}", good[:length], BAD, 0, message)
    long = container(100, [key_slot()], "long cuts", units=3)
    for length in (1024, 1025, 2047, 2048, 3071, 3072, 3072 + 15, 3072 + 115):
        corpus.add(f"header-3-cut-{length}", long[:length], BAD, 0, "")


# Slots.


def mended_slot(offset, slot):
    """(status, message) for a changed byte in the only slot, under a right checksum."""
    kind, passes, mem_kib = struct.unpack("<B3xII", slot[:12])
    if kind == fcref.EMPTY:
        return BAD, "damaged"
    if fcref.judge_slot(slot) == "unknown":
        return WRONG_KEY, "slot"
    if kind == fcref.PASSPHRASE and (mem_kib > 1 << 20 or passes * mem_kib > 16 << 20):
        return LIMIT, ""
    if offset < 64:
        return WRONG_KEY, "passphrase" if kind == fcref.PASSPHRASE else "key"
    return BAD, "damaged"  # the wrapped key under a right commitment


def slots_in_use(corpus):
    for kind, slot, options in (("key", key_slot(), KEY), ("pass", pass_slot(), PASS)):
        good = container(100, [slot], "slot " + kind)
        corpus.add(f"good-{kind}", good, OK, 100, "", options)
        for offset in range(128):
            for mask in MASKS:
                bad = flipped(good, SLOT + offset, mask)
                name = f"slot-{kind}-{offset:03}-{mask:02x}"
                corpus.add(name, bad, BAD, 0, "damaged", options)
                if offset < 112:
                    bad = mended(bad, SLOT + offset)
                    status, message = mended_slot(offset, bad[SLOT : SLOT + 128])
                    corpus.add(name + "-mended", bad, status, 0, message, options)


def strange_key_slot(i):
    """A well-formed slot of a key nobody has."""
    body = struct.pack("<B15x", fcref.KEY_FILE) + fcref.H(None, b"strange %d" % i, 64)
    return {"raw": fcref.with_checksum(body.ljust(112, b"\x5a"))}


def raw_slot(kind, reserved=0):
    """A slot with a right checksum that no reader of version 1 knows."""
    body = bytes([kind, reserved]) + bytes(14) + fcref.H(None, b"unknown slot", 16)
    return {"raw": fcref.with_checksum(body.ljust(112, b"\x5a"))}


def bystanders(corpus):
    """Slots that are damaged or unknown beside one that opens, and beside one that does not."""
    damaged = {
        "flip": {"raw": flipped(raw_slot(192)["raw"], 40)},
        "zero-kind": {"raw": bytes(100) + b"x" + bytes(27)},
        "zero-kind-checksum": {"raw": fcref.with_checksum(bytes(111) + b"x")},
        "last-byte": {"raw": bytes(127) + b"x"},
        "ones": {"raw": b"\xff" * 128},
    }
    unknown = {
        "192": raw_slot(192),
        "4": raw_slot(4),
        "255": raw_slot(255),
        "reserved": raw_slot(2, 1),
        "no-passes": raw_slot(1),
    }
    for state, kinds in (("damaged", damaged), ("unknown", unknown)):
        for kind, slot in kinds.items():
            for place, slots in (("before", [slot, key_slot()]), ("behind", [key_slot(), slot])):
                name = f"{state}-{kind}-{place}"
                data = container(100, slots, name)
                corpus.add(name, data, OK, 100, state)
                tested = (BAD if state == "damaged" else OK, 0, state, KEY + " -t")
                corpus.row(name, *tested)
            other = container(100, [slot, key_slot(OTHER_SECRET)], "other " + kind)
            expected = BAD if state == "damaged" else WRONG_KEY
            corpus.add(f"{state}-{kind}-wrong-key", other, expected, 0, state)
    slots = [key_slot()] + [{"raw": bytes(128)}] * 100 + [raw_slot(200)]
    far = container(100, slots, "far", units=20)
    corpus.add("unknown-far", far, OK, 100, "unknown")
    corpus.add("no-slot", container(100, [], "none"), BAD, 0, "destroyed")
    corpus.add("no-slot-of-64", container(100, [], "none", units=64), BAD, 0, "destroyed")
    corpus.add("all-damaged", container(100, [damaged["flip"]] * 7, "all"), BAD, 0, "damaged")
    corpus.add("all-unknown", container(100, [unknown["4"]], "all"), WRONG_KEY, 0, "unknown")


def wrong_keys(corpus):
    other = container(100, [key_slot(OTHER_SECRET)], "wrong key")
    corpus.add("wrong-key", other, WRONG_KEY, 0, "key")
    other = container(100, [pass_slot(OTHER_PASSPHRASE)], "wrong passphrase")
    corpus.add("wrong-passphrase", other, WRONG_KEY, 0, "passphrase", PASS)
    corpus.add("key-for-passphrase", other, WRONG_KEY, 0, "passphrase")
    both = {**key_slot(), **pass_slot(), "kind": fcref.BOTH}
    both = container(100, [both], "both")
    corpus.add("good-both", both, OK, 100, "", f"{KEY} {PASS}")
    corpus.add("key-for-both", both, WRONG_KEY, 0, "passphrase")
    corpus.add("passphrase-for-both", both, WRONG_KEY, 0, "key", PASS)


def which_slot(corpus):
    """Order, repeated salts, and that the first commitment that matches decides."""
    salt = bytes(range(16))
    other, right = key_slot(OTHER_SECRET, salt=salt), key_slot(salt=salt)
    corpus.add("salt-repeated", container(100, [other, right], "r1"), WRONG_KEY, 0, "key")
    corpus.add("salt-repeated-behind", container(100, [right, other], "r2"), OK, 100, "")
    other, right = pass_slot(OTHER_PASSPHRASE, salt=salt), pass_slot(salt=salt)
    slots = [other, right]
    corpus.add("salt-repeated-pass", container(100, slots, "r3"), WRONG_KEY, 0, "", PASS)

    # Two slots of one credential, the wrap of one broken: which is tried first decides.
    def broken(slots, i, name):
        at = SLOT + 128 * i + 70
        return mended(flipped(container(100, slots, name), at), at)

    keys = [key_slot(), key_slot()]
    corpus.add("broken-then-good", broken(keys, 0, "b1"), BAD, 0, "damaged")
    corpus.add("good-then-broken", broken(keys, 1, "b2"), OK, 100, "")
    costs = [pass_slot(passes=2), pass_slot(passes=1)]
    corpus.add("cheap-good-behind", broken(costs, 0, "b3"), OK, 100, "", PASS)
    corpus.add("cheap-broken-behind", broken(costs, 1, "b4"), BAD, 0, "damaged", PASS)

    others = [pass_slot(OTHER_PASSPHRASE) for _ in range(7)]
    seven = container(100, others[:6] + [pass_slot()], "seven")
    corpus.add("seven-passphrases", seven, OK, 100, "", PASS)
    for name, slots in (
        ("eight-passphrases", others + [pass_slot(passes=2)]),
        ("fourteen-passphrases", others + others + [pass_slot(passes=2)]),
    ):
        corpus.add(name, container(100, slots, name, units=2), LIMIT, 0, "more than 7", PASS)
    many = [strange_key_slot(i) for i in range(500)] + [key_slot()]
    corpus.add("five-hundred-keys", container(100, many, "many", units=63), OK, 100, "")


def hostile_costs(corpus):
    good = container(100, [pass_slot()], "hostile")
    for passes, mem_kib, status in (
        (0, 8, WRONG_KEY),
        (1, 0, WRONG_KEY),
        (1, 7, WRONG_KEY),
        (1, (1 << 20) + 1, LIMIT),
        (17, 1 << 20, LIMIT),
        (1, 0xFFFFFFFF, LIMIT),
        (0xFFFFFFFF, 8, LIMIT),
        (0xFFFFFFFF, 0xFFFFFFFF, LIMIT),
        (1 << 16, 1 << 16, LIMIT),
        (1 << 31, 1 << 31, LIMIT),
        (1 << 20, 1 << 12, LIMIT),
    ):
        bad = mended(patched(good, SLOT + 4, struct.pack("<II", passes, mem_kib)), SLOT)
        name = f"cost-{passes}-{mem_kib}"
        corpus.add(name, bad, status, 0, "slot" if status == WRONG_KEY else "", PASS)
    # The limit is for all slots together, not for each.
    slots = [pass_slot(OTHER_PASSPHRASE) for _ in range(7)]
    bad = container(100, slots, "sum")
    for i in range(7):
        at = SLOT + 128 * i
        bad = mended(patched(bad, at + 4, struct.pack("<II", 160, 1024)), at)
    corpus.add("cost-in-sum", bad, LIMIT, 0, "GiB", PASS + " --max-kdf-work 1")


# The payload.


def released_by(length):
    """How much comes out of a payload cut to length bytes, when none of its chunks is the last."""
    whole, rest = divmod(length, SEALED)
    return CHUNK * (whole if rest else max(0, whole - 1))


def payload_cuts(corpus):
    for name, length in (("short", 2 * CHUNK + 4000), ("full", 3 * CHUNK)):
        good = container(length, [key_slot()], "payload " + name)
        corpus.add("good-" + name, good, OK, length, "")
        end = len(good) - HEADER
        edges = [i * SEALED + d for i in range(4) for d in (-17, -16, -15, -1, 0, 1, 15, 16, 17)]
        edges += [CHUNK // 2, end - 1, end - 15, end - 16, end - 17]
        for cut in sorted({edge for edge in edges if 0 <= edge < end}):
            bad = good[: HEADER + cut]
            message = "truncated" if cut % SEALED == 0 else "cut short"
            corpus.add(f"cut-{name}-{cut:05}", bad, BAD, released_by(cut), message)


def payload_flips(corpus):
    good = container(2 * CHUNK + 4000, [key_slot()], "flips")
    for i in range(3):
        sealed = chunk(good, i)
        for at in (0, 1, 15, 16, 100, len(sealed) // 2, len(sealed) - 17, *range(-16, 0)):
            at %= len(sealed)
            bad = flipped(good, HEADER + i * SEALED + at, 0x10)
            corpus.add(f"flip-{i}-{at:04}", bad, BAD, i * CHUNK, f"chunk {i}")
        zeroed = patched(good, HEADER + i * SEALED, bytes(len(sealed)))
        corpus.add(f"zeroed-{i}", zeroed, BAD, i * CHUNK, f"chunk {i}")
        zeroed = patched(good, HEADER + i * SEALED, bytes(len(sealed) - 16))
        corpus.add(f"zeroed-{i}-but-tag", zeroed, BAD, i * CHUNK, f"chunk {i}")
    empty = container(0, [key_slot()], "empty")
    corpus.add("good-empty", empty, OK, 0, "")
    for at in range(16):
        corpus.add(f"empty-flip-{at:02}", flipped(empty, HEADER + at), BAD, 0, "damaged")
        corpus.add(f"empty-cut-{at:02}", empty[: HEADER + at], BAD, 0, "")
    corpus.add("empty-and-byte", empty + b"x", BAD, 0, "damaged")
    corpus.add("empty-and-tag", empty + empty[HEADER:], BAD, 0, "damaged")


def payload_order(corpus):
    good = container(2 * CHUNK + 4000, [key_slot()], "order")
    head, pieces = good[:HEADER], [chunk(good, i) for i in range(3)]
    for order, released in (
        ((1, 0, 2), 0),
        ((0, 2, 1), 1),
        ((2, 1, 0), 0),
        ((1, 2), 0),
        ((0, 2), 1),
        ((2,), 0),
        ((0, 0, 1, 2), 1),
        ((0, 1, 1, 2), 2),
        ((0, 1, 2, 2), 2),
        ((0, 1, 0, 1, 2), 2),
    ):
        name = "order-" + "".join(map(str, order))
        bad = head + b"".join(pieces[i] for i in order)
        corpus.add(name, bad, BAD, released * CHUNK, f"chunk {released}")


def payload_grafts(corpus):
    length = 2 * CHUNK + 4000
    good = container(length, [key_slot()], "graft", file_key=bytes(range(32)))
    head, pieces = good[:HEADER], [chunk(good, i) for i in range(3)]
    donors = {
        "same-key": container(length, [key_slot()], "donor"),
        # Even the same file key, which no writer uses twice, helps nobody: the preamble is bound.
        "same-file-key": container(length, [key_slot()], "donor", file_key=bytes(range(32))),
    }
    for name, donor in donors.items():
        for i in range(3):
            mixed = [chunk(donor, j) if j == i else pieces[j] for j in range(3)]
            bad = head + b"".join(mixed)
            corpus.add(f"graft-{name}-{i}", bad, BAD, i * CHUNK, f"chunk {i}")
        corpus.add(f"graft-{name}-payload", head + donor[HEADER:], BAD, 0, "chunk 0")
        preamble = donor[:128] + good[128:]
        corpus.add(f"graft-{name}-preamble", preamble, WRONG_KEY, 0, "key")
        slot = patched(good, SLOT, donor[SLOT : SLOT + 128])
        corpus.add(f"graft-{name}-slot", slot, WRONG_KEY, 0, "key")


def payload_ends(corpus):
    """Data behind the last chunk, and last chunks that are none."""
    second = container(100, [key_slot()], "second container")
    for name, length in (("short", 2 * CHUNK + 4000), ("full", 3 * CHUNK), ("one", CHUNK)):
        good = container(length, [key_slot()], "ends " + name)
        count = -(-length // CHUNK)
        message = "damaged" if name == "short" else "behind the last chunk"
        for tail, data in (
            ("1", b"x"),
            ("zero", b"\0"),
            ("16", b"y" * 16),
            ("17", b"y" * 17),
            ("4096", bytes(4096)),
            ("chunk", chunk(good, count - 1)),
            ("sealed", bytes(SEALED)),
            ("container", second),
        ):
            bad = good + data
            corpus.add(f"tail-{name}-{tail}", bad, BAD, (count - 1) * CHUNK, message)
    file_key = fcref.H(None, b"hand-made", 32)
    good = container(0, [key_slot()], "hand-made", file_key=file_key)
    head = good[:HEADER]

    def sealed(*chunks):
        return head + b"".join(fcref.seal_chunk(head[:128], file_key, *c) for c in chunks)

    one, two = PLAIN[:CHUNK], PLAIN[CHUNK : 2 * CHUNK]
    bad = sealed((0, 0, one), (1, 1, b""))
    corpus.add("empty-last", bad, BAD, CHUNK, "empty")
    bad = sealed((0, 0, one), (1, 0, two))
    corpus.add("no-last", bad, BAD, CHUNK, "truncated")
    bad = sealed((0, 0, one), (1, 0, two[:100]))
    corpus.add("no-last-short", bad, BAD, CHUNK, "chunk 1")
    bad = sealed((0, 0, b""))
    corpus.add("no-last-empty", bad, BAD, 0, "chunk 0")
    bad = sealed((0, 1, one), (1, 1, two))
    corpus.add("last-twice", bad, BAD, 0, "behind the last chunk")
    bad = sealed((0, 0, one[:-1]), (1, 1, two))
    corpus.add("short-in-the-middle", bad, BAD, 0, "chunk 0")
    bad = sealed((0, 0, one), (1 << 32, 1, two))
    corpus.add("index-wrapped-32", bad, BAD, CHUNK, "chunk 1")
    bad = sealed((0, 0, one), (1, 1, two + b"x"))
    corpus.add("last-too-long", bad, BAD, CHUNK, "chunk 1")


def strangers(corpus):
    for name, data in (
        ("age", b"age-encryption.org/v1\n-> X25519 x\n"),
        ("gzip", b"\x1f\x8b\x08" + bytes(2000)),
        ("zeros", bytes(3000)),
        ("magic", b"fcrypt\n"),
        ("magic-cr", b"fcrypt\r\n" + bytes(2000)),
        ("text", b"fcrypt is a program\n" * 100),
        ("newline-first", b"\n" + container(100, [key_slot()], "shifted")),
    ):
        corpus.add("stranger-" + name, data, BAD, 0, "" if name == "magic" else "not an fcrypt")


SECTIONS = (
    preambles,
    header_cuts,
    slots_in_use,
    bystanders,
    wrong_keys,
    which_slot,
    hostile_costs,
    payload_cuts,
    payload_flips,
    payload_order,
    payload_grafts,
    payload_ends,
    strangers,
)


def make(folder):
    """Writes the corpus; returns the rows of the manifest."""
    corpus = Corpus(folder)
    for section in SECTIONS:
        section(corpus)
    corpus.finish()
    return corpus.rows


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(f"{len(make(sys.argv[1]))} cases")
