"""The command line itself: help, version, mistakes."""

import os
import re
import shutil
import subprocess
import unittest

from support import BINARY, World


class Usage(World):

    def assert_usage_error(self, *arguments, says=""):
        answer = self.run_cordon(*arguments)
        self.assertEqual(answer.status, 2, answer)
        self.assertEqual(answer.out, b"")
        self.assertTrue(answer.errors.startswith("cordon: "), answer)
        self.assertIn(says, answer.errors)
        return answer

    def test_version(self):
        answer = self.run_cordon("--version")
        self.assertEqual(answer.status, 0)
        self.assertRegex(answer.text, r"^cordon \d+\.\d+\.\d+(\+\d+\.g[0-9a-f]+)?\n$")

    def test_help_has_examples_and_statuses(self):
        answer = self.run_cordon("--help")
        self.assertEqual(answer.status, 0)
        for word in ("check", "why", "config", "audit", "Examples:", "Exit status:", "CORDON_RESOLVER"):
            self.assertIn(word, answer.text)
        self.assertEqual(answer.err, b"")

    def commands(self):
        """The words of every command that has a manual page, so: of all."""
        pages = [line.split("\t") for line in self.run_cordon("manual", "--list").text.splitlines()]
        self.assertIn(["cordon-sandbox-exec", "cordon sandbox exec"], pages)
        return [(page, words.split()[1:]) for page, words in pages]

    def test_help_of_every_subcommand_has_an_example(self):
        commands = self.commands()
        self.assertGreater(len(commands), 40)
        for _, words in commands:
            with self.subTest(command=" ".join(words)):
                answer = self.run_cordon(*words, "--help")
                self.assertEqual(answer.status, 0, answer)
                self.assertIn("Usage:", answer.text)
                self.assertRegex(answer.text, r"(?m)^ *Examples?:\n +\S")
                # One of its own, not its parent's.
                example = answer.text.split("Example")[1]
                self.assertIn(" ".join(["cordon", *words]), example)

    def test_every_subcommand_has_a_manual_page_with_all_its_options(self):
        for page, words in self.commands():
            with self.subTest(page=page):
                text = self.run_cordon("manual", page).text
                shown = text.replace("\\-", "-")
                for option in re.findall(r"(?m)^ +(?:-\w,)?(--[\w-]+)", self.run_cordon(*words, "--help").text):
                    self.assertIn(option, shown)
                for heading in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO"):
                    self.assertIn(f".SH {heading}\n", text)
                if shutil.which("man"):
                    done = subprocess.run(
                        ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "-"],
                        input=text.encode(), capture_output=True,
                        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
        answer = self.run_cordon("manual", "cordon-none")
        self.assertEqual(answer.status, 2)
        self.assertIn("cordon manual --list", answer.errors)

    def test_help_names_the_flags(self):
        text = self.run_cordon("check", "--help").text
        for flag in ("--root", "--op", "--to", "--profile", "--config", "--deny", "--allow-read",
                     "--json", "--percent"):
            self.assertIn(flag, text)

    def test_mistakes(self):
        self.assert_usage_error(says="subcommand")
        self.assert_usage_error("chekc", says="chekc")
        self.assert_usage_error("config", says="subcommand")
        self.assert_usage_error("check", says="PATH")
        self.assert_usage_error("why", says="PATH")
        self.assert_usage_error("check", "--bogus", "x", says="--bogus")
        self.assert_usage_error("check", "x", "y", says="y")
        self.assert_usage_error("check", "x", "--root", says="--root")
        self.assert_usage_error("check", "x", "--op", "fly", says="read, write, create")
        self.assert_usage_error("why", "x", "--op", "fly", says="read, write, create")
        self.assert_usage_error("check", "x", "--profile", "lax", says="strict, interactive")
        self.assert_usage_error("check", "x", "--to", "y", says="--op rename")
        self.assert_usage_error("check", "x", "--deny", "", says="--deny")

    def test_mistakes_come_with_a_hint(self):
        self.assertIn("'cordon check --help'",
                      self.assert_usage_error("check", "--bogus", "x").errors)
        self.assertIn("'cordon --help'", self.assert_usage_error().errors)

    def test_a_program_that_asked_for_json_gets_json(self):
        for arguments in (("check", "--json"), ("check", "--json", "--bogus", "x"),
                          ("check", "--json", "x", "--op", "fly"), ("nonsense", "--json")):
            with self.subTest(arguments=arguments):
                answer = self.run_cordon(*arguments)
                self.assertEqual(answer.status, 2, answer)
                self.assertEqual(answer.err, b"")
                self.assertIs(answer.json["success"], False)
                self.assertEqual(answer.json["error"]["code"], "INVALID_ARGUMENTS")
                self.assert_error_shape(answer.json["error"])

    def test_a_path_named_like_a_subcommand(self):
        (self.w / "why").write_text("x")
        for command in ("check", "why"):
            answer = self.run_cordon(command, "--root", self.w, "why")
            self.assertEqual(answer.status, 0, answer)

    def test_an_output_that_cannot_be_written_is_never_allowed(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([BINARY, "check", "--root", self.w, "src/main.cc"], stdout=full,
                                  stderr=subprocess.PIPE, env=self.environment, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(b"could not be written", done.stderr)


class Resolver(World):

    def test_each_can_be_chosen(self):
        for resolver in ("openat2", "walk"):
            _, result = self.check_json("read", "src/main.cc", CORDON_RESOLVER=resolver)
            self.assertEqual(result["data"]["resolver"], resolver)

    def test_anything_else_is_an_error_that_says_what_is_right(self):
        for value in ("auto", "OPENAT2", "\x1b[31m", "walk "):
            for arguments in (("check", "x"), ("why", "x"), ("config", "show")):
                with self.subTest(value=value, arguments=arguments):
                    answer = self.run_cordon(*arguments, "--root", self.w, CORDON_RESOLVER=value)
                    self.assertEqual(answer.status, 2, answer)
                    self.assertIn("CORDON_RESOLVER", answer.errors)
                    self.assertIn("openat2", answer.errors)
                    self.assert_safe_on_terminal(answer.err)


if __name__ == "__main__":
    unittest.main()
