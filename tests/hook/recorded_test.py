"""Every recorded input of every agent gets the answer that is written beside it."""

import json
import unittest

import support
from support import AGENTS, RECORDED


def expected(agent):
    for line in (RECORDED / agent / "EXPECTED").read_text().splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(": ", 1)
            answer, _, says = rest.partition(" ")
            yield name, answer, [word for word in says.split("|") if word]


class Recorded(support.World):

    def test_each_input_gets_its_answer(self):
        for agent in AGENTS:
            for name, answer, says in expected(agent):
                with self.subTest(agent=agent, input=name):
                    before = len(self.records())
                    got = self.hook(agent, self.recorded(agent, name))
                    if answer == "none":
                        self.assert_none(got)
                        self.assertEqual(len(self.records()), before, "nothing to record")
                        continue
                    assert_it = self.assert_denied if answer == "deny" else self.assert_asks
                    reason = assert_it(agent, got)
                    for word in says:
                        self.assertIn(self.here(word.encode()).decode(), reason)
                    self.assertTrue(reason.startswith("Cordon"), reason)

    def test_every_input_is_expected_to_get_one(self):
        for agent in AGENTS:
            names = {path.stem for path in (RECORDED / agent).glob("*.json")}
            self.assertEqual(names, {name for name, _, _ in expected(agent)})
            answers = {answer for _, answer, _ in expected(agent)}
            self.assertLessEqual({"none", "deny"}, answers)
            self.assertEqual("ask" in answers, agent in ("claude", "cursor"))

    def test_nothing_in_the_project_is_touched(self):
        before = {path: path.lstat().st_mtime_ns for path in self.home.rglob("*")}
        for agent in AGENTS:
            for name, _, _ in expected(agent):
                self.hook(agent, self.recorded(agent, name))
        self.assertEqual({path: path.lstat().st_mtime_ns for path in self.home.rglob("*")}, before)


class Terms(support.World):

    def call(self, tool="Read", cwd=None, **fields):
        return json.dumps({"hook_event_name": "PreToolUse", "cwd": str(cwd or self.project),
                           "session_id": "s-1", "tool_name": tool, "tool_input": fields}).encode()

    def test_a_root_that_is_given_beats_where_the_agent_is(self):
        path = str(self.project / "src/main.cc")
        self.assert_none(self.hook("claude", self.call(file_path=path), "--root", self.project))
        got = self.hook("claude", self.call(file_path=path), "--root", self.home / "other")
        self.assertIn("outside", self.assert_asks("claude", got))

    def test_a_relative_path_is_below_the_working_directory_whatever_the_root(self):
        got = self.hook("claude", self.call(cwd=self.project / "src", file_path="../.env"),
                        "--root", self.project)
        self.assert_denied("claude", got)
        got = self.hook("claude", self.call(cwd=self.project / "src", file_path="main.cc"),
                        "--root", self.project)
        self.assert_none(got)

    def test_the_project_is_the_workspace_where_the_agent_names_it(self):
        moved = self.call(cwd="/", file_path="/etc/passwd")
        got = self.hook("claude", moved, CLAUDE_PROJECT_DIR=str(self.project))
        self.assert_asks("claude", got)

    def test_the_root_of_the_host_is_no_workspace(self):
        for cwd in ("/", "//", "/."):
            got = self.hook("claude", self.call(cwd=cwd, file_path="/etc/passwd"))
            self.assertIn("no workspace", self.assert_denied("claude", got))

    def test_what_switches_hooks_off_is_not_for_the_agent(self):
        files = {"claude": (".claude/settings.json", ".claude/settings.local.json"),
                 "codex": (".codex/hooks.json", ".codex/config.toml")}
        for agent, names in files.items():
            for name in names:
                for call in (self.call("mcp__x__write", path=name),
                             self.call("mcp__x__write", path=str(self.home / name)),
                             self.call("Bash", command="echo {} > " + name),
                             self.call("Bash", command="rm -r " + name.split("/")[0])):
                    (self.project / name).parent.mkdir(exist_ok=True)
                    self.assert_denied(agent, self.hook(agent, call), call)
                self.assert_none(self.hook(agent, self.call("mcp__x__read", path=name)))

    def test_strict_profile_refuses_instead_of_asking(self):
        got = self.hook("claude", self.call(file_path="/etc/passwd"), "--profile", "strict")
        self.assertIn("/etc/passwd", self.assert_denied("claude", got))

    def test_strict_refuses_what_cannot_be_known(self):
        for agent in ("claude", "codex"):
            got = self.hook(agent, self.call("Bash", command="cat $X"), "--strict")
            self.assertIn("$X", self.assert_denied(agent, got))
            self.assert_none(self.hook(agent, self.call("Bash", command="ls src"), "--strict"))

    def test_flags_and_files_narrow(self):
        call = self.call(file_path="src/main.cc")
        self.assert_denied("claude", self.hook("claude", call, "--deny", "*.cc"))
        (self.project / ".cordon.toml").write_text("[[deny]]\npattern = \"src\"\n")
        self.assert_denied("claude", self.hook("claude", call))

    def test_a_read_only_root_is_read_only(self):
        other = self.home / "other"
        read = self.call(file_path=str(other / "secret"))
        write = self.call("Write", file_path=str(other / "secret"), content="")
        self.assert_none(self.hook("claude", read, "--allow-read", other))
        got = self.hook("claude", write, "--allow-read", other)
        self.assertIn("read-only", self.assert_denied("claude", got))

    def test_a_tool_can_be_switched_off_or_made_to_ask(self):
        config = self.scratch / "config/cordon/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text("[[tool]]\nname = \"shell\"\nlevel = \"deny\"\n"
                          "[[tool]]\nname = \"read\"\nlevel = \"deny\"\n"
                          "[[tool]]\nname = \"WebFetch\"\nlevel = \"deny\"\n"
                          "[[tool]]\nname = \"Edit\"\nlevel = \"always\"\n")
        got = self.hook("codex", self.call("Bash", command="ls"))
        self.assertIn("switched off", self.assert_denied("codex", got))
        self.assert_denied("claude", self.hook("claude", self.call(file_path="src/main.cc")))
        self.assert_denied("claude", self.hook("claude", self.call("WebFetch", url="x")))
        self.assert_none(self.hook("claude", self.call("TodoWrite", todos=[])))
        edit = self.call("Edit", file_path="src/main.cc")
        self.assert_asks("claude", self.hook("claude", edit))
        self.assert_none(self.hook("claude", self.call("Write", file_path="src/main.cc")))

    def test_a_rule_for_a_tool_of_cursor_holds_at_both_of_its_events(self):
        config = self.scratch / "config/cordon/config.toml"
        config.parent.mkdir(parents=True)
        names = ("Shell", "MCP:query")
        config.write_text("".join(f'[[tool]]\nname = "{name}"\nlevel = "always"\n'
                                  for name in names))
        for name in ("shell_plain", "mcp_no_path"):
            self.assert_asks("cursor", self.hook("cursor", self.recorded("cursor", name)), name)
        config.write_text(config.read_text().replace("always", "deny"))
        for name in ("shell_plain", "mcp_no_path", "tool_shell_asks_later"):
            self.assert_denied("cursor", self.hook("cursor", self.recorded("cursor", name)), name)

    def test_what_is_refused_or_asked_is_in_the_log(self):
        self.hook("claude", self.call(file_path=".env"))
        self.hook("claude", self.call(file_path="/etc/passwd"))
        self.hook("codex", self.call("Bash", command="cat $X"), "--strict")
        seen = [(r["event"], r.get("decision"), r.get("actor"), r.get("session"), r.get("tool"))
                for r in self.records() if r["event"] != "log.opened"]
        self.assertEqual(seen, [
            ("sandbox.violation", "denied", "claude", "s-1", "Read"),
            ("consent.asked", "asked", "claude", "s-1", "Read"),
            ("command.exec", "denied", "codex", "s-1", "Bash")])
        self.assertEqual(self.cordon("audit", "verify").status, 0)

    def test_what_cannot_be_recorded_is_not_asked_about(self):
        (self.scratch / "state").write_text("in the way")
        self.assert_none(self.hook("claude", self.call(file_path="src/main.cc")))
        self.assert_denied("claude", self.hook("claude", self.call(file_path="/etc/passwd")))
        self.assert_denied("claude", self.hook("claude", self.call(file_path=".env")))

    def test_a_broken_configuration_denies(self):
        (self.project / ".cordon.toml").write_text("profile = ")
        got = self.hook("claude", self.call(file_path="src/main.cc"))
        self.assertIn(".cordon.toml", self.assert_denied("claude", got))
        got = self.hook("claude", self.call(file_path="a"), "--config", "/no/such/file")
        self.assert_denied("claude", got)

    def test_a_root_that_is_gone_denies(self):
        got = self.hook("claude", self.call(cwd=self.home / "gone", file_path="a"))
        self.assert_denied("claude", got)

    def test_a_wrong_command_line_denies(self):
        for arguments in (["hook"], ["hook", "--agent", "emacs"], ["hook", "--agent"],
                          ["hook", "--agent", "claude", "--no-such-flag"]):
            got = self.cordon(*arguments, given=self.call(file_path="src/main.cc"))
            self.assertEqual(got.status, 2, got)
            self.assertTrue(got.err, got)


if __name__ == "__main__":
    unittest.main()
