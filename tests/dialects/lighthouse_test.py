"""The tools of Lighthouse, and those of Lace."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from dialect_case import DialectCase


class Lighthouse(DialectCase):
    dialect = "lighthouse"

    def test_read(self):
        self.assertEqual(self.succeeds("read", path="README.md"), "# Project\n")
        self.assertEqual(self.succeeds("read", path="ten.txt", offset=10),
                         "[Lines 10-10 of 10. To read on: offset 11]\nline 10\n")

    def test_write_edit_delete(self):
        self.succeeds("write", path="new/a.txt", content="old\n")
        self.succeeds("edit", path="new/a.txt", old_string="old", new_string="new")
        self.assertEqual(self.text_of("new/a.txt"), "new\n")
        self.succeeds("delete", path="new/a.txt")
        self.assertFalse((self.root / "new/a.txt").exists())

    def test_glob_and_grep(self):
        self.assertEqual(self.succeeds("glob", pattern="**/*.py").split(),
                         ["src/util/tool.py", "src/main.py"])
        self.assertIn("src/main.py", self.succeeds("grep", pattern="needle", include="*.py"))

    def test_errors_have_the_codes_of_its_documents(self):
        for path in ("../secret.txt", "link_out", "/etc/passwd"):
            for tool, more in (("read", {}), ("write", {"content": "x"}), ("delete", {}),
                               ("edit", {"old_string": "a", "new_string": "b"})):
                if (tool, path) == ("delete", "link_out"):
                    continue  # deletes the link itself
                text = self.fails(tool, "PATH_OUTSIDE_PROJECT", path=path, **more)
                self.assertTrue(text.endswith("[PATH_OUTSIDE_PROJECT]"), text)
        self.fails("edit", "AMBIGUOUS_MATCH", path="twice.txt", old_string="same", new_string="x")


class Lace(DialectCase):
    dialect = "lace"

    def test_file_write(self):
        self.assertEqual(self.succeeds("file_write", path="a/b.txt", content="four"),
                         "Successfully wrote 4 bytes to a/b.txt")

    def test_file_edit(self):
        text = self.succeeds("file_edit", path="crlf.txt", old_text="two", new_text="2")
        self.assertIn("Successfully edited crlf.txt", text)
        self.assertEqual(self.text_of("crlf.txt"), "one\r\n2\r\n")
        self.assertIn("No exact matches found",
                      self.fails("file_edit", "NO_MATCH", path="ten.txt", old_text="absent",
                                 new_text="x"))
        self.assertIn("Found 2 matches",
                      self.fails("file_edit", "AMBIGUOUS_MATCH", path="twice.txt", old_text="same",
                                 new_text="x"))

    def test_file_insert(self):
        self.assertIn("Successfully inserted lines 2-2 into twice.txt",
                      self.succeeds("file_insert", path="twice.txt", line=1, content="new"))
        self.succeeds("file_insert", path="twice.txt", content="last")
        self.assertEqual(self.text_of("twice.txt"), "same\nnew\nother\nsame\nlast\n")

    def test_errors(self):
        self.assertIn("File not found", self.fails("file_edit", "NOT_FOUND", path="none",
                                                   old_text="a", new_text="b"))
        self.fails("file_write", "PATH_OUTSIDE_PROJECT", path="/etc/x", content="x")
        self.fails("file_write", "INVALID_ARGUMENTS", path="x")


if __name__ == "__main__":
    unittest.main()
