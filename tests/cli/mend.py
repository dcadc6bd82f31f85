"""mend.py FILE OFFSET HEX: overwrites header bytes and mends the checksum of their 128-byte block."""

import sys
from hashlib import blake2b

BLOCK, SUMMED = 128, 112


def main(name, offset, patch):
    offset, patch = int(offset), bytes.fromhex(patch)
    start = offset - offset % BLOCK
    with open(name, "r+b") as f:
        f.seek(start)
        block = bytearray(f.read(BLOCK))
        block[offset - start : offset - start + len(patch)] = patch
        block[SUMMED:] = blake2b(bytes(block[:SUMMED]), digest_size=BLOCK - SUMMED).digest()
        f.seek(start)
        f.write(block)


main(*sys.argv[1:])
