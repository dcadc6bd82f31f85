#!/usr/bin/env python3
"""LUKS2 headers between cryptsetup and the library, both ways.

    luks2_cryptsetup.py PROBE

Needs no device mapper: cryptsetup reads and writes headers in files. Exit status 77 without it.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

UUID = "01234567-89ab-4cde-8f01-23456789abcd"
CHEAP = ("--pbkdf-force-iterations", "4", "--pbkdf-memory", "64", "--pbkdf-parallel", "1")
PBKDF2 = ("--pbkdf", "pbkdf2", "--pbkdf-force-iterations", "1000")


def run(*arguments, stdin=b"", status=0):
    done = subprocess.run(arguments, input=stdin, capture_output=True)
    if done.returncode != status:
        sys.exit(f"{arguments}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def cryptsetup(*arguments, **more):
    return run("cryptsetup", "--batch-mode", "--disable-external-tokens", *arguments, **more)


def expect(what, holds):
    if not holds:
        sys.exit(what)


def volume_key(image, passphrase):
    """What cryptsetup says the volume key is, in hex."""
    dump = cryptsetup("luksDump", "--dump-volume-key", "--key-file", "-", image, stdin=passphrase)
    return re.sub(r"\s", "", dump.split("MK dump:")[1])


def formatted_here(probe, image, key_len, sector_len, data_offset, label, uuid):
    """An image that the library formats, as cryptsetup sees it."""
    arguments = (str(key_len), str(sector_len), str(data_offset), label, uuid)
    run(probe, "format", image, "the passphrase", *arguments)
    cryptsetup("isLuks", "--type", "luks2", image)
    cryptsetup("open", "--test-passphrase", image, stdin=b"the passphrase")
    cryptsetup("open", "--test-passphrase", image, stdin=b"The passphrase", status=2)
    meta = json.loads(cryptsetup("luksDump", "--dump-json-metadata", image))
    segment = meta["segments"]["0"]
    expect("sector size", segment["sector_size"] == sector_len)
    expect("offset", segment["offset"] == str(data_offset))
    expect("key size", meta["keyslots"]["0"]["key_size"] == key_len)
    dump = cryptsetup("luksDump", image)
    expect("label", re.search(r"^Label: +\t(.*)$", dump, re.M)[1] == (label or "(no label)"))
    expect("UUID", not uuid or uuid in dump)
    opened = run(probe, "open", image, "-1", "the passphrase")
    expect("volume key", opened == f"slot 0: {volume_key(image, b'the passphrase')}\n")
    if data_offset >= 1 << 20:  # else there is no place for a second slot
        changed_there(probe, image)


def changed_there(probe, image):
    """cryptsetup adds a slot to the image and takes the first one out."""
    new = image + ".new"
    with open(new, "wb") as f:
        f.write(b"another one")
    cryptsetup("luksAddKey", *PBKDF2, image, new, stdin=b"the passphrase")
    cryptsetup("luksKillSlot", image, "0")
    opened = run(probe, "open", image, "-1", "another one")
    expect("volume key", opened == f"slot 1: {volume_key(image, b'another one')}\n")
    run(probe, "open", image, "-1", "the passphrase", status=3)
    cryptsetup("repair", image)


def formatted_there(probe, image, options):
    """An image that cryptsetup formats, as the library sees it."""
    with open(image, "wb") as f:
        f.truncate(32 << 20)
    cryptsetup("luksFormat", "--type", "luks2", *options, image, "-", stdin=b"the passphrase")
    cryptsetup("token", "add", "--key-description", "x", "--key-slot", "0", image)
    opened = run(probe, "open", image, "-1", "the passphrase")
    expect("volume key", opened == f"slot 0: {volume_key(image, b'the passphrase')}\n")
    shown = run(probe, "show", image)
    expect("supported", "unsupported" not in shown)
    expect("token", "tokens: 1" in shown)
    run(probe, "open", image, "-1", "the passphrase\n", status=3)


HERE = (
    (64, 4096, 16 << 20, "", ""),
    (64, 512, 290816, "a label", UUID),
    (32, 1024, 163840, "forty-seven bytes, as many as there may be: ---", ""),
    (32, 2048, 1 << 30, "\N{GREEK SMALL LETTER ALPHA}", UUID.upper()),
)

THERE = (
    ("--pbkdf", "argon2id", *CHEAP),
    ("--pbkdf", "argon2i", *CHEAP, "--hash", "sha512", "--sector-size", "2048"),
    (*PBKDF2, "--hash", "sha512", "--key-size", "256", "--luks2-metadata-size", "64k"),
    (*PBKDF2, "--luks2-metadata-size", "4m", "--luks2-keyslots-size", "2m", "--label", "x"),
    (*PBKDF2, "--keyslot-cipher", "aes-xts-plain64", "--keyslot-key-size", "256"),
)


def main():
    if shutil.which("cryptsetup") is None:
        print("cryptsetup is not installed")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        image = os.path.join(folder, "image")
        for options in HERE:
            formatted_here(sys.argv[1], image, *options)
        for options in THERE:
            formatted_there(sys.argv[1], image, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
