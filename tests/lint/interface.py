#!/usr/bin/env python3
"""The commands and options that --help shows are those of the man page and of the completions.

usage: interface.py FCRYPT SOURCE_DIR

--help is printed from the tables that the parser reads. The man page is read as text; the
completions are asked by their own shells, and skipped by name where a shell is missing.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

BARE = ""  # the program without a command


def output(*argv):
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def helped(fcrypt):
    """{command: options} by --help; BARE is the program itself."""
    top = output(fcrypt, "--help")
    listed = top.split("\nCommands:\n")[1].split("\n\n")[0]
    commands = re.findall(r"^  ([a-z]+)", listed, re.M)
    texts = {BARE: top} | {c: output(fcrypt, "help", c) for c in commands}
    return {c: set(options_of_help(text)) for c, text in texts.items()}


def options_of_help(text):
    for letter, name in re.findall(r"^  (?:(-\w), |    )(--[a-z][a-z-]*)", text, re.M):
        yield name
        if letter:
            yield letter


def manual(source, commands):
    """The same, from the .Ss sections of OPTIONS: `Title (enc, dec)` or `(all commands)`."""
    text = (source / "man/fcrypt.1").read_text()
    found = {c: set() for c in commands}
    listed = re.findall(r"^\.It Cm (\w+)$", section(text, "Ss", "Commands"), re.M)
    assert set(listed) | {BARE} == set(commands), f"man page: commands {listed}"
    for part in ("\n" + section(text, "Sh", "OPTIONS")).split("\n.Ss ")[1:]:
        title = part.split("\n")[0]
        names = re.search(r"\((.*)\)", title)
        if names is None:
            of = [BARE]
        elif names[1] == "all commands":
            of = [c for c in commands if c != BARE]
        else:
            of = names[1].split(", ")
        items = re.findall(r"^\.It (Fl .*)$", part, re.M)
        options = {"-" + o for item in items for o in re.findall(r"Fl (\S+)", item)}
        for c in of:
            found[c] |= options
    return found


def section(text, macro, title):
    ends = r"\.Sh " if macro == "Sh" else r"\.S[hs] "
    return re.search(rf"^\.{macro} {title}\n(.*?)(?=^{ends}|\Z)", text, re.M | re.S)[1]


def bash(source, commands):
    script = """source "$1"; shift; COMP_WORDS=(fcrypt "$@"); COMP_CWORD=$#; _fcrypt
        printf '%s\\n' "${COMPREPLY[@]}\""""
    file = str(source / "completions/fcrypt.bash")

    def ask(*words):
        return output("bash", "-c", script, "bash", file, *words).split()

    return by_asking(commands, ask)


def fish(source, commands):
    script = 'source $argv[1]; complete -C "$argv[2]"'
    file = str(source / "completions/fcrypt.fish")

    def ask(*words):
        lines = output("fish", "--no-config", "-c", script, file, " ".join(("fcrypt",) + words))
        return [line.split("\t")[0] for line in lines.splitlines()]

    return by_asking(commands, ask)


def zsh(source, commands):
    """What _arguments is called with; zsh's own completion needs a terminal."""
    script = """_arguments() { state=$want; print -rl -- "$@" }; _describe() { print -rl -- $commands }
        want=$2 words=($3); source $1"""
    file = str(source / "completions/_fcrypt")

    def call(want, word):
        return output("zsh", "-fc", script, "zsh", file, want, word)

    top = call("command", "")
    listed = re.findall(r"^([a-z]+):", top, re.M)
    assert set(listed) == set(commands) - {BARE}, f"zsh: commands {listed}"
    of_top = set(specs(top))
    found = {c: set(specs(call("argument", c)[len(call("", "")):])) for c in commands if c != BARE}
    return found | {BARE: of_top}


def specs(text):
    return re.findall(r"^(?:\([^)]*\))?(--?[\w-]+)\[", text, re.M)


def by_asking(commands, ask):
    listed = [c for c in ask("") if not c.startswith("-")]
    assert set(listed) == set(commands) - {BARE}, f"completion: commands {listed}"
    found = {}
    for c in commands:
        words = [c] if c else []
        found[c] = {o for o in ask(*words, "-") + ask(*words, "--") if o.startswith("-")}
    return found


def main(fcrypt, source):
    source = Path(source)
    want = helped(fcrypt)
    failed = False
    for name, ask in [("man", manual), ("bash", bash), ("fish", fish), ("zsh", zsh)]:
        if name != "man" and shutil.which(name) is None:
            print(f"SKIP {name}: not installed")
            continue
        have = ask(source, list(want))
        for c in want:
            if have[c] != want[c]:
                failed = True
                print(f"FAIL {name}: fcrypt {c}: missing {sorted(want[c] - have[c])}, "
                      f"too many {sorted(have[c] - want[c])}")
    print("FAIL" if failed else "ok: " + ", ".join(c for c in want if c))
    return failed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
