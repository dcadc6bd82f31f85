#!/usr/bin/env python3
"""`fcrypt hash` in turn with b2sum and openssl, on files in memory: medians, and the median of the
ratios within a round.

Few long files, many, and many small ones; their digests, and lists of them checked. One long file
also by BLAKE2bp, which is another digest (bp). Contestants take turns, and the first round does not
count. cpu is user and system time.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KIB = 1024
# Name, number of files, size of each.
SCENARIOS = (
    ("1 x 1 GiB", 1, KIB ** 3),
    ("2 x 512 MiB", 2, KIB ** 3 // 2),
    ("1,000 x 1 MiB", 1000, KIB ** 2),
    ("10,000 x 4 KiB", 10000, 4 * KIB),
)


def measure(argv):
    """Seconds by the wall, and of CPU."""
    before = os.times()
    begin = time.perf_counter()
    subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - begin
    after = os.times()
    return wall, sum(after[2:4]) - sum(before[2:4])


def make_files(folder, count, size):
    names = [os.path.join(folder, f"{i:05}") for i in range(count)]
    for name in names:
        with open(name, "wb") as f:
            for at in range(0, size, KIB ** 2):
                f.write(os.urandom(min(size - at, KIB ** 2)))
    return names


def contest(title, contestants, runs):
    """contestants: (name, argv), the first of which is what the others are compared with."""
    rounds = [[measure(argv) for _, argv in contestants] for _ in range(runs + 1)][1:]
    for i, (name, _) in enumerate(contestants):
        wall = sorted(r[i][0] for r in rounds)
        cpu = statistics.median(r[i][1] for r in rounds)
        ratio = statistics.median(r[0][0] / r[i][0] for r in rounds)
        print(f"{title:20} {name:14} {1e3 * statistics.median(wall):9.1f} {1e3 * wall[0]:9.1f} "
              f"{1e3 * cpu:9.1f} {ratio:8.2f}", flush=True)
    print()


def fcrypts(args, name, operands):
    """Contestants for each number of threads."""
    found = []
    for n in args.threads:
        command = [args.fcrypt, "hash", "-T", n, *operands]
        found.append((f"{name} -T {n}", command))
        if args.plain:
            found.append((f"plain -T {n}", ["prlimit", "--nofile=64", *command]))
    return found


def run_scenario(args, folder, title, count, size):
    names = make_files(folder, count, size)
    sums = os.path.join(folder, "list")
    with open(sums, "wb") as f:
        subprocess.run(["b2sum", *names], stdout=f, check=True)
    digests = [("b2sum", ["b2sum", *names])]
    if shutil.which("openssl") is not None:
        digests.append(("openssl", ["openssl", "dgst", "-blake2b512", *names]))
    digests += fcrypts(args, "fcrypt", names)
    if count == 1:
        digests += fcrypts(args, "fcrypt bp", ["--algorithm", "blake2bp", *names])
    contest(title, digests, args.runs)
    checks = [("b2sum", ["b2sum", "-c", sums])] + fcrypts(args, "fcrypt", ["-c", sums])
    contest(title + " -c", checks, args.runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fcrypt", default=os.path.join(HERE, "../build/cmd/fcrypt"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--threads", default="1,2", type=lambda text: text.split(","))
    parser.add_argument("--plain", action="store_true",
                        help="also with too few descriptors for io_uring: plain system calls")
    parser.add_argument("--filter", default="", help="only scenarios whose name contains this")
    parser.add_argument("--dir", default=os.environ.get("TMPDIR", "/dev/shm"))
    args = parser.parse_args()
    if shutil.which("b2sum") is None:
        sys.exit("hash.py: there is no b2sum to compare with")
    print(f"{'scenario':20} {'tool':14} {'ms':>9} {'min':>9} {'cpu ms':>9} {'x b2sum':>8}\n")
    for title, count, size in SCENARIOS:
        if args.filter in title:
            with tempfile.TemporaryDirectory(dir=args.dir) as folder:
                run_scenario(args, folder, title, count, size)


main()
