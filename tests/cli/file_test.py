"""cordon file: what an agent would do, decided, recorded and done by the real binary."""

import json
import os
import signal
import subprocess
import unittest

import support


class FileWorld(support.World):

    def file(self, *arguments, stdin=b"", root=None, **environment):
        merged = {**self.environment, **environment}
        done = subprocess.run(
            [support.BINARY, "file", arguments[0], "--root", root or self.w,
             *map(os.fsencode, arguments[1:])],
            input=stdin, env=merged, cwd=self.w, capture_output=True, timeout=30, check=False)
        return support.Answer(done)

    def batch(self, requests, *flags):
        lines = "".join(json.dumps(request) + "\n" for request in requests).encode()
        answer = self.file("batch", *flags, stdin=lines)
        self.assertEqual(answer.status, 0, answer)
        return [json.loads(line) for line in answer.text.splitlines()]

    def records(self):
        log = self.home / ".state" / "cordon" / "audit.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]

    def verify(self):
        answer = self.run_cordon("audit", "verify")
        self.assertEqual(answer.status, 0, answer)


class Operations(FileWorld):

    def test_each_operation_under_strict(self):
        strict = ("--profile", "strict")
        self.assertEqual(self.file("write", "new", *strict, stdin=b"\0bytes\xff").status, 0)
        self.assertEqual((self.w / "new").read_bytes(), b"\0bytes\xff")
        self.assertEqual(self.file("read", "new", *strict).out, b"\0bytes\xff")
        self.assertEqual(self.file("append", "new", *strict, stdin=b"+").status, 0)
        self.assertEqual(self.file("mkdir", "-r", "d/e/f", *strict).status, 0)
        self.assertEqual(self.file("move", "new", "d/e/f/moved", *strict).status, 0)
        self.assertEqual(self.file("list", "d/e/f", *strict).text, "moved\n")
        self.assertEqual(self.file("stat", "d/e/f/moved", *strict).text,
                         "a regular file of 8 bytes\n")
        self.assertEqual(self.file("delete", "d", *strict).status, 1)
        self.assertEqual(self.file("delete", "-r", "d", *strict).status, 0)
        self.assertFalse((self.w / "d").exists())
        self.verify()

    def test_refusals_have_their_code_and_touch_nothing(self):
        for path, code in ((".env", "PATH_DENIED"), ("../secret", "PATH_OUTSIDE_PROJECT"),
                           (self.scratch / "secret", "PATH_OUTSIDE_PROJECT"),
                           ("src/../../secret", "PATH_OUTSIDE_PROJECT"), ("missing", "NOT_FOUND")):
            with self.subTest(path):
                answer = self.file("read", "--profile", "strict", "--json", path)
                self.assertEqual(answer.status, 1, answer)
                self.assertEqual(answer.json["error"]["code"], code)
                self.assertNotIn(b"secret\n", answer.out)
        self.verify()
        denied = [r for r in self.records() if r["event"] == "sandbox.violation"]
        self.assertEqual(len(denied), 4)

    def test_without_a_terminal_what_asks_is_denied(self):
        for arguments in (("read", self.scratch / "secret"), ("write", "src/main.cc"),
                          ("delete", "src/main.cc")):
            with self.subTest(arguments):
                answer = self.file(*arguments, "--json", stdin=b"x")
                self.assertEqual(answer.status, 1, answer)
                self.assertEqual(answer.json["error"]["code"], "CONSENT_UNAVAILABLE")
        self.assertEqual((self.w / "src" / "main.cc").read_text(), "int main() {}\n")

    def test_levels_come_from_the_configuration_and_a_workspace_only_narrows(self):
        config = self.home / ".config" / "cordon" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text('[[tool]]\nname = "write"\nlevel = "allow"\n')
        self.assertEqual(self.file("write", "a", stdin=b"x").status, 0)
        own = self.w / ".cordon.toml"
        own.write_text('[[tool]]\nname = "write_file"\nlevel = "deny"\n')
        answer = self.file("write", "a", "--json", stdin=b"y")
        self.assertEqual(answer.json["error"]["code"], "PERMISSION_DENIED")
        self.assertEqual(self.file("append", "a", stdin=b"z").status, 0)
        config.write_text('[[tool]]\nname = "write"\nlevel = "deny"\n')
        own.write_text('[[tool]]\nname = "write"\nlevel = "allow"\n')
        answer = self.file("append", "a", "--json", stdin=b"z")
        self.assertEqual(answer.json["error"]["code"], "PERMISSION_DENIED")

    def test_a_batch_is_one_session_and_survives_bad_lines(self):
        answers = self.batch(
            [{"id": 1, "op": "read", "path": "src/main.cc"},
             {"id": "two", "op": "write", "path": "x", "content": "1"},
             {"op": "jump", "path": "x"}, {"op": "read"}, {"op": "read", "path": "x", "more": 1},
             {"op": "read", "path": "%00", "pathEncoding": "percent"},
             {"id": 3, "op": "list", "path": "."}], "--profile", "strict")
        self.assertEqual([a["success"] for a in answers],
                         [True, True, False, False, False, False, True])
        self.assertEqual(answers[0]["id"], 1)
        self.assertEqual(answers[0]["data"]["content"], "int main() {}\n")
        self.assertEqual(answers[2]["error"]["code"], "INVALID_ARGUMENTS")
        self.assertEqual(answers[5]["error"]["code"], "INVALID_PATH")
        self.assertEqual(len({r["session"] for r in self.records() if "session" in r}), 1)

    def test_odd_names_are_recorded_reversibly_and_contents_are_not(self):
        name = b"odd\xff\n%\"\\\xe2\x80\xae"
        self.assertEqual(self.file("write", "--profile", "strict", os.fsdecode(name),
                                   stdin=b"very secret content").status, 0)
        self.assertTrue(os.path.exists(os.path.join(os.fsencode(self.w), name)))
        log = (self.home / ".state" / "cordon" / "audit.jsonl").read_bytes()
        self.assertNotIn(b"very secret", log)
        writes = [r for r in self.records() if r["event"] == "file.write"]
        self.assertEqual([r.get("phase") for r in writes], ["begin", "end"])
        from urllib.parse import unquote_to_bytes
        self.assertEqual(unquote_to_bytes(writes[0]["path"]["asked"]), name)
        self.assertEqual(unquote_to_bytes(writes[0]["path"]["resolved"]),
                         os.fsencode(self.w) + b"/" + name)

    def test_links_are_recorded_with_where_they_lead(self):
        (self.w / "link").symlink_to("src")
        self.assertEqual(self.file("read", "link/main.cc").status, 0)
        read = [r for r in self.records() if r["event"] == "file.read"][0]
        self.assertEqual(read["path"], {"asked": "link/main.cc",
                                        "resolved": str(self.w / "src" / "main.cc")})


class Protection(FileWorld):

    def test_disabling_it_is_loud_and_marks_every_record(self):
        answer = self.file("read", "--disable-sandbox", self.scratch / "secret", "--json")
        self.assertEqual(answer.json["data"]["content"], "secret\n")
        self.assertIn("NOTHING IS PROTECTED", answer.errors)
        records = [r for r in self.records() if not r["event"].startswith("log.")]
        self.assertEqual({r.get("protection") for r in records}, {"off"})
        self.assertIn("sandbox.disabled", {r["event"] for r in records})
        self.verify()

    def test_key_log_and_head_are_private_and_out_of_reach_of_a_root_above_them(self):
        self.file("stat", ".", root=self.home)
        state = self.home / ".state" / "cordon"
        for name in ("audit.key", "audit.jsonl", "audit.jsonl.head"):
            self.assertEqual((state / name).stat().st_mode & 0o777, 0o600)
        for flags in (("--profile", "strict"), ("--disable-sandbox",)):
            for arguments in (("read", ".state/cordon/audit.key"), ("list", ".state/cordon"),
                              ("write", ".state/cordon/audit.jsonl"),
                              ("delete", "-r", ".state"), ("move", ".state", "x")):
                with self.subTest((flags, arguments)):
                    answer = self.file(*arguments, *flags, "--json", root=self.home, stdin=b"x")
                    self.assertEqual(answer.status, 1, answer)
                    self.assertEqual(answer.json["error"]["code"], "PATH_DENIED")
        self.verify()

    def test_the_operators_configuration_cannot_be_changed_by_a_root_above_it(self):
        config = self.home / ".config" / "cordon" / "config.toml"
        for _ in range(2):  # whether it exists or not
            for arguments in (("write", ".config/cordon/config.toml"),
                              ("move", "src", ".config/cordon/config.toml"),
                              ("delete", "-r", ".config")):
                answer = self.file(*arguments, "--profile", "strict", "--json", root=self.home,
                                   stdin=b"x")
                self.assertEqual(answer.status, 1, answer)
            config.parent.mkdir(parents=True, exist_ok=True)
            config.write_text("# mine\n")
        self.assertEqual(config.read_text(), "# mine\n")
        self.assertEqual(self.file("read", ".config/cordon/config.toml", root=self.home).text,
                         "# mine\n")

    def test_a_log_inside_a_root_or_a_root_inside_the_state_is_a_mistake(self):
        answer = self.file("read", "a", "--audit-log", self.w / "audit.jsonl")
        self.assertEqual(answer.status, 2, answer)
        self.assertEqual(sorted(p.name for p in self.w.iterdir()), [".env", "src"])
        self.file("stat", ".")
        answer = self.file("stat", ".", root=self.home / ".state" / "cordon")
        self.assertEqual(answer.status, 2, answer)


class Failing(FileWorld):

    def limited(self):
        """No file of this process may grow beyond 64 KiB."""
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    def run_batch_limited(self, *flags):
        requests = "".join(
            json.dumps({"id": i, "op": "write", "path": f"f{i}", "content": "x"}) + "\n"
            for i in range(200)).encode()
        done = subprocess.run(
            [support.BINARY, "file", "batch", "--root", self.w, "--profile", "strict", *flags],
            input=requests, env=self.environment, capture_output=True, timeout=60, check=False,
            preexec_fn=self.limited)
        answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertEqual(len(answers), 200, done.stderr)
        return answers, done.stderr.decode()

    def test_a_log_that_cannot_grow_stops_the_work(self):
        answers, _ = self.run_batch_limited()
        self.assertTrue(answers[0]["success"])
        self.assertFalse(answers[-1]["success"])
        self.assertEqual(answers[-1]["error"]["code"], "IO_ERROR")
        self.assertEqual(answers[-1]["error"]["rule"], "audit")
        self.assertIn("audit log", answers[-1]["error"]["message"])
        for answer in answers[:-1]:
            if not answer["success"] and "could not be recorded" not in answer["error"]["message"]:
                self.assertFalse((self.w / f"f{answer['id']}").exists(), answer)
        self.verify()

    def test_best_effort_goes_on_and_says_so(self):
        answers, errors = self.run_batch_limited("--audit", "best-effort", "--undo", "off")
        self.assertTrue(all(answer["success"] for answer in answers))
        self.assertEqual(errors.count("the audit log cannot be written"), 1, errors)
        self.assertEqual(self.file("read", "f0", "--audit", "best-effort").status, 0)
        self.verify()

    def test_an_undo_journal_that_cannot_grow_stops_the_work_or_says_so(self):
        answers, _ = self.run_batch_limited("--audit", "best-effort")
        self.assertTrue(answers[0]["success"])
        self.assertEqual(answers[-1]["error"]["rule"], "undo")
        self.assertFalse((self.w / "f199").exists())
        answers, errors = self.run_batch_limited("--audit", "best-effort", "--undo", "best-effort")
        self.assertTrue(all(answer["success"] for answer in answers))
        self.assertIn("cannot be undone", errors)

    def test_a_key_that_others_may_read_is_refused(self):
        self.file("stat", ".")
        key = self.home / ".state" / "cordon" / "audit.key"
        key.chmod(0o644)
        answer = self.file("stat", ".")
        self.assertEqual(answer.status, 2, answer)
        self.assertIn("audit", answer.errors)
        key.chmod(0o600)
        self.assertEqual(self.file("stat", ".").status, 0)

    def test_a_log_without_its_key_is_not_given_a_new_one(self):
        self.file("stat", ".")
        (self.home / ".state" / "cordon" / "audit.key").unlink()
        self.assertEqual(self.file("stat", ".").status, 2)
        self.assertFalse((self.home / ".state" / "cordon" / "audit.key").exists())

    def test_flags_that_make_no_sense_are_refused(self):
        for flags in (("--ask", "pigeon"), ("--ask", ""), ("--ask-timeout", "0"),
                      ("--ask-timeout", "soon"), ("--audit", "maybe"), ("--session", ""),
                      ("--audit-log", "")):
            with self.subTest(flags):
                self.assertEqual(self.file("stat", ".", *flags).status, 2)


if __name__ == "__main__":
    unittest.main()
