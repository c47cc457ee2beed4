#!/usr/bin/env python3
"""Each claim of docs/threat-model.md names a test that exists.

Usage: check_claims.py [TREE]
A claim is a heading "### T1. ..."; its section has a line "Tests: `name`, `name`". A name
is a test as ctest knows it (the NAME of cordon_test, cordon_script_test or add_test), a
single test as gtest knows it (`Suite.Name`), or a file below the tree. Claims are numbered
without gaps.
"""

import pathlib
import re
import sys

CLAIM = re.compile(r"^### T(\d+)\. .+$", re.MULTILINE)
TESTS = re.compile(r"^Tests: (.+?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
SINGLE = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
REGISTERED = re.compile(r"(?:cordon_test|cordon_script_test|add_test)\(\s*(?:NAME\s+)?([\w.${}-]+)")


def registered_tests(tree):
    """Names, with ${variables} turned into "anything", as patterns."""
    patterns = []
    for folder in ("src", "tests", "bench"):
        for path in sorted((tree / folder).rglob("CMakeLists.txt")):
            for name in REGISTERED.findall(path.read_text()):
                parts = re.split(r"\$\{\w+\}", name)
                if any(parts):
                    patterns.append(re.compile("[a-z0-9_-]+".join(map(re.escape, parts))))
    return patterns


def single_tests(tree):
    return {".".join(test) for folder in ("src", "tests")
            for path in (tree / folder).rglob("*_test.cc")
            for test in SINGLE.findall(path.read_text())}


def is_test(tree, patterns, singles, name):
    if "." in name and "/" not in name:
        return name in singles
    if "/" in name:
        return (tree / name).is_file()
    if name.startswith("compile_fail_"):
        return (tree / "tests/compile_fail" / (name[len("compile_fail_"):] + ".cc")).is_file()
    if name.endswith("_test") and (tree / "src" / name[:-5]).is_dir():
        return any((tree / "src" / name[:-5]).glob("*_test.cc"))
    exact = [p for p in patterns if p.fullmatch(name) and "[a-z0-9_-]+" not in p.pattern]
    if exact:
        return True
    # cli_${name} and the like: one per file "${name}.py" of some test folder.
    return any(name.endswith(path.stem) for path in (tree / "tests").rglob("*_test.py")
               if any(p.fullmatch(name) for p in patterns))


def complaints(tree):
    document = tree / "docs" / "threat-model.md"
    text = document.read_text() if document.exists() else ""
    found = list(CLAIM.finditer(text))
    if not found:
        yield f"{document}: no claims"
    patterns, singles = registered_tests(tree), single_tests(tree)
    for index, claim in enumerate(found):
        label = f"T{claim.group(1)}"
        if int(claim.group(1)) != index + 1:
            yield f"{label} stands where T{index + 1} should"
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        section = text[claim.end():end].split("\n## ")[0]
        tests = TESTS.search(section)
        names = re.findall(r"`([^`]+)`", tests.group(1)) if tests else []
        if not names:
            yield f"{label} names no test"
        for name in names:
            if not is_test(tree, patterns, singles, name):
                yield f"{label} names {name}, which is not there"


def main(arguments):
    default = pathlib.Path(__file__).resolve().parent.parent
    tree = pathlib.Path(arguments[0]) if arguments else default
    found = list(complaints(tree))
    for complaint in found:
        print(complaint)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
