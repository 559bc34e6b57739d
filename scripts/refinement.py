#!/usr/bin/env python3
"""Refines every example by the command in its header and prints a table: L/U and open states before and after.

Each gets a budget on the clock, so the figures depend on the machine. Only the standard library of Python is needed.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pct", default="target/release/pct", help="the program (default: %(default)s)")
    parser.add_argument("--budget", default="60", help="seconds for each example (default: %(default)s)")
    parser.add_argument("files", nargs="*", help="C files (default: all below examples)")
    options = parser.parse_args()
    files = options.files or sorted(str(file) for file in pathlib.Path("examples").rglob("*.c"))
    print("| function | U | L/U | open | predicates | L/U after | unreachable | shown | open after | seconds |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    failed = False
    for command in (command for file in files for command in commands(pathlib.Path(file))):
        row = refine(options, command)
        failed |= row is None
        print(row or f"| `{command}` fails |", flush=True)
    sys.exit(failed)


def commands(file):
    """The commands in the first comment of a file."""
    header = file.read_text(encoding="utf-8").split("*/")[0]
    return re.findall(r"^ \*\s+pct analyze (.*)$", header, re.MULTILINE)


def refine(options, arguments):
    """A row of the table; None if a command fails."""
    words = shlex.split(arguments)
    before = run([options.pct, "analyze", *words, "--limit", options.budget, "--json"])
    start = time.monotonic()
    after = run([options.pct, "refine", *words, "--auto", "--budget", options.budget, "--json"])
    seconds = time.monotonic() - start
    if before is None or after is None or after["defects"]:
        return None
    verdicts = [state["verdict"] for state in before["states"]]
    final = [state["verdict"] for state in after["states"]]
    upper = len(verdicts)
    cells = [
        f"{after['function']}" + (" (partial)" if before["summary"]["partial"] else ""),
        str(upper),
        f"{before['summary']['ratio']:.2f}",
        str(verdicts.count("open")),
        str(len(after["refinement"]["tracked"])),
        f"{after['summary']['ratio']:.2f}",
        str(final.count("unreachable")),
        str(len(after["witnessed"])),
        str(after["refinement"]["open"]),
        f"{seconds:.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def run(command):
    """The JSON that a command prints; None if it fails."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        print(shlex.join(command), result.stderr, file=sys.stderr)
        return None
    return json.loads(result.stdout)


if __name__ == "__main__":
    main()
