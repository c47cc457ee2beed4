"""Settings with the hook in them, and without it again."""

import json
import os
import stat
import unittest

import support
from support import AGENTS, BINARY

FILES = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json",
         "gemini": ".gemini/settings.json", "cursor": ".cursor/hooks.json"}
EVENTS = {"claude": ["PreToolUse"], "codex": ["PreToolUse"], "gemini": ["BeforeTool"],
          "cursor": ["beforeShellExecution", "beforeReadFile", "beforeMCPExecution", "preToolUse"]}


def foreign(agent):
    """Settings with hooks of others, as their owner wrote them."""
    hooks = {}
    for event in EVENTS[agent]:
        other = {"type": "command", "command": "/opt/check hook --agent " + agent + " x",
                 "timeout": 5}
        hooks[event] = [other if agent == "cursor" else {"matcher": "Bash", "hooks": [other]}]
    hooks["stop" if agent == "cursor" else "Stop"] = []
    return {"zeta": 1, "alpha": {"ratio": 1.5, "none": None, "big": 18446744073709551615},
            "hooks": hooks, "text": "täglich \" \\ \u2028", "empty": {}, "list": []}


def formatted(value, indent=2):
    return json.dumps(value, indent=indent, ensure_ascii=False) + "\n"


class Install(support.World):

    def file(self, agent, base=None):
        return (base or self.project) / FILES[agent]

    def put(self, agent, text):
        file = self.file(agent)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
        return file

    def install(self, agent, *more, **keywords):
        return self.cordon("hook", "install", "--agent", agent, "--project", self.project, *more,
                           **keywords)

    def uninstall(self, agent, *more, **keywords):
        return self.cordon("hook", "uninstall", "--agent", agent, "--project", self.project,
                           *more, **keywords)

    def handlers(self, agent, settings):
        """Event, handler and matcher of each of ours."""
        for event, entries in settings["hooks"].items():
            for entry in entries:
                for handler in entry.get("hooks", []) if "hooks" in entry else [entry]:
                    if "cordon" in handler["command"]:
                        yield event, handler, entry.get("matcher")

    def test_a_new_file_and_gone_again(self):
        for agent in AGENTS:
            with self.subTest(agent):
                before = sorted(self.project.rglob("*"))
                done = self.install(agent, "--yes")
                self.assertEqual(done.status, 0, done)
                settings = json.loads(self.file(agent).read_text())
                ours = list(self.handlers(agent, settings))
                self.assertEqual([event for event, _, _ in ours], EVENTS[agent])
                for _, handler, matcher in ours:
                    self.assertEqual(matcher, None if agent == "cursor" else ".*")
                    self.assert_fails_closed(agent, handler)
                self.assertEqual(settings.get("version"), 1 if agent == "cursor" else None)
                self.assertEqual(self.uninstall(agent, "--yes").status, 0)
                self.assertEqual(sorted(self.project.rglob("*")), before)

    def assert_fails_closed(self, agent, handler):
        if agent == "claude":
            self.assertEqual(handler["type"], "command")
            self.assertEqual(handler["command"], os.path.realpath(BINARY))
            self.assertEqual(handler["args"][:3], ["hook", "--agent", "claude"])
            self.assertEqual(handler["onFailure"], "block")
        else:
            self.assertTrue(handler["command"].startswith(
                f"{os.path.realpath(BINARY)} hook --agent {agent} "), handler)
        if agent == "cursor":
            self.assertIs(handler["failClosed"], True)
        self.assertEqual(handler["timeout"], 30000 if agent == "gemini" else 30)

    def test_what_is_installed_works_as_it_stands(self):
        for agent, name in (("claude", "read_env"), ("codex", "bash_env"),
                            ("gemini", "read_env"), ("cursor", "read_env")):
            self.install(agent, "--yes", "--strict", "--deny", "it's $HOME")
            settings = json.loads(self.file(agent).read_text())
            for _, handler, _ in self.handlers(agent, settings):
                if agent == "claude":
                    arguments = handler["args"]
                else:
                    import shlex
                    arguments = shlex.split(handler["command"])[1:]
                self.assertIn("it's $HOME", arguments)
                got = self.cordon(*arguments, given=self.recorded(agent, name))
                self.assert_denied(agent, got)

    def test_round_trip_of_settings_of_others(self):
        for agent in AGENTS:
            for text in (formatted(foreign(agent)), formatted(foreign(agent), 4),
                         formatted(foreign(agent), "\t"), formatted(foreign(agent)).rstrip("\n"),
                         formatted({}), formatted({"hooks": {}}), formatted({"a": {"b": [1, {}]}}),
                         formatted({"hooks": {event: [] for event in EVENTS[agent]}})):
                with self.subTest(agent=agent, text=text):
                    file = self.put(agent, text)
                    file.chmod(0o640)
                    self.assertEqual(self.install(agent, "--yes").status, 0)
                    installed = json.loads(file.read_text())
                    self.assertEqual(len(list(self.handlers(agent, installed))),
                                     len(EVENTS[agent]))
                    was = json.loads(text)
                    for key, value in was.items():
                        if key != "hooks":
                            self.assertEqual(installed[key], value)
                    self.assertEqual([key for key in installed if key in was], list(was))
                    self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o640)
                    self.assertEqual(self.uninstall(agent, "--yes").status, 0)
                    self.assertEqual(file.read_text(), text)
                    self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o640)

    def test_other_formatting_keeps_its_meaning(self):
        for agent in AGENTS:
            text = json.dumps(foreign(agent), separators=(",", ":"))
            file = self.put(agent, text)
            self.install(agent, "--yes")
            self.uninstall(agent, "--yes")
            self.assertEqual(json.loads(file.read_text()), json.loads(text))

    def test_twice_is_once(self):
        for agent in AGENTS:
            self.install(agent, "--yes")
            once = self.file(agent).read_bytes()
            again = self.install(agent)
            self.assertEqual(again.status, 0, again)
            self.assertIn("nothing to change", again.out)
            self.assertEqual(self.file(agent).read_bytes(), once)
            self.uninstall(agent, "--yes")
            again = self.uninstall(agent)
            self.assertIn("nothing to change", again.out)

    def test_other_terms_replace_the_entry_where_it_stands(self):
        for agent in AGENTS:
            text = formatted(foreign(agent))
            file = self.put(agent, text)
            self.install(agent, "--yes")
            plain = json.loads(file.read_text())
            self.install(agent, "--yes", "--strict")
            strict = json.loads(file.read_text())
            self.assertNotEqual(plain, strict)
            self.assertEqual(len(list(self.handlers(agent, strict))), len(EVENTS[agent]))
            self.uninstall(agent, "--yes")
            self.assertEqual(file.read_text(), text)

    def test_what_others_added_meanwhile_stays(self):
        for agent in AGENTS:
            self.install(agent, "--yes")
            settings = json.loads(self.file(agent).read_text())
            settings["later"] = True
            settings["hooks"]["Other"] = [{"hooks": []}]
            self.file(agent).write_text(formatted(settings))
            self.assertEqual(self.uninstall(agent, "--yes").status, 0)
            left = json.loads(self.file(agent).read_text())
            left.pop("version", None)
            self.assertEqual(left, {"hooks": {"Other": [{"hooks": []}]}, "later": True})
            self.file(agent).unlink()

    def test_one_agent_is_not_another(self):
        self.put("claude", formatted({"hooks": {"PreToolUse": [{"matcher": ".*", "hooks": [
            {"type": "command", "command": "/usr/bin/cordon hook --agent codex --made file"}]}]}}))
        before = self.file("claude").read_bytes()
        self.assertIn("nothing to change", self.uninstall("claude").out)
        self.assertEqual(self.file("claude").read_bytes(), before)

    def test_what_cannot_be_kept_is_left_alone(self):
        for text in ("{\n  // mine\n  \"a\": 1\n}\n", "{\"a\": 1", "", "[]", "{\"hooks\": []}",
                     "{\"hooks\": null}", "{\"hooks\": {\"PreToolUse\": {}}}", "{\"a\": 1,}"):
            file = self.put("claude", text)
            done = self.install("claude", "--yes")
            self.assertEqual(done.status, 2, (text, done))
            self.assertIn("settings.json", done.err)
            self.assertEqual(file.read_text(), text)

    def test_it_is_shown_and_asked_first(self):
        file = self.put("claude", formatted({"a": 1}))
        for answer in (b"", b"n\n", b"\n", b"yess\n"):
            done = self.install("claude", given=answer)
            self.assertEqual(done.status, 1, done)
            self.assertIn("+++ ", done.out)
            self.assertIn("+            \"onFailure\": \"block\"", done.out)
            self.assertIn("nothing was changed", done.out)
            self.assertEqual(file.read_text(), formatted({"a": 1}))
        self.assertEqual(self.install("claude", given=b"y\n").status, 0)
        self.assertNotEqual(file.read_text(), formatted({"a": 1}))
        done = self.uninstall("claude", given=b"n\n")
        self.assertIn("-            \"onFailure\": \"block\"", done.out)
        self.assertEqual(done.status, 1)

    def test_terminal_codes_in_a_file_are_not_shown_raw(self):
        self.put("claude", formatted({"a\u202e": "\u009b2J", "b": "x"}))
        done = self.install("claude", given=b"n\n")
        self.assertEqual([c for c in done.out if not c.isprintable() and c != "\n"], [])

    def test_a_link_that_leads_out_is_not_written_through(self):
        outside = self.home / "other/settings.json"
        outside.write_text("{}\n")
        (self.project / ".claude").mkdir()
        (self.project / ".claude/settings.json").symlink_to(outside)
        done = self.install("claude", "--yes")
        self.assertEqual(done.status, 2, done)
        self.assertEqual(outside.read_text(), "{}\n")
        (self.project / ".cursor").symlink_to(self.home / "other")
        self.assertEqual(self.install("cursor", "--yes").status, 2)
        self.assertEqual(sorted(os.listdir(self.home / "other")), ["secret", "settings.json"])

    def test_a_link_inside_stays_a_link(self):
        (self.project / "real.json").write_text("{}\n")
        (self.project / ".claude").mkdir()
        self.file("claude").symlink_to("../real.json")
        self.assertEqual(self.install("claude", "--yes").status, 0)
        self.assertTrue(self.file("claude").is_symlink())
        self.assertIn("onFailure", (self.project / "real.json").read_text())
        self.uninstall("claude", "--yes")
        self.assertEqual((self.project / "real.json").read_text(), "{}\n")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_directory_that_cannot_be_written(self):
        file = self.put("claude", "{}\n")
        file.parent.chmod(0o500)
        self.addCleanup(file.parent.chmod, 0o700)
        self.assertEqual(self.install("claude", "--yes").status, 2)
        self.assertEqual(file.read_text(), "{}\n")

    def test_a_read_only_file_keeps_its_mode(self):
        file = self.put("claude", "{}\n")
        file.chmod(0o400)
        self.assertEqual(self.install("claude", "--yes").status, 0)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o400)

    def test_for_the_user(self):
        for agent in AGENTS:
            done = self.cordon("hook", "install", "--agent", agent, "--user", "--yes")
            self.assertEqual(done.status, 0, done)
            self.assertTrue(self.file(agent, self.home).exists())
            self.assertFalse(self.file(agent).exists())
            self.cordon("hook", "uninstall", "--agent", agent, "--yes")
            self.assertFalse(self.file(agent, self.home).parent.exists())

    def test_wrong_command_lines(self):
        for more in (["--user"], ["--root", "relative"], ["--program", "/usr/bin/env"],
                     ["--program", "cordon"], ["--profile", "lax"]):
            self.assertEqual(self.install("claude", "--yes", *more).status, 2, more)
        self.assertEqual(self.cordon("hook", "install", "--yes").status, 2)
        self.assertFalse((self.project / ".claude").exists())


if __name__ == "__main__":
    unittest.main()
