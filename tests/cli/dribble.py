"""Awkward neighbours in a pipe, for pipes.bats.

dribble.py write FILE STEP     writes FILE to stdout STEP bytes at a time, with pauses
dribble.py read STEP           copies stdin to stdout STEP bytes at a time, with pauses
dribble.py nonblock COMMAND... runs COMMAND with non-blocking pipes on stdin and stdout, between
                               this command's own stdin and stdout
"""

import os
import subprocess
import sys
import threading
import time

PAUSES = 40  # in all, of 2 ms each: a test stays short however long its file


def copy(fd, step):
    n = 0
    while piece := os.read(fd, step):
        if n % 50 == 0 and n < 50 * PAUSES:
            time.sleep(0.002)
        n += 1
        os.write(1, piece)


def write(name, step):
    copy(os.open(name, os.O_RDONLY), int(step))


def read(step):
    copy(0, int(step))


def nonblock(*command):
    in_r, in_w = os.pipe()
    out_r, out_w = os.pipe()
    os.set_blocking(in_r, False)
    os.set_blocking(out_w, False)
    child = subprocess.Popen(command, stdin=in_r, stdout=out_w)
    os.close(in_r)
    os.close(out_w)

    def feed():
        while chunk := os.read(0, 5000):
            time.sleep(0.0005)
            os.write(in_w, chunk)
        os.close(in_w)

    threading.Thread(target=feed).start()
    time.sleep(0.05)
    while chunk := os.read(out_r, 5000):
        os.write(1, chunk)
    sys.exit(child.wait())


{"write": write, "read": read, "nonblock": nonblock}[sys.argv[1]](*sys.argv[2:])
