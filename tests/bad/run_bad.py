#!/usr/bin/env python3
"""Tries the command on every malformed container of make_bad.py.

    FCRYPT=path/to/fcrypt run_bad.py

Each is decrypted to stdout and to a file; the many with a fault in the header, which stops both
alike, one way in turn. Checked: the status; exactly the verified beginning of the plaintext on
stdout; one error line, with the expected piece of text, beside notes about slots; no output file
and no temporary one; all of it in seconds; inputs unchanged.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True

import make_bad  # noqa: E402

LINE = re.compile(r"(fcrypt|hint): .+")
NOTE = re.compile(r": slot \d+ (is|repeats) ")
HEADER_FAULT = re.compile(r"(header|preamble|slot)-")
SECONDS = 10


def faults_of_messages(row, text):
    """What is wrong with what stderr said."""
    name, _, status, _, message = row
    lines = text.splitlines()
    for line in lines:
        if not LINE.fullmatch(line):
            yield f"stray line: {line!r}"
    said = [line for line in lines if line.startswith("fcrypt: ")]
    errors = [line for line in said if not NOTE.search(line)]
    if any(not line.startswith(f"fcrypt: {name}: ") for line in said):
        yield "a message does not name the file"
    if message not in " ".join(said):
        yield f"no {message!r} in {text!r}"
    if status == "0" and errors:
        yield f"an error line with status 0: {errors}"
    if status != "0" and len(errors) != 1 and not (errors == [] and "-t" in row[1]):
        yield f"{len(errors)} error lines: {text!r}"


class Runner:
    def __init__(self, command, folder):
        self.command = command
        self.folder = folder
        self.out = os.path.join(folder, "out")
        os.mkdir(self.out)
        with open(os.path.join(folder, "plain"), "rb") as f:
            self.plain = f.read()

    def run(self, row, *output):
        name, options = row[:2]
        argv = [self.command, "dec", "-T", "1", *options.split(), *output, "--", name]
        return subprocess.run(
            argv,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
        )

    def faults(self, i, row):
        """All that is wrong with what the command does to row i of the manifest."""
        in_turn = HEADER_FAULT.match(row[0])
        try:
            if "-t" in row[1]:
                yield from self.faults_on_stdout(row)
                return
            if not in_turn or i % 2 == 0:
                yield from self.faults_on_stdout(row, "-c")
            if not in_turn or i % 2 == 1:
                yield from self.faults_in_file(row)
        except subprocess.TimeoutExpired:
            yield "takes too long"

    def faults_of_run(self, row, done):
        if done.returncode != int(row[2]):
            yield f"status {done.returncode}, expected {row[2]}"
        yield from faults_of_messages(row, done.stderr.decode())

    def faults_on_stdout(self, row, *output):
        done = self.run(row, *output)
        yield from self.faults_of_run(row, done)
        if done.stdout != self.plain[: int(row[3])]:
            yield f"{len(done.stdout)} bytes on stdout, expected {row[3]}"

    def faults_in_file(self, row):
        target = os.path.join(self.out, row[0])
        done = self.run(row, "-o", target)
        yield from self.faults_of_run(row, done)
        if done.stdout:
            yield "with -o: bytes on stdout"
        if not os.path.exists(target):
            if row[2] == "0":
                yield "with -o: no file"
            return
        with open(target, "rb") as f:
            if row[2] != "0" or f.read() != self.plain[: int(row[3])]:
                yield "with -o: a file that should not be so"
        os.unlink(target)


def digest(folder):
    """Names and contents of all files in the folder."""
    h = hashlib.blake2b()
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            with open(path, "rb") as f:
                h.update(b"%d %s\0%s" % (os.path.getsize(path), name.encode(), f.read()))
    return h.digest()


def main():
    command = os.path.abspath(os.environ["FCRYPT"])
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        rows = make_bad.make(folder)
        before = digest(folder)
        runner = Runner(command, folder)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = pool.map(lambda i, row: list(runner.faults(i, row)), range(len(rows)), rows)
            for row, faults in zip(rows, found):
                for fault in faults:
                    print(f"{row[0]} ({row[1]}): {fault}")
                failed += bool(faults)
        left = os.listdir(runner.out)
        if left:
            print(f"left behind: {left}")
        if digest(folder) != before:
            print("the corpus was changed")
            failed += 1
        print(f"{len(rows)} cases, {failed} failed")
    sys.exit(bool(failed or left))


main()
