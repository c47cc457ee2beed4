"""cordon check: verdicts, their form, and that asking changes nothing."""

import os
import unittest

from support import OPERATIONS, Watcher, World, forbid_openat2


class Verdicts(World):

    def test_a_file_inside(self):
        data = self.assert_allowed("read", "src/main.cc")
        self.assertEqual(data, {
            "operation": "read", "path": "src/main.cc", "verdict": "allowed",
            "root": str(self.w), "resolvedPath": "src/main.cc", "exists": True,
            "type": "regular file"})

    def test_text_names_root_path_and_type(self):
        answer = self.check("read", "src/main.cc")
        self.assertEqual(answer.text, 'allowed: read "src/main.cc"\n'
                         f'  root       "{self.w}"\n'
                         '  really     "src/main.cc", a regular file\n')
        self.assertEqual(answer.err, b"")

    def test_refusal_in_text_has_rule_component_and_reason(self):
        lines = self.check("read", "../secret").text.splitlines()
        self.assertEqual(lines[0], 'refused: read "../secret" (PATH_OUTSIDE_PROJECT)')
        self.assertEqual(lines[1], "  rule       boundary")
        self.assertEqual(lines[2], '  component  ".."')
        self.assertTrue(lines[3].startswith("  reason     "), lines)

    def test_every_operation_on_what_it_is_for(self):
        for operation, path in (("read", "src/main.cc"), ("write", "src/main.cc"),
                                ("create", "src/new.cc"), ("delete", "src/main.cc"),
                                ("list", "src"), ("mkdir", "build"), ("stat", "src")):
            with self.subTest(operation=operation):
                self.assert_allowed(operation, path)
        self.assert_allowed("rename", "src/main.cc", "--to", "src/start.cc")
        self.assert_allowed("rename", "src/main.cc")

    def test_read_is_the_default(self):
        answer = self.run_cordon("check", "--root", self.w, "src/main.cc")
        self.assertEqual(answer.status, 0, answer)
        self.assertIn("allowed: read", answer.text)

    def test_ways_out(self):
        os.symlink(self.scratch / "secret", self.w / "absolute")
        os.symlink("../secret", self.w / "relative")
        os.symlink("relative", self.w / "chain")
        os.symlink("../planted", self.w / "dangling")
        os.symlink("..", self.w / "up")
        (self.scratch / "w-evil").mkdir()
        (self.scratch / "w-evil" / "file").write_text("x")
        for path, violation in (("../secret", "traversal"), ("src/../../secret", "traversal"),
                                ("/etc/passwd", "absolute"),
                                (self.scratch / "w-evil" / "file", "absolute"),
                                ("absolute", "symlink"), ("relative", "symlink"),
                                ("chain", "symlink"), ("up/secret", "symlink")):
            for operation in ("read", "write", "stat"):
                with self.subTest(path=path, operation=operation):
                    error = self.assert_refused(operation, path, "PATH_OUTSIDE_PROJECT")
                    self.assertEqual(error["violation"], violation)
                    self.assertIs(error["securityViolation"], True)
                    self.assertEqual(error["rule"], "boundary")
        self.assert_refused("create", "dangling", "PATH_OUTSIDE_PROJECT")
        self.assertFalse((self.scratch / "planted").exists())

    def test_the_target_of_a_link_to_outside_is_not_disclosed(self):
        os.symlink("../very-private-name", self.w / "link")
        for answer in (self.check("read", "link"), self.check("read", "link", "--json")):
            self.assertEqual(answer.status, 1)
            self.assertNotIn("very-private-name", answer.text + answer.errors)

    def test_denied_names(self):
        os.symlink(".env", self.w / "settings")
        for path, component in ((".env", ".env"), ("./src/../.env", ".env"),
                                (".env.local", ".env.local"), (".git/config", ".git"),
                                ("src/.ssh/id", ".ssh"), ("settings", ".env")):
            with self.subTest(path=path):
                error = self.assert_refused("read", path, "PATH_DENIED")
                self.assertEqual(error["component"], component)
                self.assertTrue(error["rule"].startswith("deny:"), error)
                self.assertIs(error["securityViolation"], True)
                self.assertEqual(error["violation"], "denylist")
                self.assertIs(error["recoverable"], False)

    def test_deny_flag(self):
        (self.w / "key.pem").write_text("k")
        self.assert_allowed("read", "key.pem")
        error = self.assert_refused("read", "key.pem", "PATH_DENIED", "--deny", "*.pem")
        self.assertEqual(error["rule"], "deny:*.pem")

    def test_patterns_are_taken_as_they_stand(self):
        for name, pattern in (("a", "[ab]"), ("{}", "{}"), ("x,y", "x,y"), ("%%", "%%")):
            (self.w / name).write_text("x")
            with self.subTest(pattern=pattern):
                error = self.assert_refused("read", name, "PATH_DENIED", "--deny", pattern)
                self.assertEqual(error["rule"], "deny:" + pattern)

    def test_ordinary_errors_are_refusals_with_their_code(self):
        os.mkfifo(self.w / "pipe")
        for operation, path, code in (
                ("read", "missing", "NOT_FOUND"), ("delete", "missing", "NOT_FOUND"),
                ("read", "src", "IS_A_DIRECTORY"), ("list", "src/main.cc", "NOT_A_DIRECTORY"),
                ("read", "src/main.cc/x", "NOT_A_DIRECTORY"), ("mkdir", "src", "ALREADY_EXISTS"),
                ("mkdir", "no/parent", "NOT_FOUND"), ("read", "pipe", "NOT_A_REGULAR_FILE"),
                ("write", "pipe", "NOT_A_REGULAR_FILE")):
            with self.subTest(operation=operation, path=path):
                self.assert_refused(operation, path, code)

    def test_links_that_stay_inside(self):
        os.symlink("main.cc", self.w / "src" / "same.cc")
        os.symlink(self.w / "src", self.w / "code")
        self.assertEqual(self.assert_allowed("read", "src/same.cc")["resolvedPath"], "src/main.cc")
        self.assertEqual(self.assert_allowed("write", "code/main.cc")["resolvedPath"],
                         "src/main.cc")

    def test_relative_paths_are_below_the_root_not_the_working_directory(self):
        answer = self.run_cordon("check", "--root", self.w, "main.cc", cwd=self.w / "src")
        self.assertEqual(answer.status, 1, answer)
        self.assertIn("NOT_FOUND", answer.text)

    def test_several_roots(self):
        other = self.scratch / "other"
        other.mkdir()
        (other / "file").write_text("x")
        self.assert_refused("read", other / "file", "PATH_OUTSIDE_PROJECT")
        data = self.assert_allowed("read", other / "file", "--root", other)
        self.assertEqual(data["root"], str(other))

    def test_a_read_only_root(self):
        library = self.scratch / "library"
        library.mkdir()
        (library / "file").write_text("x")
        self.assert_allowed("read", library / "file", "--allow-read", library)
        error = self.assert_refused("write", library / "file", "PATH_DENIED",
                                    "--allow-read", library)
        self.assertEqual(error["rule"], "read-only-root")


class Rename(World):

    def test_both_ends_are_judged(self):
        self.assert_refused("rename", "../secret", "PATH_OUTSIDE_PROJECT", "--to", "here")
        error = self.assert_refused("rename", "src/main.cc", "PATH_OUTSIDE_PROJECT", "--to",
                                    "../main.cc")
        self.assertEqual(error["argument"], "to")
        self.assert_refused("rename", ".env", "PATH_DENIED", "--to", "env.txt")
        self.assert_refused("rename", "src/main.cc", "PATH_DENIED", "--to", ".env.production")
        self.assert_refused("rename", "missing", "NOT_FOUND", "--to", "x")
        self.assert_refused("rename", "src/main.cc", "NOT_FOUND", "--to", "no/parent")

    def test_the_refused_end_is_the_one_shown(self):
        answer = self.check("rename", "src/main.cc", "--to", "../main.cc")
        self.assertTrue(answer.text.startswith('refused: rename "../main.cc" ('), answer)
        self.assertIn("  argument   --to\n", answer.text)

    def test_a_link_is_replaced_itself_not_where_it_leads(self):
        os.symlink("../secret", self.w / "link")
        data = self.assert_allowed("rename", "src/main.cc", "--to", "link")
        self.assertEqual(data["to"], "link")

    def test_ends_that_do_not_go_together(self):
        (self.w / "src" / "deep").mkdir()
        self.assert_refused("rename", "src/main.cc", "IS_A_DIRECTORY", "--to", "src/deep")
        self.assert_refused("rename", "src/main.cc", "NOT_A_DIRECTORY", "--to", "new/")
        self.assert_refused("rename", "src/deep", "NOT_A_DIRECTORY", "--to", "src/main.cc")
        self.assert_refused("rename", "src", "INVALID_PATH", "--to", "src/deep/src")
        self.assert_allowed("rename", "src/deep", "--to", "deep/")

    def test_a_directory_does_not_carry_things_into_a_rule(self):
        (self.w / "plain" / "keys").mkdir(parents=True)
        self.assert_allowed("rename", "plain", "--to", "config")
        self.assert_refused("rename", "plain", "PATH_DENIED", "--to", "config", "--deny",
                            "config/keys")

    def test_an_existing_file_is_replaced(self):
        (self.w / "old").write_text("x")
        self.assert_allowed("rename", "src/main.cc", "--to", "old")


class NothingHappens(World):

    def test_no_question_opens_creates_or_changes_anything(self):
        os.symlink("src", self.w / "link")
        os.symlink("../secret", self.w / "out")
        os.symlink("nowhere", self.w / "dangling")
        os.mkfifo(self.w / "pipe")
        before = self.snapshot()
        watcher = Watcher(self.scratch)
        self.addCleanup(watcher.close)
        paths = ("src/main.cc", "src", ".", "link/main.cc", "out", "dangling", "pipe", ".env",
                 "new", "no/parent", "../secret")
        for resolver in ("openat2", "walk"):
            for operation in OPERATIONS:
                more = ("--to", "moved") if operation == "rename" else ()
                for path in paths:
                    self.check(operation, path, *more, CORDON_RESOLVER=resolver)
            for path in paths:
                self.run_cordon("why", "--root", self.w, path, CORDON_RESOLVER=resolver)
        self.assertEqual(watcher.events(), [])  # first: taking a snapshot opens directories
        self.assertEqual(self.snapshot(), before)

    def test_the_watcher_would_have_noticed(self):
        watcher = Watcher(self.scratch)
        self.addCleanup(watcher.close)
        (self.w / "src" / "main.cc").read_text()
        self.assertNotEqual(watcher.events(), [])


class Enforcement(World):

    def test_without_openat2_the_walk_takes_over(self):
        answer = self.run_cordon("check", "--root", self.w, "src/main.cc", "--json",
                                 preexec=forbid_openat2)
        self.assertEqual(answer.status, 0, answer)
        self.assertEqual(answer.json["data"]["resolver"], "walk")

    def test_asking_for_what_the_kernel_lacks_is_status_3(self):
        for more in ((), ("--json",)):
            answer = self.run_cordon("check", "--root", self.w, "src/main.cc", *more,
                                     preexec=forbid_openat2, CORDON_RESOLVER="openat2")
            self.assertEqual(answer.status, 3, answer)
            if more:
                self.assertEqual(answer.json["error"]["code"], "UNSUPPORTED")
                self.assert_error_shape(answer.json["error"])
            else:
                self.assertTrue(answer.errors.startswith("cordon: "), answer)


if __name__ == "__main__":
    unittest.main()
