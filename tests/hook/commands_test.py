"""Whole command lines, explained and judged: what names a guarded file gets nowhere."""

import json
import pathlib
import unittest

import support


def cases():
    """(answer, command) of commands.txt."""
    answer = None
    for line in pathlib.Path(__file__).with_name("commands.txt").read_text().splitlines():
        if line in ("deny", "none"):
            answer = line
        elif line and not line.startswith("# "):
            yield answer, line


class Commands(support.World):

    def setUp(self):
        super().setUp()
        for directory in ("dir", ".git/modules/m"):
            (self.project / directory).mkdir(parents=True)
        for file in ("a.c", ".gitignore"):
            (self.project / file).write_text("x\n")

    def judge(self, command, *more):
        call = {"hook_event_name": "PreToolUse", "cwd": str(self.project), "tool_name": "Bash",
                "tool_input": {"command": command}}
        return self.hook("codex", self.here(json.dumps(call).encode()), *more)

    def test_each_gets_its_answer(self):
        counts = {"deny": 0, "none": 0}
        for answer, command in cases():
            counts[answer] += 1
            with self.subTest(command=command):
                got = self.judge(command)
                if answer == "none":
                    self.assert_none(got, command)
                else:
                    self.assert_denied("codex", got, command)
        self.assertGreater(min(counts.values()), 25)

    def test_a_link_below_git_leads_no_further_than_its_target(self):
        (self.project / ".git/x").symlink_to("hooks")
        (self.project / ".git/y").symlink_to("../.env")
        for command in ("echo x > .git/x/post-commit", "cat .git/y", "cp a.c .git/x"):
            self.assert_denied("codex", self.judge(command), command)

    def test_rules_on_commands(self):
        config = self.scratch / "rules.toml"
        config.write_text('[[command]]\nprogram = "git"\narguments = ["push"]\naction = "deny"\nreason = "by hand"\n'
                          '[[command]]\nprogram = "make"\naction = "ask"\n'
                          '[[command]]\nprogram = "rm"\naction = "allow"\n')

        def claude(command):
            call = {"hook_event_name": "PreToolUse", "cwd": str(self.project), "tool_name": "Bash", "session_id": "s",
                    "tool_input": {"command": command}}
            return self.hook("claude", json.dumps(call).encode(), "--config", str(config))
        for command in ("git push", "sh -c 'g\\it -C . push'", "xargs git push"):
            reason = self.assert_denied("claude", claude(command), command)
            self.assertIn("by hand (rule command:git push)", claude(command).err, reason)
        self.assert_none(claude("git status"))
        self.assert_none(claude("rm -r src"))  # which is a high risk that nobody is asked about
        for command, rule in (("make", "command:make"), ("$X push", "command:git push")):
            answer = claude(command)
            self.assertIn('"ask"', answer.out, answer)
            self.assertIn(rule, answer.out)
        rules = [(record.get("rule"), record.get("decision")) for record in self.records()]
        for expected in (("command:git push", "denied"), ("command:make", "asked"), ("command:git push", "asked")):
            self.assertIn(expected, rules)

    def test_settings_are_kept_below_a_root_that_is_above_the_project(self):
        for name in (".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json",
                     ".cursor/hooks.json"):
            for root in (self.home, ".."):
                got = self.judge(f"echo > {name}", "--root", root)
                self.assert_denied("codex", got, (name, root))

    def test_settings_behind_a_link_are_kept_where_the_agent_looks_for_them(self):
        (self.project / "kept").mkdir()
        (self.project / "kept/settings.json").write_text("{}")
        (self.project / ".claude").symlink_to("kept")
        for root in (self.home, ".."):
            got = self.judge("echo > kept/settings.json", "--root", root)
            self.assert_denied("codex", got, root)


if __name__ == "__main__":
    unittest.main()
