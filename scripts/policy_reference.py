#!/usr/bin/env python3
"""Writes the tables of docs/policy.md as the program declares its configuration.

Usage: policy_reference.py CORDON [--check]; with --check nothing is written, and the status is 1 if the
document says something else than `cordon config reference`.
"""

import difflib
import pathlib
import subprocess
import sys

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "policy.md"
BEGIN = "<!-- Made by `make reference` from src/policy/config_schema.cc. -->\n"
END = "<!-- The end of what is made. -->\n"


def renewed(text, reference):
    """`text` with the tables of now; what is outside of the marks stays as it is."""
    for mark in (BEGIN, END):
        if text.count(mark) != 1:
            sys.exit(f"{DOCUMENT}: the line {mark.strip()!r} must stand in it once")
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + reference + "\n" + END + rest.split(END)[1]


def main():
    arguments = [one for one in sys.argv[1:] if one != "--check"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    reference = subprocess.run([arguments[0], "config", "reference"], check=True, capture_output=True,
                               text=True).stdout
    old = DOCUMENT.read_text(encoding="utf-8")
    new = renewed(old, reference)
    if "--check" not in sys.argv:
        DOCUMENT.write_text(new, encoding="utf-8")
    elif old != new:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True),
                                                   "docs/policy.md", "cordon config reference"))
        sys.exit("docs/policy.md is stale: run 'make reference'")


if __name__ == "__main__":
    main()
