"""Every command line of commands.txt is explained as it says there."""

import pathlib
import unittest

import support

CASES = support.read_cases(pathlib.Path(__file__).with_name("commands.txt"))


class CommandsTest(unittest.TestCase):
    maxDiff = None

    def test_there_are_many(self):
        commands = [command for _, command, _ in CASES]
        self.assertGreaterEqual(len(set(commands)), 250)
        self.assertEqual(len(set(commands)), len(commands), "a command line stands there twice")

    def test_answers(self):
        for number, command, expected in CASES:
            with self.subTest(line=number, command=command):
                self.assertEqual(support.lines_of(support.explain(command)), expected)

    def test_what_is_unknown_raises_the_risk(self):
        for number, command, _ in CASES:
            with self.subTest(line=number, command=command):
                data = support.explain(command)
                if data["unknown"]:
                    self.assertNotEqual(data["risk"], "low")


if __name__ == "__main__":
    unittest.main()
