#!/usr/bin/env python3
"""Analyses every function of every C file below folders, and says how many pct can do.

A function is *analysed*, *partial* (a limit was hit, and the result says so), *refused* (pct says why), or *crashed*
(a panic, a signal, an unknown exit code, no JSON, or over the hard limit). Every crash is shown with the command that
repeats it, and makes the exit code 1. Only the standard library of Python is needed.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

HARD_SECONDS = 60
HARD_KILOBYTES = 8 * 1024 * 1024

# The head of a definition, for files that do not parse: a name, parameters, perhaps K&R declarations, and a brace.
DEFINITION = re.compile(
    r"^(?:[A-Za-z_][\w\s*]*?\b)?([A-Za-z_]\w*)\s*\([^;{}]*\)\s*(?:[A-Za-z_][^(){}=]*;\s*)*\{", re.MULTILINE
)
KEYWORDS = {"if", "while", "for", "switch", "return", "sizeof", "do", "else"}


def main():
    options = arguments()
    flags = shlex.split(options.flags.read_text(), comments=True) if options.flags else []
    if options.std:
        flags += ["--std", options.std]
    files = sorted(file for folder in options.folders for file in c_files(folder))
    if not files:
        sys.exit("there is no C file below " + ", ".join(map(str, options.folders)))
    runner = Runner(options.pct, flags, options.limit)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [job for listed in pool.map(runner.list_functions, files) for job in listed]
        outcomes = []
        for outcome in pool.map(lambda job: job if isinstance(job, Outcome) else runner.analyze(*job), jobs):
            outcomes.append(outcome)
            if sys.stderr.isatty():
                print(f"\r{len(outcomes)}/{len(jobs)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    if options.details:
        options.details.write_text("".join(f"{outcome.row()}\n" for outcome in outcomes))
    print(tally(files, outcomes))
    return 1 if any(outcome.kind == "crashed" for outcome in outcomes) else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, help="folders with C files, or C files")
    parser.add_argument("--pct", default="target/release/pct", help="the program (default: %(default)s)")
    parser.add_argument("--std", help="the language, passed through to pct")
    parser.add_argument("--flags", type=pathlib.Path, help="a file with more options for pct, such as -I and -D")
    parser.add_argument("--limit", default="20", help="seconds for one function (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="functions at a time (default: the cores)")
    parser.add_argument("--details", type=pathlib.Path, help="write one line for each function to this file")
    return parser.parse_args()


def c_files(folder):
    return [folder] if folder.is_file() else [file for file in folder.rglob("*.[ci]") if file.is_file()]


class Outcome:
    """What became of one function."""

    def __init__(self, kind, file, function, seconds, reason="", command=()):
        self.kind, self.file, self.function = kind, file, function
        self.seconds, self.reason, self.command = seconds, reason, command

    def row(self):
        return "\t".join([self.kind, f"{self.seconds:.1f}", str(self.file), self.function, self.reason])


class Runner:
    """Runs pct, with hard limits around it."""

    def __init__(self, pct, flags, limit):
        self.pct, self.flags, self.limit = pct, flags, limit

    def list_functions(self, file):
        """The pairs (file, function) to analyse; or outcomes, if the file cannot be read."""
        command = [self.pct, "functions", str(file), *self.flags, "--json"]
        run = Run(command)
        if run.code == 0:
            try:
                return [(file, function["name"]) for function in json.loads(run.stdout)]
            except (ValueError, KeyError, TypeError):
                return [Outcome("crashed", file, "-", run.seconds, "no JSON", command)]
        if run.code in (2, 3, 4) and run.reason():
            names = definitions(file) or ["-"]
            return [Outcome("refused", file, name, 0.0, run.reason(), command) for name in names]
        return [Outcome("crashed", file, "-", run.seconds, run.end(), command)]

    def analyze(self, file, function):
        command = [self.pct, "analyze", str(file), "-f", function, "--points", "statements", "--limit", self.limit]
        command += ["--json", "--jobs", "1", *self.flags]
        run = Run(command)

        def outcome(kind, reason=""):
            return Outcome(kind, file, function, run.seconds, reason, command)

        if run.code in (0, 1):
            try:
                summary = json.loads(run.stdout)["summary"]
            except (ValueError, KeyError, TypeError):
                return outcome("crashed", "no JSON")
            return outcome("partial", f"limit of {summary['limit']}") if summary["partial"] else outcome("analysed")
        if run.code in (2, 3, 4) and run.reason():
            return outcome("refused", run.reason())
        return outcome("crashed", run.end())


class Run:
    """One run of a command."""

    def __init__(self, command):
        started = time.monotonic()
        # The shell sets the limit, so that it holds in the child alone.
        limited = ["sh", "-c", f'ulimit -v {HARD_KILOBYTES}; exec "$@"', "sh", *command]
        child = subprocess.Popen(
            limited, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
        try:
            self.stdout, stderr = child.communicate(timeout=HARD_SECONDS)
            self.code = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            self.stdout, stderr = child.communicate()
            self.code = None
        self.stderr = stderr.decode(errors="replace")
        self.seconds = time.monotonic() - started

    def reason(self):
        """The message of an error; it may be wrapped."""
        words, inside = [], False
        for line in self.stderr.splitlines():
            if line.startswith("  × "):
                words, inside = [line[4:].strip()], True
            elif inside and line.startswith("  │ "):
                words.append(line[4:].strip())
            else:
                inside = False
        return " ".join(words)

    def end(self):
        """How a run ended that should have ended otherwise."""
        if self.code is None:
            return f"over the hard limit of {HARD_SECONDS} s"
        if self.code < 0:
            return f"signal {signal.Signals(-self.code).name}"
        panic = re.search(r"panicked at .*(?:\n.*)?", self.stderr)
        return f"exit code {self.code}" + (": " + " ".join(panic.group().split()) if panic else "")


def definitions(file):
    """The names of the functions that a file seems to define."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read_text(errors="replace"), flags=re.DOTALL)
    return [name for name in DEFINITION.findall(text) if name not in KEYWORDS]


def tally(files, outcomes):
    count = collections.Counter(outcome.kind for outcome in outcomes)
    total = max(len(outcomes), 1)
    lines = [f"{len(outcomes)} functions in {len(files)} files"]
    for kind in ("analysed", "partial", "refused", "crashed"):
        lines.append(f"  {kind:9} {count[kind]:5}  {100 * count[kind] / total:5.1f} %")
    for kind in ("partial", "refused"):
        lines += by_reason(kind, [outcome for outcome in outcomes if outcome.kind == kind])
    crashes = [outcome for outcome in outcomes if outcome.kind == "crashed"]
    if crashes:
        lines += ["", "crashed:"]
        lines += [f"  {crash.reason}\n         {shlex.join(crash.command)}" for crash in crashes]
    slowest = sorted(outcomes, key=lambda outcome: -outcome.seconds)[:5]
    lines += ["", "slowest:"]
    lines += [f"  {outcome.seconds:5.1f} s  {outcome.file} {outcome.function}: {outcome.kind}" for outcome in slowest]
    return "\n".join(lines)


def by_reason(kind, outcomes):
    """How often each reason, with one example; names in backquotes do not make a difference."""
    groups = collections.defaultdict(list)
    for outcome in outcomes:
        groups[re.sub(r"`[^`]*`", "`…`", outcome.reason)].append(outcome)
    if not groups:
        return []
    lines = ["", f"{kind}:"]
    for reason, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        example = group[0]
        lines += [f"  {len(group):4}  {reason}", f"        {example.file} {example.function}"]
    return lines


if __name__ == "__main__":
    sys.exit(main())
