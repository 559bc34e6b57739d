#!/usr/bin/env python3
"""Mutates C files at random and checks that pct bears them: it analyses, or it says what is wrong.

Each mutant must end with exit code 0, 1 or 3, or with 2 if the function is no longer there; it must not panic, take
longer than 20 s, or need 4 GiB. What fails is kept with its command. The seed is printed; the mutants depend on it and
on the files alone, not on the number of jobs. Only the standard library of Python is needed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

HARD_SECONDS = 20
HARD_KILOBYTES = 4 * 1024 * 1024
LIMITS = ["--limit", "2", "--timeout", "0.5", "--max-states", "2000", "--jobs", "1"]

TOKEN = re.compile(
    rb"(?P<space>\s+|/\*.*?\*/|//[^\n]*)|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')"
    rb"|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    rb"|(?P<operator>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:,.])"
    rb"|(?P<bracket>[()\[\]{};])|(?P<other>.)",
    re.DOTALL,
)
NUMBERS = rb"0 1 2 7 8 31 32 63 64 127 128 255 256 65535 2147483647 2147483648u 4294967295u 9223372036854775807ll \
    18446744073709551615ull 18446744073709551616 0x1p3 1e308 0.5f 0b1 017 09 1i 'a' (-1) (-2147483647-1) 1000000000".split()
OPERATORS = rb"+ - * / % & | ^ ~ ! < > <= >= == != && || << >> = += -= *= /= %= &= |= ^= <<= >>= ++ -- ? : , . ->".split()
WORDS = rb"""int char short long unsigned signed float double _Bool void struct union enum const volatile static extern
    register inline return if else while do for switch case default break continue goto sizeof typedef _Static_assert
    _Generic _Alignof __typeof__ __int128 __attribute__((packed)) (int*) (char) *& &* [0] [1] [] ->next .x (void*)0 NULL
    assert assume abort exit malloc free memcpy main ; { } ( ) /*""".split()
# What can often stand for one another.
BINARY = rb"+ - * / % & | ^ < > <= >= == != && || << >>".split()
ASSIGNING = rb"= += -= *= /= %= &= |= ^= <<= >>=".split()
TYPES = rb"int char short long unsigned float double _Bool int8_t uint8_t int16_t uint16_t int32_t uint32_t size_t".split()
LEAVING = rb"break continue return".split()
KEYWORDS = rb"""if else while do for switch case default goto sizeof typedef struct union enum const volatile static extern
    register inline void include define ifdef ifndef endif undef""".split()
BLOCKS = [b"(", b"{", b"[", b"!", b"*", b"-", b"~", b"(int)", b"if (1) ", b"x + ", b"1 ? 2 : ", b";", b"\\\n", b"else "]


def main():
    options = arguments()
    seed = options.seed if options.seed is not None else int(time.time())
    print(f"SEED={seed} COUNT={options.count}", flush=True)
    # Only the names of functions are kept beside the text: what the mutants are must not depend on paths.
    sources = [source for folder in options.folders for source in read_sources(options.pct, folder)]
    if not sources:
        sys.exit("there is no C file with a function")
    options.keep.mkdir(parents=True, exist_ok=True)
    numbers = range(options.count) if options.only is None else [options.only]
    ends, failures = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for number, end, failure in pool.map(lambda n: check(options, sources, seed, n, scratch), numbers):
            ends[end] += 1
            if failure:
                failures.append(failure)
                print(failure, flush=True)
            if sys.stderr.isatty():
                print(f"\r{number}", end="", file=sys.stderr)
    print(", ".join(f"{end}: {ends[end]}" for end in sorted(ends)))
    print(f"{len(numbers)} mutants, {len(failures)} failures")
    return 1 if failures else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, help="folders with C files")
    parser.add_argument("--pct", default="target/release/pct", help="the program (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="the same seed makes the same mutants (default: the time)")
    parser.add_argument("--count", type=int, default=10_000, help="how many mutants (default: %(default)s)")
    parser.add_argument("--only", type=int, metavar="N", help="only the mutant with this number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at a time (default: the cores)")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("target/fuzz"), help="where failures are kept")
    options = parser.parse_args()
    options.folders = options.folders or [pathlib.Path("examples"), pathlib.Path("tests/corpus")]
    return options


def read_sources(pct, folder):
    """The files that define functions: path, text, names of the functions."""
    sources = []
    for file in sorted(folder.rglob("*.c")):
        listed = subprocess.run([pct, "functions", file, "--json"], capture_output=True, check=False)
        names = [function["name"] for function in json.loads(listed.stdout)] if listed.returncode == 0 else []
        if names:
            sources.append((file, file.read_bytes(), names))
    return sources


def check(options, sources, seed, number, scratch):
    """Makes a mutant and runs pct on it: its number, how that ended, and what is wrong with it, if anything."""
    chance = random.Random(f"{seed}:{number}")
    file, text, names = chance.choice(sources)
    name = chance.choice(names)
    mutant = pathlib.Path(scratch) / f"{seed}-{number}.c"
    mutant.write_bytes(mutate(chance, text, [text for _, text, _ in sources]))

    def command(path):
        return [options.pct, "analyze", str(path), "-I", str(file.parent), "-f", name, *LIMITS]

    run = Run(command(mutant))
    wrong = run.wrong(name)
    if wrong:
        kept = options.keep / mutant.name
        kept.write_bytes(mutant.read_bytes())
        kept.with_suffix(".txt").write_text(f"{wrong}\n{shlex.join(command(kept))}\n{run.stderr}")
        wrong = f"{wrong}\n  {shlex.join(command(kept))}"
    mutant.unlink()
    return number, run.end, wrong


class Run:
    """One run of pct: how it ended, how long it took, and how much memory it needed."""

    def __init__(self, command):
        started = time.monotonic()
        with tempfile.TemporaryFile() as stderr:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
            )
            self.hung = False
            timer = threading.Timer(HARD_SECONDS, self.kill, [child.pid])
            timer.start()
            # wait4 gives the peak of this child; a limit on its address space would count stacks that are never used.
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            self.code = child.returncode = os.waitstatus_to_exitcode(status)
            stderr.seek(0)
            self.stderr = stderr.read().decode(errors="replace")
        self.seconds = time.monotonic() - started
        self.kilobytes = usage.ru_maxrss
        self.end = f"exit code {self.code}" if self.code >= 0 else signal.Signals(-self.code).name

    def kill(self, group):
        self.hung = True
        os.killpg(group, signal.SIGKILL)

    def wrong(self, function):
        """What is wrong with it; `None` if nothing is."""
        if self.hung:
            return f"hang: over {HARD_SECONDS} s"
        if "panicked at" in self.stderr:
            return "panic: " + " ".join(self.stderr[self.stderr.index("panicked at") :].split())[:200]
        gone = f"there is no function `{function}`" in self.stderr or "the file defines no function" in self.stderr
        if self.code not in ((0, 1, 2, 3) if gone else (0, 1, 3)):
            return f"{self.end}: " + " ".join(self.stderr.split())[:200]
        if self.code >= 2 and not self.stderr.strip():
            return f"{self.end} without a message"
        if self.kilobytes > HARD_KILOBYTES:
            return f"memory: {self.kilobytes // 1024} MiB"
        return None


def mutate(chance, text, texts):
    """One to four changes. Most put a token of the same kind in its place, because other changes seldom get past the
    parser."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 4])):
        change = chance.choices([mutate_bytes, mutate_tokens, exchange_token], [1, 3, 8])[0]
        text = change(chance, text, texts)
    return text


def mutate_bytes(chance, text, _):
    at = chance.randrange(len(text) + 1)
    end = min(len(text), at + chance.choice([1, 1, 2, 8, 64, 500]))
    to = chance.randrange(len(text) + 1)
    byte = bytes([chance.randrange(256)])
    return chance.choice(
        [
            text[:at] + text[end:],
            text[:at] + byte + text[at:],
            text[:at] + byte + text[at + 1 :],
            text[:end] + text[at:end] + text[end:],
            text[:to] + text[at:end] + text[to:],
            text[:at],
        ]
    )


def tokens_of(text):
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)] or [("space", b" ")]


def places_of(tokens):
    return [index for index, (kind, _) in enumerate(tokens) if kind != "space"] or [0]


def mutate_tokens(chance, text, texts):
    """Takes a token away, doubles it, or puts others beside it."""
    tokens = tokens_of(text)
    words = [word for _, word in tokens]
    places = places_of(tokens)
    at, other = chance.choice(places), chance.choice(places)
    # A stretch may come from another file.
    others = tokens if chance.random() < 0.5 else tokens_of(chance.choice(texts))
    start = chance.randrange(len(others))
    stretch = b"".join(word for _, word in others[start : start + chance.choice([3, 10, 40])])
    repeated = chance.choice(BLOCKS) * chance.choice([10, 300, 5_000])
    words[at] = chance.choice(
        [
            b"",
            words[at] + b" " + words[at],
            words[other],
            chance.choice(WORDS),
            words[at] + b" " + chance.choice(WORDS + OPERATORS + NUMBERS) + b" ",
            words[at] + b" " + stretch + b" ",
            repeated + words[at],
        ]
    )
    return b"".join(words)


def exchange_token(chance, text, _):
    """Puts a token of the same kind in the place of one, so that it often still is C: a number, an operator, a type, or
    a name from nearby."""
    tokens = tokens_of(text)
    words = [word for _, word in tokens]
    at = chance.choice([index for index, (kind, _) in enumerate(tokens) if kind in ("name", "number", "operator")] or [0])
    choices = NUMBERS
    for alike in (BINARY, ASSIGNING, TYPES, LEAVING):
        if words[at] in alike:
            choices = alike
    if tokens[at][0] == "name" and choices is NUMBERS:
        near = [word for kind, word in tokens[max(0, at - 80) : at + 80] if kind == "name"]
        choices = [word for word in near if word not in KEYWORDS and word not in TYPES]
    if words[at] not in KEYWORDS and (tokens[at][0] != "operator" or choices is not NUMBERS):
        words[at] = chance.choice(choices or [words[at]])
    return b"".join(words)


if __name__ == "__main__":
    sys.exit(main())
