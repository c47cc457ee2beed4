#!/usr/bin/env python3
"""clang-tidy, but not twice on the same: what it has passed is remembered for every clone.

Usage, as CMake calls it: tidy_once.py CLANG_TIDY [OPTION...] SOURCE -- COMPILER ARGUMENT...
Remembers, below $XDG_CACHE_HOME/cordon-tidy, a hash of all that the answer depends on: the tool, its
options and configuration, and the source with everything it includes, comments too. Only silence is
remembered: whatever has something to say is run again. CORDON_TIDY_CACHE=off runs it always.
"""

import hashlib
import os
import pathlib
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parent.parent


def preprocessed(compiler):
    """The source as the compiler sees it, without where the tree is; None if that fails."""
    drop_next, arguments = False, []
    for argument in compiler:
        if drop_next:
            drop_next = False
        elif argument in ("-o", "-MF", "-MT", "-MQ"):
            drop_next = True
        elif argument not in ("-c", "-MD", "-MMD"):
            arguments.append(argument)
    run = subprocess.run([*arguments, "-E", "-CC", "-dD", "-dI"], capture_output=True, check=False)
    return run.stdout.replace(os.fsencode(TREE), b".") if run.returncode == 0 else None


def key_of(tidy, compiler):
    source = preprocessed(compiler)
    if source is None:
        return None
    version = subprocess.run([tidy[0], "--version"], capture_output=True, check=False).stdout
    parts = [version, source, *(os.fsencode(word).replace(os.fsencode(TREE), b".")
                                for word in (*tidy, *compiler))]
    parts.append((TREE / ".clang-tidy").read_bytes())
    sums = hashlib.sha256()
    for part in parts:
        sums.update(hashlib.sha256(part).digest())
    return sums.hexdigest()


def main():
    words = sys.argv[1:]
    at = words.index("--")
    tidy, compiler = words[:at], words[at + 1:]
    mark = None
    if os.environ.get("CORDON_TIDY_CACHE") != "off" and (key := key_of(tidy, compiler)):
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        mark = pathlib.Path(cache) / "cordon-tidy" / key[:2] / key
        if mark.exists():
            return 0
    run = subprocess.run(words, capture_output=True, check=False)
    sys.stdout.buffer.write(run.stdout)
    sys.stderr.buffer.write(run.stderr)
    if mark and run.returncode == 0 and not run.stdout.strip():
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
