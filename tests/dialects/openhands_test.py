"""The editor of OpenHands."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from dialect_case import DialectCase

TOOL = "str_replace_editor"


class OpenHands(DialectCase):
    dialect = "openhands"

    def test_view_numbers_lines_as_cat_does(self):
        self.assertEqual(self.succeeds(TOOL, command="view", path="src/main.py"),
                         "Here's the result of running `cat -n` on src/main.py:\n"
                         "     1\tdef main():\n     2\t    return 'needle'\n")

    def test_view_of_a_range(self):
        for last in (10, -1):
            self.assertEqual(self.succeeds(TOOL, command="view", path="ten.txt",
                                           view_range=[9, last]),
                             "Here's the result of running `cat -n` on ten.txt:\n"
                             "     9\tline 9\n    10\tline 10\n")
        self.fails(TOOL, "INVALID_ARGUMENTS", command="view", path="ten.txt", view_range=[1])

    def test_view_of_a_directory_goes_two_levels_deep(self):
        text = self.succeeds(TOOL, command="view", path=".")
        self.assertIn("up to 2 levels deep in ., excluding hidden items:", text)
        lines = text.splitlines()
        self.assertIn(f"{self.root}/src/util/", lines)
        self.assertIn(f"{self.root}/src/main.py", lines)
        self.assertNotIn(f"{self.root}/src/util/tool.py", lines)
        self.assertNotIn(f"{self.root}/.hidden", lines)

    def test_create_never_overwrites(self):
        self.assertEqual(self.succeeds(TOOL, command="create", path="new.txt", file_text="x\n"),
                         "File created successfully at: new.txt")
        text = self.fails(TOOL, "ALREADY_EXISTS", command="create", path="new.txt", file_text="y")
        self.assertIn("`create` does not overwrite", text)
        self.assertEqual(self.text_of("new.txt"), "x\n")
        self.assertIn('"file_text" must be given',
                      self.fails(TOOL, "INVALID_ARGUMENTS", command="create", path="b.txt"))

    def test_str_replace_shows_four_lines_around(self):
        text = self.succeeds(TOOL, command="str_replace", path="ten.txt", old_str="line 6",
                             new_str="six")
        self.assertTrue(text.startswith("The file ten.txt has been edited."), text)
        snippet = [line for line in text.splitlines() if "\t" in line]
        self.assertEqual(snippet, ["     2\tline 2", "     3\tline 3", "     4\tline 4",
                                   "     5\tline 5", "     6\tsix", "     7\tline 7",
                                   "     8\tline 8", "     9\tline 9", "    10\tline 10"])

    def test_str_replace_without_a_new_text_removes(self):
        self.succeeds(TOOL, command="str_replace", path="ten.txt", old_str="line 6\n")
        self.assertNotIn("line 6", self.text_of("ten.txt"))

    def test_str_replace_must_be_unique(self):
        self.assertIn("in lines [1, 3]",
                      self.fails(TOOL, "AMBIGUOUS_MATCH", command="str_replace", path="twice.txt",
                                 old_str="same", new_str="x"))
        self.assertIn("did not appear verbatim",
                      self.fails(TOOL, "NO_MATCH", command="str_replace", path="twice.txt",
                                 old_str="absent", new_str="x"))

    def test_insert(self):
        text = self.succeeds(TOOL, command="insert", path="ten.txt", insert_line=0, new_str="zero")
        self.assertIn("     1\tzero\n     2\tline 1\n", text)
        self.fails(TOOL, "INVALID_ARGUMENTS", command="insert", path="ten.txt", insert_line=99,
                   new_str="x")

    def test_undo_edit_takes_back_the_last_change_of_the_file(self):
        self.succeeds(TOOL, command="str_replace", path="ten.txt", old_str="line 6", new_str="six")
        self.succeeds(TOOL, command="insert", path="twice.txt", insert_line=1, new_str="x")
        self.assertEqual(self.succeeds(TOOL, command="undo_edit", path="ten.txt"),
                         "Last edit to ten.txt undone successfully.")
        self.assertIn("line 6", self.text_of("ten.txt"))
        self.assertEqual(self.text_of("twice.txt"), "same\nx\nother\nsame\n")
        self.fails(TOOL, "NOT_FOUND", command="undo_edit", path="ten.txt")

    def test_errors(self):
        self.assertIn("Invalid `path` parameter",
                      self.fails(TOOL, "NOT_FOUND", command="view", path="none"))
        self.fails(TOOL, "PATH_OUTSIDE_PROJECT", command="view", path="link_out")
        self.fails(TOOL, "PATH_OUTSIDE_PROJECT", command="create", path="../x", file_text="x")
        self.fails(TOOL, "INVALID_ARGUMENTS", command="format", path="ten.txt")


if __name__ == "__main__":
    unittest.main()
