"""cordon why: the same verdict as check, explained component by component."""

import os
import unittest

from support import OPERATIONS, RESOLVERS, World


class Why(World):

    def why(self, path, *more, **environment):
        """The data object; both resolvers must tell the same story."""
        stories = []
        for resolver in RESOLVERS:
            answer = self.run_cordon("why", "--root", self.w, "--json", *more, "--", path,
                                     CORDON_RESOLVER=resolver, **environment)
            self.assertEqual(answer.status, 0, answer)
            self.assertIs(answer.json["success"], True)
            stories.append(answer.json["data"])
        self.assertEqual(stories[0], stories[1])
        return stories[0]

    def text(self, path, *more):
        answer = self.run_cordon("why", "--root", self.w, *more, "--", path)
        self.assertEqual(answer.status, 0, answer)
        self.assert_safe_on_terminal(answer.out)
        return answer.text

    def kinds(self, path, *more):
        return [(c["name"], c["kind"]) for c in self.why(path, *more)["components"]]

    def test_an_allowed_path(self):
        data = self.why("src/main.cc")
        self.assertEqual(data, {
            "operation": "read", "path": "src/main.cc", "absolute": False, "zone": "workspace",
            "root": str(self.w),
            "components": [{"name": "src", "kind": "entry", "type": "directory"},
                           {"name": "main.cc", "kind": "entry", "type": "regular file"}],
            "componentsLeftOut": 0,
            "decision": {"profile": "interactive", "verdict": "allow",
                         "rule": data["decision"]["rule"]},
            "elsewhere": [], "verdict": "allowed", "resolvedPath": "src/main.cc", "exists": True})

    def test_in_words(self):
        os.symlink("src", self.w / "code")
        text = self.text("code/main.cc")
        self.assertIn('why: read "code/main.cc"\n', text)
        self.assertIn(f'relative, below the workspace "{self.w}"', text)
        self.assertIn('"code"  a link to "src", which is inside: a directory', text)
        self.assertIn('"main.cc"  a regular file', text)
        self.assertIn("deny list  no rule covers it", text)
        self.assertIn("profile    interactive has nothing against it", text)
        self.assertIn('verdict    allowed: really "src/main.cc"', text)

    def test_the_kinds_of_components(self):
        os.symlink("src", self.w / "inside")
        os.symlink("../very-private", self.w / "outside")
        os.symlink("nothing", self.w / "dangling")
        os.symlink(".env", self.w / "settings")
        os.mkfifo(self.w / "pipe")
        self.assertEqual(self.kinds("inside/main.cc"),
                         [("inside", "link-inside"), ("main.cc", "entry")])
        self.assertEqual(self.kinds("outside/x"),
                         [("outside", "link-outside"), ("x", "not-reached")])
        self.assertEqual(self.kinds("dangling"), [("dangling", "link-dangling")])
        self.assertEqual(self.kinds("settings"), [("settings", "link-denied")])
        self.assertEqual(self.kinds("no/parent"), [("no", "missing"), ("parent", "not-reached")])
        self.assertEqual(self.kinds("src/../.env"),
                         [("src", "entry"), ("..", "entry"), (".env", "denied")])
        self.assertEqual(self.kinds("src/main.cc/x"),
                         [("src", "entry"), ("main.cc", "entry"), ("x", "refused")])
        self.assertEqual(self.why("pipe")["components"][0]["type"], "FIFO")

    def test_the_outside_target_is_not_named(self):
        os.symlink("../very-private", self.w / "outside")
        os.symlink(self.scratch / "very-private", self.w / "absolute")
        for path in ("outside", "absolute", "outside/x"):
            for more in ((), ("--json",)):
                answer = self.run_cordon("why", "--root", self.w, path, *more)
                self.assertNotIn("very-private", answer.text + answer.errors)
        self.assertIn("a link that leads outside", self.text("outside"))

    def test_the_deny_rule_with_pattern_and_origin(self):
        data = self.why(".env")
        self.assertEqual(data["denyRule"]["pattern"], ".env")
        self.assertEqual(data["denyRule"]["origin"], "default")
        self.assertEqual(set(data["denyRule"]["operations"]), set(OPERATIONS))
        self.assertEqual(data["verdict"], "refused")
        self.assertEqual(data["error"]["code"], "PATH_DENIED")
        self.assert_error_shape(data["error"])
        self.assertEqual(data["components"][0]["denyRule"]["pattern"], ".env")
        self.assertIn('deny rule ".env"', self.text(".env"))
        self.assertIn("(from default)", self.text(".env"))

    def test_the_deny_rule_behind_a_link_is_found(self):
        os.symlink(".env", self.w / "settings")
        data = self.why("settings")
        self.assertEqual(data["denyRule"]["pattern"], ".env")
        self.assertEqual(data["error"]["code"], "PATH_DENIED")

    def test_outside_paths_are_not_looked_at(self):
        for path in (self.scratch / "secret", "/etc/passwd"):
            data = self.why(path)
            self.assertEqual(data["zone"], "outside")
            self.assertEqual(data["components"], [])
            self.assertNotIn("root", data)
            self.assertEqual(data["verdict"], "refused")
            self.assertEqual(data["decision"]["verdict"], "ask")
            self.assertEqual(self.why(path, "--profile", "strict")["decision"]["verdict"], "deny")
        self.assertIn("in no configured place", self.text("/etc/passwd"))

    def test_traversal(self):
        data = self.why("../secret")
        self.assertEqual(data["error"]["violation"], "traversal")
        data = self.why("src/../../secret")
        self.assertEqual([c["kind"] for c in data["components"]],
                         ["entry", "entry", "refused", "not-reached"])
        self.assertEqual(data["components"][2]["error"]["code"], "PATH_OUTSIDE_PROJECT")

    def test_the_root_itself(self):
        for path in (".", "./", "src/..", str(self.w)):
            data = self.why(path, "--op", "list")
            self.assertEqual(data["verdict"], "allowed", data)
            self.assertEqual(data["resolvedPath"], "")
        self.assertIn("the root itself", self.text(".", "--op", "list"))

    def test_the_verdict_is_that_of_check(self):
        os.symlink("../secret", self.w / "out")
        os.symlink("src", self.w / "in")
        for path in ("src/main.cc", "src", "out", "in/main.cc", ".env", "missing", "../secret",
                     "/etc/passwd", ""):
            for operation in OPERATIONS:
                if operation == "rename":
                    continue
                status, result = self.check_json(operation, path)
                data = self.why(path, "--op", operation)
                with self.subTest(path=path, operation=operation):
                    self.assertEqual(data["verdict"], "allowed" if status == 0 else "refused")
                    self.assertEqual(data.get("error", {}).get("code"),
                                     result.get("error", {}).get("code"))

    def test_other_systems_are_told_where_they_differ(self):
        def elsewhere(path):
            return {e["system"]: e for e in self.why(path)["elsewhere"]}
        self.assertEqual(elsewhere("src/main.cc"), {})
        self.assertEqual(elsewhere("src/../src/main.cc"), {})
        found = elsewhere(r"..\secret")
        self.assertEqual(found["Windows"]["error"]["code"], "PATH_OUTSIDE_PROJECT")
        self.assertNotIn("macOS", found)
        self.assertEqual(elsewhere(r"src\main.cc")["Windows"]["path"], "src/main.cc")
        self.assertEqual(elsewhere("NUL")["Windows"]["error"]["violation"], "device")
        found = elsewhere(".ENV")
        self.assertEqual(found["Windows"]["denyRule"]["pattern"], ".env")
        self.assertEqual(found["macOS"]["denyRule"]["pattern"], ".env")
        self.assertEqual(elsewhere(".g\u200cit/config")["macOS"]["denyRule"]["pattern"], ".git")
        self.assertEqual(elsewhere("GIT~1/config")["Windows"]["denyRule"]["pattern"], ".git")
        self.assertIn("elsewhere  under Windows: ", self.text(".ENV"))

    def test_a_long_path_is_judged_whole_and_described_in_part(self):
        data = self.why("src/../" * 1_000 + "src/main.cc")
        self.assertEqual(data["verdict"], "allowed")
        self.assertEqual(len(data["components"]), 256)
        self.assertEqual(data["componentsLeftOut"], 2_002 - 256)


if __name__ == "__main__":
    unittest.main()
