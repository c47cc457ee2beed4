"""Configuration: files, environment, profiles; cordon config show and schema."""

import json
import os
import unittest

from support import OPERATIONS, RESOLVERS, World

NARROW = "can only narrow"


class Files(World):

    def setUp(self):
        super().setUp()
        self.operator = self.home / ".config" / "cordon" / "config.toml"
        self.operator.parent.mkdir(parents=True)
        self.own = self.w / ".cordon.toml"

    def assert_config_error(self, file, place, says, *arguments):
        """Status 2 and FILE:PLACE, from every subcommand, in both forms."""
        expected = f"{file}:{place}" if place else str(file)
        for command in (("check", "src/main.cc"), ("why", "src/main.cc"), ("config", "show")):
            answer = self.run_cordon(*command, "--root", self.w, *arguments)
            self.assertEqual(answer.status, 2, answer)
            self.assertEqual(answer.out, b"", "nothing is judged under a broken configuration")
            self.assertTrue(answer.errors.startswith(f"cordon: {expected}: "), answer)
            self.assertIn(says, answer.errors)
            answer = self.run_cordon(*command, "--root", self.w, "--json", *arguments)
            self.assertEqual(answer.status, 2, answer)
            error = answer.json["error"]
            self.assert_error_shape(error)
            self.assertEqual(error["code"], "INVALID_ARGUMENTS")
            self.assertTrue(error["message"].startswith(expected + ": "), error)

    def test_mistakes_have_file_line_and_column(self):
        for text, place, says in (
                ('\nprofil = "strict"\n', "2:1", "profil"),
                ('profile = "lax"\n', "1:11", "lax"),
                ("# a\n# b\n  profile = 3\n", "3:13", "string"),
                ("roots = []\n", "1:9", "roots"),
                ('read_only = "yes"\n', "1:13", "true or false"),
                ('[[deny]]\nreason = "x"\n', "1:1", "pattern"),
                ('[[deny]]\npattern = "x"\nops = []\n', "3:1", "ops"),
                ('[[deny]]\npattern = "x"\noperations = ["fly"]\n', "3:15", "fly"),
                ('[[deny]]\npattern = "[a"\n', "2:11", "[a")):
            with self.subTest(text=text):
                self.operator.write_text(text)
                self.assert_config_error(self.operator, place, says)

    def test_what_is_not_toml_has_its_line_and_column_too(self):
        for text, line in ((b'profile = "strict\n', 1), (b"a = 1\na = 2\n", 2), (b"\n=\n", 2),
                           (b'\n\nprofile = "\xff"\n', 3)):
            with self.subTest(text=text):
                self.operator.write_bytes(text)
                answer = self.run_cordon("check", "--root", self.w, "src/main.cc")
                self.assertEqual(answer.status, 2, answer)
                self.assertRegex(answer.errors, r"^cordon: [^:]*:\d+:\d+: ")
                self.assertTrue(answer.errors.startswith(f"cordon: {self.operator}:{line}:"),
                                answer)

    def test_the_file_of_the_flag_replaces_the_usual_one(self):
        self.operator.write_text("broken")
        other = self.scratch / "other.toml"
        other.write_text('[[deny]]\npattern = "*.cc"\nreason = "because"\n')
        answer = self.run_cordon("check", "--root", self.w, "--config", other, "--json",
                                 "src/main.cc")
        self.assertEqual(answer.status, 1, answer)
        self.assertEqual(answer.json["error"]["rule"], "deny:*.cc")
        other.write_text("profil = 1\n")
        self.assert_config_error(other, "1:1", "profil", "--config", other)

    def test_a_file_that_cannot_be_read_stops_everything(self):
        missing = self.scratch / "missing.toml"
        self.assert_config_error(missing, "", "cannot be read", "--config", missing)
        self.assert_config_error(self.w, "", "cannot be read", "--config", self.w)
        pipe = self.scratch / "pipe"
        os.mkfifo(pipe)
        self.assert_config_error(pipe, "", "cannot be read", "--config", pipe)
        self.operator.mkdir()
        self.assert_config_error(self.operator, "", "cannot be read")
        self.operator.rmdir()
        os.symlink("nowhere", self.operator)
        self.assert_config_error(self.operator, "", "link to nothing")

    def test_a_workspace_file_that_would_widen(self):
        for text, place in (('roots = ["/"]\n', "1:1"), ('\nread_only_roots = ["/etc"]\n', "2:1"),
                            ('data_dir = "/etc"\n', "1:1"), ("deny_sets = []\n", "1:1"),
                            ("read_only = false\n", "1:13"), ('profile = "compat"\n', "1:11")):
            with self.subTest(text=text):
                self.own.write_text(text)
                self.assert_config_error(self.own, place, NARROW)

    def test_a_workspace_file_that_is_no_file_of_the_workspace(self):
        outside = self.scratch / "outside.toml"
        outside.write_text("read_only = true\n")
        os.symlink(outside, self.own)
        self.assert_config_error(self.own, "", "cannot be read")
        self.own.unlink()
        os.symlink("nowhere", self.own)
        self.assert_config_error(self.own, "", "cannot be read")
        self.own.unlink()
        os.mkfifo(self.own)
        self.assert_config_error(self.own, "", "cannot be read")
        self.own.unlink()
        self.own.mkdir()
        self.assert_config_error(self.own, "", "cannot be read")

    def test_a_workspace_file_narrows(self):
        self.assert_allowed("write", "src/main.cc")
        self.own.write_text("read_only = true\n")
        self.assert_refused("write", "src/main.cc", "PATH_DENIED")
        self.assert_allowed("read", "src/main.cc")
        self.own.write_text('profile = "strict"\n[[deny]]\npattern = "main.*"\n'
                            'operations = ["write"]\nreason = "generated"\n')
        self.assert_allowed("read", "src/main.cc")
        error = self.assert_refused("write", "src/main.cc", "PATH_DENIED")
        self.assertEqual(error["rule"], "deny:main.*")
        answer = self.run_cordon("why", "--root", self.w, "--op", "write", "src/main.cc", "--json")
        self.assertEqual(answer.json["data"]["denyRule"]["reason"], "generated")
        self.assertEqual(answer.json["data"]["denyRule"]["origin"], f"{self.own}:2")
        self.assertEqual(answer.json["data"]["decision"]["profile"], "strict")

    def test_a_hostile_file_cannot_steer_the_terminal(self):
        for text in ('"\\u001b[2J" = 1\n', 'profile = "\\u202e"\n',
                     '[[deny]]\npattern = "x"\nreason = "\\u001b[2J\\u202e"\n'):
            self.own.write_text(text)
            for command in (("check", "x"), ("why", "x"), ("config", "show"),
                            ("config", "show", "--json")):
                answer = self.run_cordon(*command, "--root", self.w)
                self.assert_safe_on_terminal(answer.out)
                self.assert_safe_on_terminal(answer.err)


class Environment(World):

    def setUp(self):
        super().setUp()
        self.data = self.scratch / "data"
        self.data.mkdir()
        (self.data / "file").write_text("x")

    def check_in(self, path, *more, **environment):
        return self.run_cordon("check", "--json", *more, path, cwd=self.scratch, **environment)

    def test_allowed_root_directory(self):
        answer = self.check_in("src/main.cc", ALLOWED_ROOT_DIRECTORY=str(self.w))
        self.assertEqual(answer.status, 0, answer)
        self.assertEqual(answer.json["data"]["root"], str(self.w))
        answer = self.check_in("file", "--root", self.data, ALLOWED_ROOT_DIRECTORY=str(self.w))
        self.assertEqual(answer.json["data"]["root"], str(self.data))

    def test_an_empty_variable_counts_as_unset(self):
        answer = self.check_in("secret", ALLOWED_ROOT_DIRECTORY="", DATA_DIR="")
        self.assertEqual(answer.json["data"]["root"], str(self.scratch))

    def test_a_root_that_is_missing_is_an_error_not_a_fallback(self):
        for profile in ("strict", "interactive", "sandboxed", "compat"):
            answer = self.check_in("secret", "--profile", profile,
                                   ALLOWED_ROOT_DIRECTORY=str(self.scratch / "gone"))
            self.assertEqual(answer.status, 2, answer)

    def test_data_dir_is_for_agents_only_under_compat(self):
        for profile in ("strict", "interactive", "sandboxed"):
            answer = self.check_in(self.data / "file", "--root", self.w, "--profile", profile,
                                   DATA_DIR=str(self.data))
            self.assertEqual(answer.status, 1, answer)
            self.assertEqual(answer.json["error"]["rule"], "data-dir")
        answer = self.check_in(self.data / "file", "--root", self.w, "--profile", "compat",
                               DATA_DIR=str(self.data))
        self.assertEqual(answer.status, 0, answer)


class NoRoot(World):

    def ask(self, profile, *more):
        return self.run_cordon("check", "--profile", profile, *more, "src/main.cc")

    def test_strict_refuses_to_start(self):
        answer = self.ask("strict")
        self.assertEqual(answer.status, 2, answer)
        self.assertIn("no root is configured", answer.errors)

    def test_interactive_takes_the_current_directory(self):
        answer = self.ask("interactive", "--json")
        self.assertEqual(answer.status, 0, answer)
        self.assertEqual(answer.json["data"]["root"], str(self.w))

    def test_sandboxed_needs_a_sandbox(self):
        answer = self.ask("sandboxed", "--json")
        self.assertEqual(answer.status, 2, answer)
        self.assertEqual(answer.json["error"]["code"], "SANDBOX_REQUIRED")

    def test_compat_allows_everything_and_says_so(self):
        path = self.w / "src" / "main.cc"
        answer = self.run_cordon("check", "--profile", "compat", path)
        self.assertEqual(answer.status, 0, answer)
        self.assertTrue(answer.errors.startswith("cordon: warning: "), answer)
        answer = self.run_cordon("check", "--profile", "compat", "--json", path)
        self.assertEqual(answer.err, b"")
        self.assertEqual(len(answer.json["warnings"]), 1)


class Show(World):

    def test_every_field(self):
        library = self.scratch / "library"
        library.mkdir()
        store = self.scratch / "store"
        store.mkdir()
        for resolver in RESOLVERS:
            answer = self.run_cordon(
                "config", "show", "--json", "--root", self.w, "--allow-read", library, "--profile",
                "strict", "--deny", "*.pem", CORDON_RESOLVER=resolver, DATA_DIR=str(store))
            self.assertEqual(answer.status, 0, answer)
            data = answer.json["data"]
            self.assertEqual(data["profile"], {"value": "strict", "origin": "--profile"})
            self.assertEqual(data["readOnly"], {"value": False, "origin": "default"})
            self.assertEqual(data["files"], [])
            self.assertEqual(data["roots"], [{"path": str(self.w), "origin": "--root"}])
            self.assertEqual(data["readOnlyRoots"],
                             [{"path": str(library), "origin": "--allow-read"}])
            self.assertEqual(data["dataDir"], {"path": str(store), "origin": "DATA_DIR"})
            rules = {rule["pattern"]: rule for rule in data["deny"]}
            self.assertEqual(rules["*.pem"]["origin"], "--deny")
            self.assertEqual(rules[".env"]["origin"], "default")
            self.assertEqual(set(rules[".env"]["operations"]), set(OPERATIONS))
            self.assertIn(".env.example", rules[".env.*"]["except"])
            self.assertEqual(data["opened"][0], {"path": str(self.w), "zone": "workspace"})
            self.assertIn({"path": str(library), "zone": "read-only root"}, data["opened"])
            self.assertEqual(data["resolver"], resolver)

    def test_origins(self):
        answer = self.run_cordon("config", "show", "--json", ALLOWED_ROOT_DIRECTORY=str(self.w))
        self.assertEqual(answer.json["data"]["roots"],
                         [{"path": str(self.w), "origin": "ALLOWED_ROOT_DIRECTORY"}])
        answer = self.run_cordon("config", "show", "--json")
        self.assertEqual(answer.json["data"]["profile"],
                         {"value": "interactive", "origin": "default"})
        operator = self.home / ".config" / "cordon" / "config.toml"
        operator.parent.mkdir(parents=True)
        operator.write_text(f'profile = "compat"\nroots = ["{self.w}"]\ndata_dir = "{self.home}"\n'
                            f'read_only_roots = ["{self.home}"]\nread_only = true\n'
                            '[[deny]]\npattern = "x"\n')
        data = self.run_cordon("config", "show", "--json").json["data"]
        self.assertEqual(data["files"], [{"path": str(operator)}])
        self.assertEqual(data["profile"], {"value": "compat", "origin": str(operator)})
        self.assertEqual(data["roots"], [{"path": str(self.w), "origin": str(operator)}])
        self.assertEqual(data["dataDir"], {"path": str(self.home), "origin": str(operator)})
        self.assertEqual(data["readOnlyRoots"],
                         [{"path": str(self.home), "origin": str(operator)}])
        self.assertEqual(data["readOnly"], {"value": True, "origin": str(operator)})
        self.assertIn(f"{operator}:6", [rule["origin"] for rule in data["deny"]])
        own = self.w / ".cordon.toml"
        own.write_text('profile = "strict"\n')
        for more in ((), ("--profile", "interactive")):
            data = self.run_cordon("config", "show", "--json", *more).json["data"]
            self.assertEqual(data["profile"], {"value": "strict", "origin": str(own)})
            self.assertEqual(data["files"], [{"path": str(operator)}, {"path": str(own)}])
        self.assertIn(f'file        "{own}"', self.run_cordon("config", "show").text)

    def test_in_words(self):
        text = self.run_cordon("config", "show", "--root", self.w).text
        self.assertIn("profile     interactive", text)
        self.assertIn(f'root        "{self.w}"  (--root)', text)
        self.assertIn('deny        ".env"', text)
        self.assertIn(f'opened      "{self.w}"  workspace', text)
        self.assertRegex(text, r"(?m)^resolver    (openat2|walk)$")

    def test_what_is_configured_is_shown_even_when_it_cannot_be_opened(self):
        answer = self.run_cordon("config", "show", "--profile", "strict")
        self.assertEqual(answer.status, 2, answer)
        self.assertIn("profile     strict", answer.text)
        self.assertIn("no root is configured", answer.errors)
        answer = self.run_cordon("config", "show", "--profile", "strict", "--json")
        self.assertEqual(answer.status, 2, answer)
        self.assertIs(answer.json["success"], False)
        self.assertEqual(answer.json["data"]["profile"]["value"], "strict")
        self.assertEqual(answer.json["error"]["code"], "INVALID_ARGUMENTS")

    def test_schema(self):
        answer = self.run_cordon("config", "schema")
        self.assertEqual(answer.status, 0, answer)
        schema = json.loads(answer.out)
        self.assertIn("2020-12", schema["$schema"])
        self.assertIs(schema["additionalProperties"], False)
        self.assertLessEqual({"profile", "roots", "deny"}, set(schema["properties"]))


if __name__ == "__main__":
    unittest.main()
