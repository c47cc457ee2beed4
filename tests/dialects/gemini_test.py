"""The tools of Gemini CLI."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from dialect_case import DialectCase


class Gemini(DialectCase):
    dialect = "gemini"

    def test_directories_come_first(self):
        text = self.succeeds("list_directory", dir_path=".")
        lines = text.splitlines()
        self.assertEqual(lines[:2], ["Directory listing for .:", "[DIR] src"])
        self.assertIn("[LINK] link_out", lines)
        self.assertIn("ten.txt", lines)

    def test_a_listing_leaves_out_what_is_ignored(self):
        text = self.succeeds("list_directory", dir_path=".", ignore=["*.txt"])
        self.assertNotIn("ten.txt", text)
        self.assertIn("(5 ignored)", text)

    def test_a_whole_file_comes_without_numbers(self):
        self.assertEqual(self.succeeds("read_file", file_path="README.md"), "# Project\n")

    def test_a_range_says_which_it_is(self):
        text = self.succeeds("read_file", file_path="ten.txt", start_line=3, end_line=4)
        self.assertIn("Showing lines 3-4 of 10 total lines.", text)
        self.assertTrue(text.endswith("---\nline 3\nline 4\n"), text)

    def test_a_long_file_is_cut_and_says_how_to_go_on(self):
        text = self.succeeds("read_file", file_path="long.txt")
        self.assertIn("Showing lines 1-2000 of 2500 total lines.", text)
        self.assertIn("start_line: 2001", text)

    def test_write_says_whether_the_file_is_new(self):
        self.assertEqual(self.succeeds("write_file", file_path="a/new.txt", content="x\n"),
                         "Successfully created and wrote to new file: a/new.txt.")
        self.assertEqual(self.succeeds("write_file", file_path="a/new.txt", content="y\n"),
                         "Successfully overwrote file: a/new.txt.")
        self.assertEqual(self.text_of("a/new.txt"), "y\n")

    def test_replace(self):
        text = self.succeeds("replace", file_path="crlf.txt", instruction="count",
                             old_string="two", new_string="2")
        self.assertIn("Successfully modified file: crlf.txt (1 replacements).", text)
        self.assertEqual(self.text_of("crlf.txt"), "one\r\n2\r\n")

    def test_replace_everywhere_only_if_it_is_said(self):
        text = self.fails("replace", "AMBIGUOUS_MATCH", file_path="twice.txt", old_string="same",
                          new_string="new")
        self.assertIn("expected 1 occurrence but found 2", text)
        self.assertIn("lines 1, 3", text)
        self.succeeds("replace", file_path="twice.txt", old_string="same", new_string="new",
                      allow_multiple=True)
        self.assertEqual(self.text_of("twice.txt"), "new\nother\nnew\n")

    def test_replace_of_nothing_makes_a_file(self):
        self.assertEqual(self.succeeds("replace", file_path="new.txt", old_string="",
                                       new_string="x\n"),
                         "Created new file: new.txt with provided content.")
        self.assertIn("[attempt_to_create_existing_file]",
                      self.fails("replace", "ALREADY_EXISTS", file_path="ten.txt", old_string="",
                                 new_string="x"))

    def test_replace_of_what_is_not_there(self):
        text = self.fails("replace", "NO_MATCH", file_path="ten.txt", old_string="absent",
                          new_string="x")
        self.assertIn("0 occurrences found for old_string in ten.txt", text)
        self.assertIn("[edit_no_occurrence_found]", text)

    def test_grep_tells_files_and_lines(self):
        for tool in ("grep_search", "search_file_content"):
            text = self.succeeds(tool, pattern="needle")
            self.assertEqual(text, 'Found 3 matches for pattern "needle" in path ".":\n---\n'
                                   "File: src/main.py\nL2:     return 'needle'\n---\n"
                                   "File: src/util/tool.py\nL1: NEEDLE = 1\nL2: needle = 2\n---\n")

    def test_grep_by_its_options(self):
        text = self.succeeds("grep_search", pattern="needle", case_sensitive=True,
                             include_pattern="tool.*", context=1)
        self.assertEqual(text, 'Found 1 match for pattern "needle" in path ".":\n---\n'
                               "File: src/util/tool.py\nL1- NEEDLE = 1\nL2: needle = 2\n---\n")
        self.assertEqual(self.succeeds("grep_search", pattern="needle", names_only=True,
                                       dir_path="src"),
                         'Found 2 files with matches for pattern "needle" in path "src":\n'
                         "src/main.py\nsrc/util/tool.py\n")
        self.assertIn("No matches found", self.succeeds("grep_search", pattern="a.c",
                                                        fixed_strings=True))

    def test_glob_tells_the_newest_first(self):
        text = self.succeeds("glob", pattern="**/*.py")
        self.assertEqual(text, 'Found 2 file(s) matching "**/*.py" within ., sorted by modification '
                               f"time (newest first):\n{self.root}/src/util/tool.py\n"
                               f"{self.root}/src/main.py\n")
        self.assertIn("No files found matching pattern", self.succeeds("glob", pattern="*.none"))

    def test_errors_have_their_codes(self):
        self.assertIn("[file_not_found]", self.fails("read_file", "NOT_FOUND", file_path="none"))
        self.assertIn("[target_is_directory]",
                      self.fails("read_file", "IS_A_DIRECTORY", file_path="src"))
        for path in ("../secret.txt", "link_out"):
            self.assertIn("[path_not_in_workspace]",
                          self.fails("read_file", "PATH_OUTSIDE_PROJECT", file_path=path))
        self.assertIn("[invalid_tool_params]",
                      self.fails("read_file", "INVALID_ARGUMENTS", file_path="a", colour="red"))

    def test_the_old_names_of_paths_are_taken(self):
        self.assertEqual(self.succeeds("read_file", absolute_path=f"{self.root}/README.md"),
                         "# Project\n")


if __name__ == "__main__":
    unittest.main()
