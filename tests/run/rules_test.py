"""Rules on commands hold wherever one is run, stand in the audit log, and are told to whoever asked."""

import json
import os
import subprocess
import unittest

from workplace import CORDON, NOBODY, RunTest

RULES = """
[[command]]
program = "git"
arguments = ["push", "--force"]
action = "deny"
reason = "history is shared"

[[command]]
program = "curl"
action = "ask"

[[command]]
program = "uname"
action = "allow"
"""


class Rules(RunTest):
    user = NOBODY

    def setUp(self):
        super().setUp()
        self.config = self.top + "/config.toml"
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(RULES)

    def cordon(self, *arguments, flags=(), env=()):
        return [CORDON, "run", "--config", self.config, "--root", self.work, "--ask", "none", *flags, "--", *arguments]

    def bash(self, command, profile="strict", **more):
        words = [CORDON, "tool", "bash", "--config", self.config, "--root", self.work, "--ask", "none",
                 "--profile", profile, "--json", json.dumps({"command": command, **more})]
        status, output, errors = self.finish(self.start(words))
        return json.loads(output) if output.startswith("{") else {"text": output + errors, "status": status}

    def records(self, rule):
        told = subprocess.run([CORDON, "audit", "query", "--json"], env=self.environment(), capture_output=True,
                              check=True, **self.as_user()).stdout.decode()
        found = [json.loads(line) for line in told.splitlines()]
        return [record for record in found if record.get("rule") == rule]

    def test_run_refuses_what_a_rule_denies(self):
        for words in (("git", "push", "--force"), ("sh", "-c", "g''it push origin --force"),
                      ("env", "/usr/bin/git", "push", "--force")):
            status, output, errors = self.inside(*words)
            self.assertNotEqual(status, 0)
            self.assertEqual(output, "")
            self.assertIn("history is shared (rule command:git push --force)", errors)
        denied = self.records("command:git push --force")
        self.assertEqual([(record["decision"], record["error"]) for record in denied], [("denied", "COMMAND_BLOCKED")] * 3)
        self.assertEqual(self.inside("git", "--version")[0], 0)

    def test_run_does_not_start_what_a_rule_asks_about_where_nobody_can_be_asked(self):
        for words in (("curl", "--version"), ("sh", "-c", "$X --version"), ("sh", "-c", "eval \"$X\"")):
            status, output, errors = self.inside(*words)
            self.assertNotEqual(status, 0, words)
            self.assertEqual(output, "")
            self.assertIn("command:", errors)
        self.assertIn("asked", [record["decision"] for record in self.records("command:curl")])

    def test_the_tool_tells_the_model(self):
        answer = json.dumps(self.bash("true; git push --force"))
        self.assertIn("COMMAND_BLOCKED", answer)
        self.assertIn("history is shared", answer)
        self.assertIn("command:git push --force", answer)

    def test_allowing_spares_the_question_and_nothing_more(self):
        self.write(".env", "secret")
        allowed = json.dumps(self.bash("uname; cd .", "interactive"))
        self.assertIn("Linux", allowed)
        self.assertEqual([record["rule"] for record in self.records("command:uname")][:1], ["command:uname"])
        for command in ("uname; true .; ls", "uname $X", "uname > .env", "uname > file", "PATH=. uname"):
            answer = json.dumps(self.bash(command, "interactive"))
            self.assertIn("CONSENT_UNAVAILABLE", answer, command)
        self.assertIn("CONSENT_UNAVAILABLE", json.dumps(self.bash("uname", "interactive", env=["PATH=."])))
        self.assertFalse(os.path.exists(self.work + "/file"))

    def test_a_workspace_narrows_and_never_allows(self):
        self.write(".cordon.toml", '[[command]]\nprogram = "true"\naction = "deny"\n')
        self.assertIn("(rule command:true)", self.inside("true")[2])
        self.write(".cordon.toml", '[[tool]]\nname = "bash"\nlevel = "always"\n')
        self.assertIn("CONSENT_UNAVAILABLE", json.dumps(self.bash("uname", "compat")))
        self.write(".cordon.toml", '[[command]]\nprogram = "true"\naction = "allow"\n')
        status, _, errors = self.inside("true")
        self.assertEqual(status, 2)
        self.assertIn('.cordon.toml:3:10: "action" cannot be "allow" here', errors)


if __name__ == "__main__":
    unittest.main()
