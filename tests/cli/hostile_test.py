"""Hostile names and bad input: clear answers, and nothing that steers a terminal."""

import json
import os
import unittest
import urllib.parse

from support import RESOLVERS, World

NAMES = (
    b"new\nline",
    b"\x1b[2J\x1b]0;title\x07",
    b"\x9b31m",                                # C1 control as one byte: not UTF-8
    "\u009b31m".encode(),                      # the same as a code point
    "\u202egnp.exe".encode(),                  # right-to-left override
    "\u2066isolate\u2069".encode(),
    "zero\u200bwidth\ufeff".encode(),
    "tag\U000e0041".encode(),
    "line\u2028paragraph\u2029".encode(),
    b"caf\xe9",
    b"\xff\xfe",
    b"\xc0\xaf",                               # overlong "/"
    b"\xed\xa0\x80",                           # a surrogate
    b"100%",
    b"%41\xff",
    b'quote"back\\slash',
    b"\x7f",
    b"[a,b]",
    b"{}",
    b"-dash",
    b"file..txt",
    b"..foo",
    b"a b",
    "日本語".encode(),
    b"check",
    b"--",
)


def original(record, key):
    """The bytes that a JSON field stands for."""
    if record.get(key + "Encoding") == "percent":
        return urllib.parse.unquote_to_bytes(record[key])
    return record[key].encode("utf-8")


class HostileNames(World):

    def test_they_are_ordinary_names_and_come_back_byte_for_byte(self):
        for name in NAMES:
            with open(os.path.join(os.fsencode(self.w), name), "w", encoding="ascii") as file:
                file.write("x")
            with self.subTest(name=name):
                data = self.assert_allowed("read", name)
                self.assertEqual(original(data, "path"), name)
                self.assertEqual(original(data, "resolvedPath"), name)

    def test_percent_takes_back_what_json_printed(self):
        name = b"%41\xff"
        with open(os.path.join(os.fsencode(self.w), name), "w", encoding="ascii") as file:
            file.write("x")
        _, result = self.check_json("read", name)
        self.assertEqual(result["data"]["pathEncoding"], "percent")
        again = self.check("read", result["data"]["path"], "--percent")
        self.assertEqual(again.status, 0, again)

    def test_no_output_steers_the_terminal(self):
        for name in NAMES:
            for arguments in (("check", "--root", self.w), ("check", "--root", self.w, "--json"),
                              ("why", "--root", self.w), ("why", "--root", self.w, "--json")):
                with self.subTest(name=name, arguments=arguments[0]):
                    answer = self.run_cordon(*arguments, "--", name)
                    self.assertIn(answer.status, (0, 1))
                    self.assert_safe_on_terminal(answer.out)
                    self.assert_safe_on_terminal(answer.err)
                    if "--json" in arguments:
                        json.loads(answer.out)

    def test_usage_errors_do_not_either(self):
        for name in NAMES:
            for arguments in (("check", "--op", name, "x"), ("check", "--profile", name, "x"),
                              ("check", "x", "--" + os.fsdecode(name)), (name,), ("config", name),
                              ("check", "--root", name, "x"),
                              ("check", "--root", self.w, "--config", name, "x")):
                with self.subTest(arguments=arguments):
                    answer = self.run_cordon(*arguments)
                    self.assert_safe_on_terminal(answer.out)
                    self.assert_safe_on_terminal(answer.err)
                    self.assertNotEqual(answer.status, 0, answer)

    def test_a_hostile_root(self):
        for name in (b"new\nline", b"\x1b[2J", b"caf\xe9", "\u202ex".encode()):
            root = os.path.join(os.fsencode(self.scratch), name)
            os.mkdir(root)
            with open(os.path.join(root, b"file"), "w", encoding="ascii") as file:
                file.write("x")
            data = self.assert_allowed("read", "file", root=root)
            self.assertEqual(original(data, "root"), root)
            for arguments in (("check", "file"), ("why", "file"), ("config", "show"),
                              ("config", "show", "--json")):
                answer = self.run_cordon(*arguments, "--root", root)
                self.assertEqual(answer.status, 0, answer)
                self.assert_safe_on_terminal(answer.out)

    def test_hostile_link_texts(self):
        for number, text in enumerate((b"\x1b[2J", b"\xff", "\u202e".encode())):
            os.symlink(text, os.path.join(os.fsencode(self.w), b"link%d" % number))
            for more in ((), ("--json",)):
                answer = self.run_cordon("why", "--root", self.w, f"link{number}", *more)
                self.assertEqual(answer.status, 0, answer)
                self.assert_safe_on_terminal(answer.out)


class BadInput(World):

    def test_empty(self):
        self.assert_refused("read", "", "INVALID_PATH")

    def test_nul(self):
        error = self.assert_refused("read", "src%00/main.cc", "INVALID_PATH", "--percent")
        self.assertEqual(error["violation"], "encoding")
        for path in ("%00", "src/main.cc%00", "%00/../secret"):
            for operation in ("read", "create", "mkdir", "delete", "list", "stat", "write"):
                self.assert_refused(operation, path, "INVALID_PATH", "--percent")

    def test_percent_must_be_well_formed(self):
        for path in ("%", "%4", "%zz"):
            answer = self.check("read", path, "--percent")
            self.assertEqual(answer.status, 2, answer)
            self.assertIn("hexadecimal", answer.errors)

    def test_a_path_of_100_kb(self):
        for path in ("a" * 100_000, "a/" * 50_000, "./" * 50_000 + "src", "../" * 33_000):
            with self.subTest(path=path[:4]):
                error = self.assert_refused("read", path, "INVALID_PATH")
                self.assertLess(len(error["message"]), 5_000)
                answer = self.check("read", path)
                self.assertLess(len(answer.out), 5_000)
                self.assertIn("100000 bytes" if path[0] == "a" else " bytes)", answer.text)

    def test_a_path_longer_than_path_max_is_handled_by_component(self):
        self.assertEqual(
            self.assert_allowed("read", "./" * 3_000 + "src/main.cc")["resolvedPath"],
            "src/main.cc")
        self.assert_refused("read", "src/" + "../src/" * 2_000 + "missing", "NOT_FOUND")

    def test_a_name_that_is_too_long(self):
        for resolver in RESOLVERS:
            status, result = self.check_json("create", "n" * 300, CORDON_RESOLVER=resolver)
            self.assertEqual(status, 1, result)
            self.assertEqual(result["error"]["code"], "INVALID_PATH")

    def test_a_loop(self):
        os.symlink("b", self.w / "a")
        os.symlink("a", self.w / "b")
        self.assert_refused("read", "a", "INVALID_PATH")

    def test_roots_that_are_none(self):
        os.symlink(self.scratch / "nowhere", self.scratch / "dangling")
        for root, word in ((self.scratch / "secret", "secret"), (self.scratch / "gone", "gone"),
                           (self.scratch / "dangling", "dangling")):
            for more in ((), ("--json",)):
                with self.subTest(root=root, more=more):
                    answer = self.check("read", "x", *more, root=root)
                    self.assertEqual(answer.status, 2, answer)
                    if more:
                        self.assertIs(answer.json["success"], False)
                        self.assert_error_shape(answer.json["error"])
                        self.assertIn(word, answer.json["error"]["message"])
                    else:
                        self.assertEqual(answer.out, b"")
                        self.assertTrue(answer.errors.startswith("cordon: "), answer)
                        self.assertIn(word, answer.errors)
        self.assertFalse((self.scratch / "gone").exists())

    def test_an_empty_root_is_a_usage_error(self):
        answer = self.run_cordon("check", "--root", "", "x")
        self.assertEqual(answer.status, 2, answer)
        self.assertIn("--root", answer.errors)

    def test_a_root_that_is_a_link_is_followed_once(self):
        os.symlink(self.w, self.scratch / "alias")
        data = self.assert_allowed("read", "src/main.cc", root=self.scratch / "alias")
        self.assertEqual(data["root"], str(self.w))
        for spelling in (self.w, self.scratch / "alias"):
            self.assert_allowed("read", spelling / "src/main.cc", root=self.scratch / "alias")


if __name__ == "__main__":
    unittest.main()
