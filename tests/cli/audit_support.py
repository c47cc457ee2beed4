"""What the tests of cordon audit share."""

from audit_log import LogWriter
from support import World

NASTY = b"a\x1b[2J\r\n\xe2\x80\xae\xff%\"\\b"


class Audit(World):

    def setUp(self):
        super().setUp()
        self.state = self.home / ".state" / "cordon"
        self.state.mkdir(parents=True)
        self.log = self.state / "audit.jsonl"
        self.writer = LogWriter(self.log)

    def audit(self, *arguments, status=0, **environment):
        answer = self.run_cordon("audit", *arguments, **environment)
        self.assertEqual(answer.status, status, answer)
        self.assert_safe_on_terminal(answer.out)
        self.assert_safe_on_terminal(answer.err)
        return answer

    def example(self):
        """Ten records, one second apart, from 13:42:13."""
        add = self.writer.add
        add("log.opened")
        add("session.started", session="s1", actor="agent")
        add("file.read", "src/main.cc", "/w/src/main.cc", session="s1", tool="read_file",
            operation="read", decision="allowed", tier="policy")
        add("file.write", "src/new.cc", "/w/src/new.cc", phase="begin", session="s1",
            tool="write_file", operation="write", decision="allowed")
        add("file.write", "src/new.cc", "/w/src/new.cc", phase="end", begun=4, session="s1",
            tool="write_file", operation="write")
        add("sandbox.violation", "../secret", session="s1", tool="read_file", operation="read",
            decision="denied", rule="boundary", tier="policy", error="PATH_OUTSIDE_PROJECT",
            violation="traversal")
        add("file.read", ".env", "/w/.env", session="s2", tool="read_file", operation="read",
            decision="denied", rule="deny:.env", error="PATH_DENIED", violation="denylist")
        add("consent.decided", "/etc/hosts", session="s2", tool="read_file", decision="allowed",
            question="q1", choice="once", channel="tty")
        add("file.rename", "a", "/w/a", target="b", session="s2", tool="move", decision="allowed")
        add("file.read", NASTY, session="s2", tool="read_file", decision="allowed")

    def rows(self, *arguments):
        return self.audit(*arguments).text.splitlines()
