#!/usr/bin/env python3
"""Sources stay small: warns beyond 300 lines, fails beyond 400.

Usage: check_size.py [TREE]
"""

import pathlib
import sys

WARN, FAIL = 300, 400


def main(arguments):
    default = pathlib.Path(__file__).resolve().parent.parent
    tree = pathlib.Path(arguments[0]) if arguments else default
    failed = False
    for folder in ("include", "src"):
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix not in {".h", ".cc"}:
                continue
            with open(path, "rb") as file:
                lines = sum(1 for _ in file)
            if lines > WARN:
                word = "error" if lines > FAIL else "warning"
                failed |= lines > FAIL
                print(f"{path.relative_to(tree)}: {word}: {lines} lines (aim at {WARN}, at most {FAIL})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
