#!/usr/bin/env python3
"""`fcrypt hash`, also called as b2sum, beside the system's b2sum: standard output to the byte, exit
status, and messages.

usage: hash_differential.py [SEED]; FCRYPT names the binary. 77: no b2sum to compare with.

Each case runs three times: b2sum, a link named b2sum to fcrypt, and `fcrypt hash`; those of files
also where the system refuses io_uring. Cases are drawn from a generator whose seed is printed when
one differs. Some things are not compared: the reason behind "write error", of which b2sum often
has none; messages of names that are longer than a path can be, which fcrypt cuts; and how names
are quoted that have a single quote and end in a byte that cannot be printed: there b2sum's quoting
does not give the name back. Lines tagged BLAKE2bp are ours alone: b2sum takes them for BLAKE2b's.
Lines that end behind "BLAKE2b" are left out, as b2sum reads on in memory there, and has been seen
to crash.
"""
import ctypes
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from hashlib import blake2b
from pathlib import Path

FCRYPT = os.path.realpath(os.environ["FCRYPT"])
B2SUM = shutil.which("b2sum")
NAME_BYTES = b"ab- *()=#\\\n\r\t'\"$~:\x01\x7f\xc3\xa9\xff"
HEX = b"0123456789abcdef"


class Differs(Exception):
    pass


def normal(text, prefix):
    """What is said, without who says it."""
    text = text.replace(b"'%s --help'" % prefix, b"'b2sum --help'")
    lines = [b"b2sum: " + line[len(prefix) + 2:] if line.startswith(prefix + b": ") else line
             for line in text.split(b"\n")]
    return b"\n".join(b"b2sum: write error" if line.startswith(b"b2sum: write error") else line
                      for line in lines)


def refuse_uring():
    """For this process io_uring_setup (425 on all machines) fails with EPERM, if it can be told to."""
    code = ((0x20, 0, 0, 0), (0x15, 0, 1, 425), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7fff0000))
    filters = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *c) for c in code))
    program = struct.pack("@HP", len(code), ctypes.addressof(filters))
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    libc.prctl(22, 2, program)  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER


class Rig:
    """A folder with files, and the three ways to run a case in it."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.rng = random.Random(seed)
        self.link = folder.parent / "bin" / "b2sum"
        self.link.parent.mkdir()
        self.link.symlink_to(FCRYPT)
        self.ncases = 0
        self.user = []  # in front of a command: becomes somebody without rights
        self.refused = False  # also without io_uring

    def ways(self, args):
        yield B2SUM, [b"b2sum", *args], b"b2sum", "C", None
        yield self.link, [b"b2sum", *args], b"b2sum", "C.UTF-8", None
        yield FCRYPT, [b"fcrypt", b"hash", *args], b"fcrypt hash", "C", None
        if self.refused:
            yield FCRYPT, [b"fcrypt", b"hash", *args], b"fcrypt hash", "C", refuse_uring

    def run(self, way, stdin, env, stdout):
        program, argv, prefix, locale, prepare = way
        env = {"PATH": os.environ["PATH"], "LC_ALL": locale, **env}
        for name in ("FCRYPT_TIER", "ASAN_OPTIONS"):
            if name in os.environ:
                env[name] = os.environ[name]
        if self.user:
            argv = [*self.user, program, *argv[1:]]
            program = self.user[0]
        how = dict(stdin=stdin) if not isinstance(stdin, bytes) else dict(input=stdin)
        if hasattr(stdin, "seek"):
            stdin.seek(3)
        r = subprocess.run(argv, executable=program, cwd=self.folder, env=env, timeout=120,
                           stdout=stdout, stderr=subprocess.PIPE, check=False, preexec_fn=prepare,
                           **how)
        return r.returncode, r.stdout, normal(r.stderr, prefix)

    def case(self, *args, stdin=b"", env={}, stdout=subprocess.PIPE, messages=True, before=None):
        args = [a if isinstance(a, bytes) else a.encode() for a in args]
        self.ncases += 1
        want = None
        for way in self.ways(args):
            if before is not None:
                before()
            got = self.run(way, stdin, env, stdout)
            got = got if messages else got[:2]
            if want is None:
                want = got
            elif got != want:
                raise Differs(self.report(args, way, stdin, want, got))

    def report(self, args, way, stdin, want, got):
        text = [f"b2sum {args!r}, by {way[1][0]!r}, {way[4]}", f"stdin: {stdin!r:.3000}"]
        for what, w, g in zip(("status", "stdout", "stderr"), want, got):
            if w != g:
                text += [f"{what}, b2sum:  {w!r:.3000}", f"{what}, fcrypt: {g!r:.3000}"]
        for a in args:
            file = self.folder.joinpath(os.fsdecode(a)) if a and b"\0" not in a else None
            if file and len(a) < 256 and file.is_file() and file.name.startswith("list"):
                text.append(f"{file.name}: {file.read_bytes()!r:.6000}")
        return "\n".join(text)

    # What cases are made of.

    def write(self, name, data):
        with open(os.path.join(os.fsencode(self.folder), os.fsencode(name)), "wb") as f:
            f.write(data)

    def odd_name(self):
        while True:
            n = self.rng.choice((1, 2, 3, 5, 8, 20))
            name = bytes(self.rng.choice(NAME_BYTES) for _ in range(n))
            if name not in (b"-",) and not (b"'" in name and not 32 <= name[-1] < 127):
                return name


def digest(data, bits=512):
    return blake2b(data, digest_size=bits // 8).hexdigest().encode()


def option_cases(rig):
    """Options in all manners of writing, combined, between operands."""
    rig.write("a", b"abc")
    rig.write("b", b"")
    (rig.folder / "d").mkdir()
    rig.write("list", digest(b"abc") + b"  a\n" + digest(b"") + b"  missing\njunk\n")
    words = """-b -t -c -z -w -l -x -bz -tb -cw -bx -bl256 -l256 -l0 -l7 -l520 -l-8 -lx -l8x -l=8
        -l0x10 -l010 -l18446744073709551616 -l18446744073709551608 -l9x'y --tag --ignore-missing
        --quiet --status --strict --binary --text --check --zero --warn --length --length=
        --length=64 --len=8 --l=+16 --bin --te --ta --ch --ze --war --ign --q --str --stat --s --st
        --nonsense --nonsense=1 --warn=1 --st=1 -- - a b list d no""".split()
    words += ["-l 8", "-la\\b\n\xff"]
    words = [os.fsencode(w) for w in words]
    for one in words:
        rig.case(one, "a")
        rig.case("-c", one, "list")
    for _ in range(300):
        args = rig.rng.choices(words, k=rig.rng.randint(2, 6))
        env = {"POSIXLY_CORRECT": "1"} if rig.rng.random() < 0.2 else {}
        rig.case(*args, rig.rng.choice(("a", "list", "b")), env=env, stdin=b"abc")


def file_cases(rig):
    """Files of many sizes with odd names, and what is no plain file."""
    rng = rig.rng
    rig.refused = True
    names = {rig.odd_name() for _ in range(150)}
    names |= {b"a" * 255, b"\n" * 255, b"\\" * 255, b" x", b"-x", b"x\\", b"new\nline", b"c\rr",
              b"d" * 64 + b"  x"}
    names = [n for n in sorted(names) if not (rig.folder / os.fsdecode(n)).exists()]
    sizes = [0, 1, 127, 128, 129, 4095, 4096, 65536, 262143, 262144, 262145, 524288, 5 << 20]
    for i, name in enumerate(names):
        rig.write(name, rng.randbytes(sizes[i] if i < len(sizes) else rng.randint(0, 3000)))
    (rig.folder / "broken").symlink_to("nowhere")
    (rig.folder / "to_a").symlink_to("a")
    (rig.folder / "loop").symlink_to("loop")
    others = [b"d", b"broken", b"to_a", b"loop", b"no\nfile", b"a/x", b"", b"a" * 256, b"-",
              b"/dev/null", b"/proc/self/status/", b"/proc/version", b"./a", b"d/../a", b"-"]
    for options in ([], ["-b"], ["--tag"], ["-z"], ["-bz"], ["--tag", "-z"], ["-l8"], ["-l", "264"],
                    ["--tag", "-l256"], ["--tag", "-l512"]):
        files = names + others + rng.choices(names, k=5)
        rng.shuffle(files)
        rig.case(*options, "--", *files, stdin=rng.randbytes(1000))
    for _ in range(60):
        rig.case("--", *rng.choices([rig.odd_name() for _ in range(30)] + names + others, k=20))
    # A list of all that, checked.
    for options in ([], ["-b"], ["--tag"], ["-l8"], ["--tag", "-l", "24"]):
        r = subprocess.run([B2SUM, *options, "--", *names], cwd=rig.folder, capture_output=True,
                           check=True)
        rig.write("list", r.stdout)
        rig.case("-c", "list")
        rig.case("-c", stdin=r.stdout.replace(b"\n", b"\r\n"))
        rig.case("-c", "-w", stdin=r.stdout.replace(b"0", b"1"))
    rig.refused = False


def stream_cases(rig):
    """Standard input of every kind, FIFOs, closed and full outputs."""
    rig.case()
    rig.case("-", "-", stdin=b"x" * 300000)
    rig.case("-b", "-", stdin=b"x")
    rig.case("--tag", stdin=b"x")
    with open(rig.folder / "a", "rb") as f:
        rig.case("-", "a", "-", stdin=f)
        rig.case("-c", stdin=f)
    fd = os.open(rig.folder / "d", os.O_RDONLY)
    rig.case(stdin=fd)
    rig.case("-c", stdin=fd)
    rig.case("-c", "d", "a", "no")
    os.close(fd)
    os.mkfifo(rig.folder / "fifo")

    def feed():
        threading.Thread(target=lambda: rig.write("fifo", b"y" * 200000), daemon=True).start()

    rig.case("fifo", before=feed)
    rig.case("-c", "-w", stdin=digest(b"y" * 200000, 32) + b"  fifo\n", before=feed)
    with open("/dev/full", "wb") as full:
        for args in (["a"], ["a", "a"], ["--help"], ["--version"], ["-c", "list2"]):
            rig.write("list2", digest(b"abc") + b"  a\n")
            rig.case(*args, stdout=full)
        rig.case("-c", "--status", "list2", stdout=full)
        rig.case("d", stdout=full)


def is_safe(line):
    return not re.search(rb"BLAKE2b\r?$", line, re.M)


def random_line(rig, files):
    """A line of a list: mostly good, mostly changed somewhere."""
    rng = rig.rng
    name = rng.choice(list(files))
    bits = rng.choice((8, 8, 16, 64, 256, 512))
    value = digest(files[name], bits)
    if rng.random() < 0.15:
        # Without quotes: a change may make it end in anything.
        odd = rig.odd_name().replace(b"'", b"+")
        name = rng.choice((odd, b"missing", b"d", b"-", b" a", b"*a", b"", b"\\", b"a\\", b"a\\x"))
    if rng.random() < 0.1:
        value = digest(b"other", bits)
    if rng.random() < 0.1:
        value = value.upper()
    mark = b"" if rng.random() < 0.85 else b"\\"
    if mark and rng.random() < 0.8:
        name = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    if rng.random() < 0.35:
        said = [b"", b"-512", b"-0", b"-7", b"-520", b"-0x40", b"-0100", b"-+8", b"- 8", b"--8",
                b"-8x", b"-", b"8"]
        opened = [b"(", b"  (", b"\t(", b" "]
        closed = [b")=", b")\t=\t", b") == ", b")", b" = ", b")) = "]
        line = mark + b"BLAKE2b" + rng.choice([b"-%d" % bits] * 6 + said)
        line += rng.choice([b" ("] * 6 + opened) + name + rng.choice([b") = "] * 6 + closed) + value
    else:
        between = [b" *", b" ", b"\t", b"\t\t", b"", b" \t", b"   ", b"**"]
        line = mark + value + rng.choice([b"  "] * 8 + between) + name
    for _ in range(rng.choice((0, 0, 0, 0, 0, 0, 1, 1, 2))):
        at = rng.randint(0, len(line))
        line = rng.choice((
            line[:at] + line[at + 1:],
            line[:at] + bytes([rng.choice(b"\0 \t\\*()=-#0aBg\r\v\xef")]) + line[at:],
            line[:at],
            rng.choice((b" ", b"\t", b"  ", b"\\", b"#", b"\xef\xbb\xbf ")) + line,
            line + rng.choice((b" ", b"\r", b"\r\r", b"\0", b")", b"0", b"\\")),
            line[:at] + line[at:at + 1].upper() + line[at + 1:],
        ))
    if rng.random() < 0.05:
        line = rng.choice((b"", b"#", b" ", b"# comment", b"\r", b"\0", b"junk", value, b"\\"))
    return line if is_safe(line) else b"BLAKE2"


def list_cases(rig):
    """Lists of random lines, with every manner of telling about them."""
    rng = rig.rng
    files = {b"a": b"abc", b"b": b"", b"new\nline": b"1", b"x)": b"2", b" x": b"3", b"*y": b"4",
             b"c\rr": b"5", b"b\\s": b"6", b"x = y": b"7"}
    for name, data in files.items():
        rig.write(name, data)
    options = ["-w", "--warn", "--strict", "--quiet", "--status", "--ignore-missing", "-l8",
               "--length=512"]
    for _ in range(250):
        lists = []
        for i in range(rng.choice((1, 1, 1, 2, 3))):
            lines = [random_line(rig, files) for _ in range(rng.choice((0, 1, 1, 2, 3, 10, 100)))]
            # A mark in front of a list is one of the few things that b2sum does not take.
            text = b"\n".join(lines) + rng.choice((b"\n", b"\n", b""))
            lists.append(text.replace(b"\xef\xbb\xbf", b"", 1) if text[:1] == b"\xef" else text)
            rig.write(f"list{i}", lists[-1])
        how = rng.sample(options, rng.choice((0, 1, 1, 2, 3)))
        if rng.random() < 0.7:
            how = ["-w", *how]
        rig.case("-c", *how, *(f"list{i}" for i in range(len(lists))))
        rig.case("-c", *how, stdin=lists[0])
    # Every single change of a line, all of them in one list, behind lines of either order.
    good = [digest(b"abc", 16) + b"  a", b"BLAKE2b-16 (a) = " + digest(b"abc", 16),
            b"\\" + digest(b"1", 8) + b" *new\\nline"]
    for first in (b"", digest(b"abc", 8) + b"  a\n", digest(b"abc", 8) + b" a\n"):
        for line in good:
            changed = [line[:i] + bytes([c]) + line[i + cut:] for i in range(len(line) + 1)
                       for cut in (0, 1) for c in b"\0\t\r !#()*-0=A\\n"]
            cut = [line[:i] for i in range(len(line) + 1)]
            rig.case("-c", "-w", stdin=first + b"\n".join(filter(is_safe, changed)))
            rig.case("-c", "-w", stdin=first + b"\r\n".join(filter(is_safe, cut)))


def large_cases(rig):
    """Long lines; a million lines, in memory that does not grow with them."""
    value = digest(b"abc", 8)
    for size in (4096, 65535, 65536, 65537, 1 << 20):
        good = b"\n" + value + b"  a\n"
        rig.case("-c", "-w", stdin=value + b"  " + b"x" * size + good, messages=False)
        rig.case("-c", "-w", stdin=b"x" * size + good)
        rig.case("-c", "-w", stdin=value + b"  a\0" + b"x" * size + good)
        rig.case("-c", "-w", stdin=b"BLAKE2b-8 (" + b"/" * size + b") = " + value, messages=False)
    rig.case("-c", "-w", stdin=b"\n".join(b"%d" % i for i in range(5000)))
    block = value + b"  a\n" + (value + b"\n# comment\n\nmalformed\n") * 250
    rig.write("list", block * 1000)
    rig.case("-c", "list")
    used = [memory_used(rig, block, times) for times in (100, 1000)]
    if used[1] > used[0] + 4096:
        raise Differs(f"KiB used for a hundred thousand and a million lines: {used}")


def memory_used(rig, block, times):
    """The most that fcrypt had in memory, in KiB, when it was given a block so many times."""
    with subprocess.Popen([rig.link, "-c", "--status"], cwd=rig.folder, stdin=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as p:
        for _ in range(times):
            p.stdin.write(block)
        p.stdin.flush()
        status = Path(f"/proc/{p.pid}/status").read_text()
        p.stdin.close()
    return int(re.search(r"VmHWM:\s*(\d+) kB", status)[1])


def denied_cases(rig):
    """Files and folders without permission."""
    rig.write("closed", b"x")
    (rig.folder / "closed").chmod(0)
    (rig.folder / "shut").mkdir(mode=0)
    for folder in (rig.folder, *rig.folder.parents[:1]):
        folder.chmod(0o755)
    if os.getuid() == 0:
        setpriv = shutil.which("setpriv") or "/bin/false"
        rig.user = [setpriv, "--reuid=65534", "--clear-groups", "--"]
    usable = [*rig.user, FCRYPT, "--version"]
    if subprocess.run(usable, capture_output=True, cwd="/", check=False).returncode != 0:
        print("SKIP permissions: cannot become a user without rights here")
    else:
        rig.case("a", "closed", "shut", "shut/x", "a", messages=not rig.user)
        text = b"%s  closed\n%s  a\n%s  shut/x\n" % (digest(b"x"), digest(b"abc"), digest(b""))
        rig.case("-c", stdin=text, messages=not rig.user)
        rig.case("-c", "--ignore-missing", stdin=text, messages=not rig.user)
        rig.case("-c", "closed", messages=not rig.user)
    rig.user = []


def main(seed):
    if B2SUM is None or b"coreutils) 9.1\n" not in subprocess.check_output([B2SUM, "--version"]):
        print("SKIP: no b2sum of GNU coreutils 9.1")
        return 77
    with tempfile.TemporaryDirectory() as upper:
        folder = Path(upper) / "files"
        folder.mkdir()
        rig = Rig(folder, seed)
        try:
            for cases in (option_cases, file_cases, stream_cases, list_cases, large_cases,
                          denied_cases):
                cases(rig)
        except Differs as e:
            print(f"seed {seed}, case {rig.ncases}: {e}")
            return 1
    print(f"{rig.ncases} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)))
