"""Whatever cannot be read is refused, in the form of each agent."""

import json
import unittest

import support
from support import AGENTS, RECORDED

JUDGED = {"claude": "read_inside", "codex": "bash_plain", "gemini": "read_inside",
          "cursor": "shell_plain"}


def paths_in(value, prefix=()):
    """Every place in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*prefix, key)
            yield from paths_in(inner, (*prefix, key))


def changed(value, path, change):
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return copy


class Malformed(support.World):

    def test_recorded_ones(self):
        files = sorted((RECORDED / "malformed").iterdir())
        self.assertGreater(len(files), 15)
        for agent in AGENTS:
            for file in files:
                with self.subTest(agent=agent, input=file.name):
                    reason = self.assert_denied(agent, self.hook(agent, file.read_bytes()))
                    self.assertIn("could not judge", reason)

    def test_cut_anywhere(self):
        for agent, name in JUDGED.items():
            whole = self.recorded(agent, name).rstrip()
            self.assert_none(self.hook(agent, whole))
            for cut in range(0, len(whole), max(1, len(whole) // 40)):
                with self.subTest(agent=agent, cut=cut):
                    self.assert_denied(agent, self.hook(agent, whole[:cut]))

    def test_a_field_that_is_needed_and_missing_or_of_another_type(self):
        needed = {
            "claude": [("hook_event_name",), ("cwd",), ("tool_name",), ("tool_input",),
                       ("tool_input", "file_path")],
            "codex": [("hook_event_name",), ("cwd",), ("tool_name",), ("tool_input",),
                      ("tool_input", "command")],
            "gemini": [("hook_event_name",), ("cwd",), ("tool_name",), ("tool_input",),
                       ("tool_input", "file_path")],
            "cursor": [("hook_event_name",), ("workspace_roots",), ("command",)],
        }
        for agent, name in JUDGED.items():
            value = json.loads(self.recorded(agent, name))
            for path in needed[agent]:
                changes = [lambda inner, key: inner.pop(key)]
                for other in (None, 7, True, {"a": 1} if path[-1] != "tool_input" else "{",
                              [1], ""):
                    if path[-1] == "tool_input" and other == "":
                        continue  # Cursor sends an empty text for no input
                    if path[-1] == "command" and other == "":
                        continue  # an empty command does nothing
                    if path[-1] == "file_path" and other == "":
                        continue  # the working directory, which is no file
                    changes.append(lambda inner, key, other=other: inner.update({key: other}))
                for number, change in enumerate(changes):
                    with self.subTest(agent=agent, field=path, change=number):
                        given = json.dumps(changed(value, path, change)).encode()
                        self.assert_denied(agent, self.hook(agent, given), given)

    def test_any_field_of_any_type_never_breaks_it(self):
        """Only ever one of the answers there are, whatever stands where."""
        for agent in AGENTS:
            for name in (path.stem for path in sorted((RECORDED / agent).glob("*.json"))[::6]):
                value = json.loads(self.recorded(agent, name))
                for path in paths_in(value):
                    for other in (None, [[]], -1e300):
                        given = json.dumps(changed(
                            value, path, lambda inner, key: inner.update({key: other}))).encode()
                        got = self.hook(agent, given)
                        with self.subTest(agent=agent, input=name, field=path, other=other):
                            self.assertIn(got.status, (0, 2), got)
                            if got.status == 2:
                                self.assert_denied(agent, got)
                            elif got.out:
                                self.assert_asks(agent, got)

    def test_relative_directories(self):
        for agent, field, wrong in (("claude", "cwd", "src"), ("gemini", "cwd", "."),
                                    ("codex", "cwd", "~"), ("cursor", "cwd", "src"),
                                    ("cursor", "workspace_roots", ["src"]),
                                    ("cursor", "workspace_roots", [])):
            value = json.loads(self.recorded(agent, JUDGED[agent]))
            value[field] = wrong
            self.assert_denied(agent, self.hook(agent, json.dumps(value).encode()))

    def test_deep_nesting(self):
        for agent in AGENTS:
            for depth in (100, 100_000):
                given = b'{"hook_event_name":"X","x":' + b"[" * depth + b"]" * depth + b"}"
                self.assert_denied(agent, self.hook(agent, given))

    def test_huge(self):
        for agent in AGENTS:
            value = json.loads(self.recorded(agent, JUDGED[agent]))
            value["padding"] = "x" * (12 << 20)
            self.assert_none(self.hook(agent, json.dumps(value).encode()))
            value["padding"] = "x" * (16 << 20)
            reason = self.assert_denied(agent, self.hook(agent, json.dumps(value).encode()))
            self.assertIn("longer than", reason)

    def test_many_paths(self):
        call = json.loads(self.recorded("claude", "mcp_foreign_inside"))
        call["tool_input"] = {"paths": ["src/main.cc"] * 5000}
        got = self.hook("claude", json.dumps(call).encode())
        self.assertIn("more than", self.assert_denied("claude", got))

    def test_odd_text_is_told_safely(self):
        call = json.loads(self.recorded("claude", "read_inside"))
        call["tool_input"]["file_path"] = ".env/\x1b[2J\n\u202e" + "x" * 5000
        reason = self.assert_denied("claude", self.hook("claude", json.dumps(call).encode()))
        self.assertTrue(reason.isprintable(), reason)
        self.assertLess(len(reason), 4000)


if __name__ == "__main__":
    unittest.main()
