"""The driver itself must notice a case that proves nothing."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run_case import problem_with  # noqa: E402

COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else "c++"
BROKEN = "// EXPECT: undeclared|not declared\nint F() { return missing; }\n"


class RunCase(unittest.TestCase):
    def problem(self, case, control):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "case.cc")
            path.write_text(case)
            if control is not None:
                pathlib.Path(folder, "case_control.cc").write_text(control)
            return problem_with(path, [COMPILER, "-std=c++20", "-I", folder])

    def test_verdicts(self):
        fine = "int F() { return 1; }\n"
        self.assertIsNone(self.problem(BROKEN, fine))
        self.assertIn("the case compiles", self.problem("// EXPECT: x\n" + fine, fine))
        self.assertIn("no error matches", self.problem(BROKEN.replace("undeclared|not declared", "private"), fine))
        self.assertIn("control does not compile", self.problem(BROKEN, BROKEN))
        self.assertIn("missing", self.problem(BROKEN, None))
        self.assertIn("no EXPECT", self.problem(fine, fine))


if __name__ == "__main__":
    unittest.main()
