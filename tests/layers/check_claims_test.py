"""scripts/check_claims.py must notice a claim without a test behind it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_claims.py"
GOOD = "# Model\n\n### T1. Holds\n\nBecause.\n\nTests: `race_test`, `tests/a/case.json`\n\n## Else\n"


def check(document):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name, text in {
                "docs/threat-model.md": document, "tests/a/case.json": "[]",
                "tests/a/CMakeLists.txt": "cordon_test(race_test SOURCES a.cc)\n",
                "src/base/a_test.cc":
                    "TEST(A, Holds) {\nTEST_P(\n    Long, AlsoHolds) {\n// TEST(A, No)\n",
                "tests/compile_fail/forge.cc": "",
                "tests/cli/CMakeLists.txt": "add_test(NAME cli_${name} COMMAND x)\n",
                "tests/cli/why_test.py": ""}.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, tree], capture_output=True, text=True)
        return done.returncode, done.stdout


class CheckClaims(unittest.TestCase):
    def test_good(self):
        for names in ["`race_test`, `tests/a/case.json`", "`base_test`", "`compile_fail_forge`",
                      "`cli_why_test`", "`race_test`,\n`base_test`", "`A.Holds`, `Long.AlsoHolds`"]:
            status, output = check(GOOD.replace("`race_test`, `tests/a/case.json`", names))
            self.assertEqual((status, output), (0, ""), names)

    def test_bad(self):
        for document, expected in [
                (GOOD.replace("race_test", "rice_test"), "rice_test"),
                (GOOD.replace("race_test`", "race_test`,\n`gone_test`"), "gone_test"),
                (GOOD.replace("case.json", "none.json"), "none.json"),
                (GOOD.replace("`race_test`", "`compile_fail_gone`"), "compile_fail_gone"),
                (GOOD.replace("`race_test`", "`guard_test`"), "guard_test"),
                (GOOD.replace("`race_test`", "`cli_gone_test`"), "cli_gone_test"),
                (GOOD.replace("`race_test`", "`A.Gone`"), "A.Gone"),
                (GOOD.replace("`race_test`", "`A.No`"), "A.No"),
                (GOOD.replace("Tests:", "Test"), "names no test"),
                (GOOD.replace("T1.", "T2."), "where T1 should"),
                ("# Model\n", "no claims"), ("", "no claims")]:
            status, output = check(document)
            self.assertEqual(status, 1, document)
            self.assertIn(expected, output)


if __name__ == "__main__":
    unittest.main()
