"""The dialect mcp-filesystem against the recording, call by call; see differences.json."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import compare
import support
import transcript

DIFFERENCES = pathlib.Path(__file__).parent / "differences.json"


def key(entry):
    """What a call is known by: numbers shift when calls are added."""
    return entry["tool"] + " " + json.dumps(entry["arguments"], sort_keys=True)


def seen(entry):
    return {part: entry[part] for part in ("content", "isError", "changes")}


class Replay(unittest.TestCase):
    maxDiff = None

    def test_every_call_gives_what_the_server_gave(self):
        allowed = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
        reasons = {call: reason for reason, calls in allowed.items() for call in calls}
        met = set()
        for real, ours in zip(transcript.load()["calls"], compare.replay(), strict=True):
            with self.subTest(number=real["number"], call=key(real)):
                if key(real) in reasons:
                    met.add(key(real))
                    self.assertNotEqual(seen(real), seen(ours), "listed, but does not differ")
                else:
                    self.assertEqual(seen(real), seen(ours))
        self.assertEqual(set(reasons), met, "listed, but not among the calls")

    def test_no_answer_tells_what_is_outside(self):
        for entry in compare.replay():
            with self.subTest(number=entry["number"], call=key(entry)):
                told = json.dumps(entry["content"])
                self.assertNotIn("SECRET", told)
                asked = json.dumps(entry["arguments"])
                if "outside" not in asked:
                    self.assertNotIn("$BASE/outside", told)
                    self.assertNotIn("../outside", told)

    def test_nothing_outside_is_changed(self):
        for entry in compare.replay():
            with self.subTest(number=entry["number"], call=key(entry)):
                self.assertEqual([name for name in entry["changes"] if name.startswith("outside")],
                                 [])


class Schemas(unittest.TestCase):
    """What a client sees of the tools is what it saw of the server's."""

    maxDiff = None

    def setUp(self):
        self.real = {tool["name"]: tool for tool in transcript.load()["tools"]}
        self.ours = {tool["name"]: transcript.visible_schema(tool)
                     for tool in support.declarations("mcp-filesystem")}

    def test_the_same_tools_and_one_more(self):
        self.assertEqual(set(self.ours), set(self.real) | {"delete_file"})

    def test_the_same_titles_and_hints(self):
        for name, real in self.real.items():
            with self.subTest(tool=name):
                self.assertEqual(self.ours[name]["title"], real["title"])
                for hint, value in real["annotations"].items():
                    self.assertEqual(self.ours[name]["annotations"][hint], value, hint)

    def test_the_same_arguments(self):
        def narrowed(schema):
            # Counts of lines are whole numbers: the one thing that is narrower.
            text = json.dumps(schema, sort_keys=True)
            return text.replace('"integer"', '"number"')
        for name, real in self.real.items():
            with self.subTest(tool=name):
                self.assertEqual(narrowed(self.ours[name]["inputSchema"]),
                                 json.dumps(real["inputSchema"], sort_keys=True))

    def test_the_same_results(self):
        for name, real in self.real.items():
            with self.subTest(tool=name):
                theirs = dict(real["outputSchema"])
                theirs.pop("additionalProperties", None)
                if name == "read_media_file":  # a choice of two forms there, one wider form here
                    self.assertEqual(self.ours[name]["outputSchema"]["required"], ["content"])
                else:
                    self.assertEqual(self.ours[name]["outputSchema"], theirs)


if __name__ == "__main__":
    unittest.main()
