#!/usr/bin/env python3
"""Makes the golden containers: make_golden.py FOLDER

The same files each time.  golden/README says what they are; once released they stay as they are.
"""

import hashlib
import os
import sys

import fcref

SECRET = fcref.H(None, b"fcrypt golden key file", 32)
PASSPHRASE = b"correct horse battery staple"
KEY_FILE_NAME = "secret.key"
CIPHERS = {1: "aes256", 2: "aes128"}
CHEAP = {"passes": 1, "mem_kib": 8192}
KEY = {"kind": fcref.KEY_FILE, "secret": SECRET}
PASS = {"kind": fcref.PASSPHRASE, "passphrase": PASSPHRASE, **CHEAP}
BOTH = {"kind": fcref.BOTH, "passphrase": PASSPHRASE, "secret": SECRET, **CHEAP}
# A passphrase slot with the least costs there are, three passes for the sake of t.
LEAST = {**PASS, "passes": 3, "mem_kib": 8}
# Slots to be passed over: a kind of a later version, and one whose checksum is wrong.
UNKNOWN = {"raw": fcref.with_checksum(bytes([200]) + bytes(range(111)))}
DAMAGED = {"raw": b"\1" + bytes(127)}
FREE = {"raw": bytes(128)}


def plaintext(length):
    return bytes((i + i // 251) % 256 for i in range(length))


def containers():
    """(name, length of the plaintext, slots, credentials that open it, settings)"""
    for suite, cipher in CIPHERS.items():
        for length in (0, 1, 8191, 8192, 8193):
            yield f"{cipher}-8K-{length}-key", length, [KEY], "k", dict(suite=suite, chunk_log2=13)
        yield f"{cipher}-8K-100-pass", 100, [PASS], "p", dict(suite=suite, chunk_log2=13)
        yield f"{cipher}-8K-100-least", 100, [LEAST], "p", dict(suite=suite, chunk_log2=13)
        yield f"{cipher}-8K-100-both", 100, [BOTH], "b", dict(suite=suite, chunk_log2=13)
        yield f"{cipher}-64K-1000-both", 1000, [BOTH], "b", dict(suite=suite, chunk_log2=16)
        yield f"{cipher}-64K-65537-pass", 65537, [PASS], "p", dict(suite=suite, chunk_log2=16)
        yield f"{cipher}-1M-1000-key", 1000, [KEY], "k", dict(suite=suite, chunk_log2=20)
        slots = [UNKNOWN, PASS, FREE, DAMAGED, KEY, FREE, BOTH, FREE, FREE, LEAST]
        yield (
            f"{cipher}-8K-16385-many",
            16385,
            slots,
            "kpb",
            dict(suite=suite, chunk_log2=13, units=2),
        )


def main(folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, KEY_FILE_NAME), "w", encoding="ascii") as file:
        file.write("# the key file of the golden containers\n" + fcref.key_file_text(SECRET))
    lines = ["#file\tkey file\tpassphrase\tlength\tBLAKE2b-512 of the plaintext\n"]
    for name, length, slots, credentials, settings in containers():
        data = plaintext(length)
        container = fcref.encrypt(data, slots, random=fcref.seeded(name.encode()), **settings)
        with open(os.path.join(folder, name + ".fcrypt"), "wb") as file:
            file.write(container)
        for letter in credentials:
            key = KEY_FILE_NAME if letter in "kb" else "-"
            passphrase = PASSPHRASE.decode() if letter in "pb" else "-"
            digest = hashlib.blake2b(data).hexdigest()
            lines.append(f"{name}.fcrypt\t{key}\t{passphrase}\t{length}\t{digest}\n")
    with open(os.path.join(folder, "manifest.tsv"), "w", encoding="ascii") as file:
        file.writelines(lines)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
