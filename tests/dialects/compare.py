#!/usr/bin/env python3
"""Shows where the dialect mcp-filesystem and the recording differ: for whoever changes one."""

import functools
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support
import transcript


@functools.lru_cache
def replay():
    with tempfile.TemporaryDirectory(prefix="cordon-replay-") as scratch:
        base = pathlib.Path(os.path.realpath(scratch))
        tree = base / "tree"
        (tree / "root").mkdir(parents=True)
        with support.Session(base, tree / "root", "mcp-filesystem") as session:
            return transcript.play(
                tree, lambda tool, given: support.as_content(session.call(tool, given)))


if __name__ == "__main__":
    for real, ours in zip(transcript.load()["calls"], replay()):
        if real != ours:
            print(real["number"], real["tool"], real["arguments"])
            for key in ("content", "isError", "changes"):
                if real[key] != ours[key]:
                    print(f"  {key}\n    real {real[key]}\n    ours {ours[key]}")
