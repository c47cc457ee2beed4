"""The tools of Claude Code."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from dialect_case import DialectCase


class Claude(DialectCase):
    dialect = "claude"

    def test_read_numbers_lines_as_cat_does(self):
        answer = self.call("Read", file_path="src/main.py")
        self.assertEqual(answer["text"], "     1\tdef main():\n     2\t    return 'needle'\n")
        self.assertEqual({name: answer["data"][name] for name in
                          ("filePath", "startLine", "numLines", "totalLines", "truncated")},
                         {"filePath": "src/main.py", "startLine": 1, "numLines": 2,
                          "totalLines": 2, "truncated": False})

    def test_read_from_a_line_on(self):
        answer = self.call("Read", file_path="ten.txt", offset=9, limit=1)
        self.assertEqual(answer["text"],
                         "[Lines 9-9 of 10. To read on: offset 10]\n     9\tline 9\n")
        self.assertEqual(answer["data"]["numLines"], 1)

    def test_an_image_comes_as_such(self):
        answer = self.call("Read", file_path="image.png")
        self.assertEqual([one["mimeType"] for one in answer["attachments"]], ["image/png"])

    def test_write(self):
        self.assertEqual(self.succeeds("Write", file_path="new.txt", content="x\n"),
                         "File created successfully at: new.txt")
        self.assertEqual(self.succeeds("Write", file_path="new.txt", content="y\n"),
                         "The file new.txt has been updated successfully.")
        self.assertEqual(self.text_of("new.txt"), "y\n")

    def test_edit_shows_a_snippet_and_gives_a_patch(self):
        answer = self.call("Edit", file_path="ten.txt", old_string="line 5\n",
                           new_string="five\nand more\n")
        self.assertIn("`cat -n`", answer["text"])
        self.assertIn("     4\tline 4\n     5\tfive\n     6\tand more\n     7\tline 6\n",
                      answer["text"])
        self.assertEqual(answer["data"]["structuredPatch"], [
            {"oldStart": 2, "oldLines": 7, "newStart": 2, "newLines": 8,
             "lines": [" line 2", " line 3", " line 4", "-line 5", "+five", "+and more",
                       " line 6", " line 7", " line 8"]}])

    def test_edit_of_several_places(self):
        text = self.fails("Edit", "AMBIGUOUS_MATCH", file_path="twice.txt", old_string="same",
                          new_string="new")
        self.assertIn("Found 2 matches", text)
        self.assertIn("replace_all", text)
        self.succeeds("Edit", file_path="twice.txt", old_string="same", new_string="new",
                      replace_all=True)
        self.assertEqual(self.text_of("twice.txt"), "new\nother\nnew\n")

    def test_edit_of_nothing(self):
        self.assertIn("String to replace not found in file.",
                      self.fails("Edit", "NO_MATCH", file_path="ten.txt", old_string="absent",
                                 new_string="x"))

    def test_glob(self):
        self.assertEqual(self.succeeds("Glob", pattern="**/*.py"),
                         f"{self.root}/src/util/tool.py\n{self.root}/src/main.py\n")
        self.assertEqual(self.succeeds("Glob", pattern="*.none"), "No files found")

    def test_grep_in_each_of_its_forms(self):
        self.assertEqual(self.succeeds("Grep", pattern="needle"),
                         "Found 2 files\nsrc/main.py\nsrc/util/tool.py\n")
        self.assertEqual(self.succeeds("Grep", pattern="needle", output_mode="content"),
                         "src/main.py:2:    return 'needle'\nsrc/util/tool.py:2:needle = 2\n")
        self.assertEqual(
            self.succeeds("Grep", pattern="needle", output_mode="count", **{"-i": True}),
            "src/main.py:1\nsrc/util/tool.py:2\n\nFound 3 total occurrences across 2 files.\n")
        self.assertEqual(
            self.succeeds("Grep", pattern="needle", output_mode="content", glob="tool.*",
                          **{"-B": 1}),
            "src/util/tool.py-1-NEEDLE = 1\nsrc/util/tool.py:2:needle = 2\n")
        self.assertEqual(self.succeeds("Grep", pattern="absent"), "No matches found")

    def test_grep_page_by_page(self):
        text = self.succeeds("Grep", pattern="needle", output_mode="content", head_limit=1)
        self.assertIn("src/main.py:2", text)
        self.assertIn("offset: 1 goes on", text)
        self.assertIn("tool.py:2", self.succeeds("Grep", pattern="needle", output_mode="content",
                                                 head_limit=1, offset=1))

    def test_errors(self):
        self.assertIn("File does not exist", self.fails("Read", "NOT_FOUND", file_path="none"))
        self.fails("Read", "IS_A_DIRECTORY", file_path="src")
        self.fails("Read", "PATH_OUTSIDE_PROJECT", file_path="link_out")
        self.fails("Write", "PATH_OUTSIDE_PROJECT", file_path="../new.txt", content="x")
        self.fails("Grep", "INVALID_ARGUMENTS", pattern="x", output_mode="all")


if __name__ == "__main__":
    unittest.main()
