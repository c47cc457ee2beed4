"""The POSIX cases of the boundary corpus, asked of the real binary."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest
import urllib.parse

from support import BINARY, RESOLVERS

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "boundary-cases.json"
CODES = {"escape": "PATH_OUTSIDE_PROJECT", "denylist": "PATH_DENIED", "hardlink": "PATH_DENIED",
         "noent": "NOT_FOUND", "notdir": "NOT_A_DIRECTORY", "invalid": "INVALID_PATH",
         "name": "INVALID_PATH", "loop": "INVALID_PATH", "exists": "ALREADY_EXISTS",
         "special": "NOT_A_REGULAR_FILE", "notreg": "IS_A_DIRECTORY"}


def expressible(case):
    """Mounts, folding volumes and open flags cannot be asked for on a command line."""
    return case["platform"] == "posix" and not case.get("requires") and not case.get("flags")


def carry_out(step, base, place):
    """One step of a case's setup, below `base`."""
    path = os.path.join(base, step["path"])
    if step["op"] == "dir":
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if step["op"] == "file":
        with open(path, "w", encoding="utf-8") as file:
            file.write(step["content"])
    elif step["op"] == "symlink":
        os.symlink(place(step["target"]), path)
    elif step["op"] == "hardlink":
        os.link(os.path.join(base, step["target"]), path)
    elif step["op"] == "fifo":
        os.mkfifo(path)
    elif step["op"] == "socket":
        os.mknod(path, 0o644 | stat.S_IFSOCK)
    else:
        raise ValueError(step["op"])


class Corpus(unittest.TestCase):

    def ask(self, case, base, resolver):
        root = os.path.join(base, case["root"])

        def encode(text):
            placed = text.replace("${SCRATCH}", base).replace("${ROOT}", root)
            return urllib.parse.quote(placed, safe="/")

        path = encode(case["path"])
        if case.get("path_hex"):
            path = urllib.parse.quote(bytes.fromhex(case["path_hex"]), safe="/")
        command = [BINARY, "check", "--root", root, "--profile", "strict", "--json", "--percent",
                   "--op", case["action"]]
        if case.get("to") is not None:
            command += ["--to", encode(case["to"])]
        done = subprocess.run(command + ["--", path], capture_output=True, timeout=20, check=False,
                              env={"HOME": base, "CORDON_RESOLVER": resolver})
        return done.returncode, json.loads(done.stdout)

    def build(self, case):
        base = os.path.realpath(tempfile.mkdtemp(prefix="cordon-cli-"))
        self.addCleanup(shutil.rmtree, base)
        os.mkdir(os.path.join(base, "root"))
        carry_out({"op": "file", "path": "outside/secret", "content": "SECRET"}, base, str)
        root = os.path.join(base, case["root"])
        for step in case["setup"]:
            carry_out(step, base,
                      lambda text: text.replace("${SCRATCH}", base).replace("${ROOT}", root))
        return base

    def test_every_case(self):
        asked = 0
        for case in filter(expressible, json.loads(CORPUS.read_text(encoding="utf-8"))):
            base = self.build(case)
            for resolver in RESOLVERS:
                with self.subTest(case=case["id"], resolver=resolver):
                    status, answer = self.ask(case, base, resolver)
                    asked += 1
                    self.assertEqual(status, 0 if case["expect"] == "allow" else 1, answer)
                    if status == 1:
                        self.assertEqual(answer["error"]["code"], CODES[case["kind"]], answer)
                        self.assertNotIn("SECRET", json.dumps(answer))
            self.doCleanups()
        self.assertEqual(asked, 2 * (354 - 9), "a case was lost")


if __name__ == "__main__":
    unittest.main()
