#!/usr/bin/env python3
"""Holds fcref.py to RFC 8452 and to the example of fcrypt.5, and the golden containers to both."""

import hashlib
import os
import re
import tempfile
import unittest

import fcref
import make_golden

HERE = os.path.dirname(os.path.abspath(__file__))
GOLDEN = os.path.join(HERE, "golden")
MAN = os.path.join(HERE, "..", "..", "man", "fcrypt.5")


class GcmSiv(unittest.TestCase):
    """RFC 8452, appendix C: key, nonce, additional data, plaintext, result."""

    VECTORS = [
        (
            "01000000000000000000000000000000",
            "030000000000000000000000",
            "",
            "0100000000000000",
            "b5d839330ac7b786578782fff6013b815b287c22493a364c",
        ),
        (
            "00000000000000000000000000000000" "00000000000000000000000000000000",
            "000000000000000000000000",
            "",
            "000000000000000000000000000000004db923dc793ee6497c76dcc03a98e108",
            "f3f80f2cf0cb2dd9c5984fcda908456cc537703b5ba70324a6793a7bf218d3ea"
            "ffffffff000000000000000000000000",
        ),
    ]

    def test_vectors(self):
        for vector in self.VECTORS:
            key, nonce, ad, plaintext, sealed = map(bytes.fromhex, vector)
            self.assertEqual(fcref.gcmsiv_seal(key, nonce, plaintext, ad), sealed)
            self.assertEqual(fcref.gcmsiv_open(key, nonce, sealed, ad), plaintext)
            self.assertIsNone(fcref.gcmsiv_open(key, nonce, sealed[:-1] + b"\1", ad))


class ManPage(unittest.TestCase):
    """The example of fcrypt.5: every number in it, in order."""

    def test_example(self):
        secret, file_key = bytes(range(32)), bytes(range(32, 64))
        file_salt, salt = bytes(range(64, 96)), bytes(range(96, 112))
        text = b"hello, world\n"
        preamble = fcref.build_preamble(file_key, file_salt, 1, 13)
        f = fcref.make_kek(fcref.KEY_FILE, None, secret, salt, 0, 0)
        slot = fcref.build_slot(preamble, file_key, f, fcref.KEY_FILE, salt)
        payload_key, base = fcref.payload_keys(preamble, file_key)
        sealed = fcref.seal_payload(preamble, file_key, text)
        container = preamble + slot + bytes(768) + sealed
        a = fcref.argon2id(b"correct horse", salt, 1, 8192)
        both = fcref.make_kek(fcref.BOTH, b"correct horse", secret, salt, 1, 8192)
        second = fcref.build_preamble(file_key, file_salt, 2, 13)
        expected = [
            *(preamble, f, *fcref.slot_keys(f, preamble, slot), slot),
            *(payload_key, base, fcref.chunk_nonce(base, 0, True), sealed),
            fcref.H(None, container, 32),
            *(a, fcref.build_slot(preamble, file_key, a, fcref.PASSPHRASE, salt, 1, 8192)),
            *(both, fcref.build_slot(preamble, file_key, both, fcref.BOTH, salt, 1, 8192)),
            *fcref.payload_keys(second, file_key),
            fcref.seal_payload(second, file_key, text),
        ]
        with open(MAN, encoding="utf-8") as file:
            man = file.read()
        blocks = re.findall(r"\.Bd -literal\n(.*?)\.Ed", man, re.DOTALL)
        self.assertEqual(blocks[0].replace("\\e\n", ""), fcref.key_file_text(secret))
        numbers = [number for block in blocks[1:] for number in block.split("\n\n")]
        self.assertEqual([bytes.fromhex(number) for number in numbers], expected)
        self.assertEqual(fcref.decrypt(container, secret=secret), text)


class Golden(unittest.TestCase):
    def test_decrypt(self):
        with open(os.path.join(GOLDEN, "manifest.tsv"), encoding="ascii") as file:
            lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        for name, key, passphrase, length, digest in lines:
            with self.subTest(name=name, key=key, passphrase=passphrase):
                secret = None
                if key != "-":
                    with open(os.path.join(GOLDEN, key), "rb") as file:
                        secret = fcref.parse_key_file(file.read())
                with open(os.path.join(GOLDEN, name), "rb") as file:
                    container = file.read()
                plaintext = fcref.decrypt(
                    container, passphrase.encode() if passphrase != "-" else None, secret
                )
                self.assertEqual(len(plaintext), int(length))
                self.assertEqual(hashlib.blake2b(plaintext).hexdigest(), digest)
                self.assertEqual(plaintext, make_golden.plaintext(int(length)))

    def test_reproducible(self):
        with tempfile.TemporaryDirectory() as folder:
            make_golden.main(folder)
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as made:
                    with open(os.path.join(GOLDEN, name), "rb") as kept:
                        self.assertEqual(made.read(), kept.read(), name)


if __name__ == "__main__":
    unittest.main()
