"""A small project, a dialect to work on it in, and a way to say what is expected."""

import os
import pathlib
import shutil
import tempfile
import unittest

import schema_check
import support

FILES = {
    "README.md": "# Project\n",
    "ten.txt": "".join(f"line {n}\n" for n in range(1, 11)),
    "twice.txt": "same\nother\nsame\n",
    "crlf.txt": "one\r\ntwo\r\n",
    "long.txt": "".join(f"row {n}\n" for n in range(1, 2501)),
    "src/main.py": "def main():\n    return 'needle'\n",
    "src/util/tool.py": "NEEDLE = 1\nneedle = 2\n",
    ".hidden": "hidden\n",
    "empty.txt": "",
}
IMAGE = bytes.fromhex("89504e470d0a1a0a0000000d49484452")


class DialectCase(unittest.TestCase):
    dialect = ""
    maxDiff = None

    def setUp(self):
        self.base = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-dialect-")))
        self.addCleanup(shutil.rmtree, self.base)
        self.root = self.base / "root"
        for number, (name, content) in enumerate(FILES.items()):
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
            os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
        (self.root / "image.png").write_bytes(IMAGE)
        (self.base / "secret.txt").write_text("SECRET\n")
        (self.root / "link_out").symlink_to("../secret.txt")
        self.session = support.Session(self.base, self.root, self.dialect)
        self.addCleanup(self.session.__exit__)
        self.schemas = {tool["name"]: tool["outputSchema"]
                        for tool in support.declarations(self.dialect)}

    def call(self, tool, **arguments):
        """A call's answer; whatever it is, it tells nothing from outside."""
        answer = self.session.call(tool, arguments)
        self.assertNotIn("SECRET", str(answer))
        self.assertNotIn(str(self.base / "secret.txt"), str(answer))
        if answer["success"]:
            self.assertEqual(schema_check.faults(self.schemas[tool], answer["data"]), [])
        return answer

    def succeeds(self, tool, **arguments):
        answer = self.call(tool, **arguments)
        self.assertTrue(answer["success"], answer)
        return answer["text"]

    def fails(self, tool, code, **arguments):
        answer = self.call(tool, **arguments)
        self.assertFalse(answer["success"], answer)
        self.assertEqual(answer["error"]["code"], code, answer)
        return answer["text"]

    def text_of(self, name):
        return (self.root / name).read_bytes().decode()
