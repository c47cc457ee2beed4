#!/usr/bin/env python3
"""Records what the real server answers: `record.py` writes recorded/mcp-filesystem.json."""

import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import real_server
import transcript


def record():
    with tempfile.TemporaryDirectory(prefix="cordon-record-") as scratch:
        base = pathlib.Path(os.path.realpath(scratch))
        program = real_server.install(base / "npm")
        tree = base / "tree"
        tree.mkdir()
        (tree / "root").mkdir()
        with real_server.RealServer(program, tree / "root") as server:
            return {"package": real_server.PACKAGE, "version": real_server.VERSION,
                    "tools": [transcript.visible_schema(tool) for tool in server.tools()],
                    "calls": transcript.play(tree, server.call)}


if __name__ == "__main__":
    recording = record()
    text = json.dumps(recording, indent=1, ensure_ascii=True)
    transcript.RECORDED.write_text(text + "\n", encoding="utf-8")
    print(f"{len(recording['calls'])} calls recorded")
