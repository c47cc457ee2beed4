"""Who leaves a layer out is told what goes with it, and the machine is not blamed."""

import json
import subprocess
import unittest

from workplace import CORDON, NOBODY, RunTest


class LeftOut(RunTest):
    user = NOBODY

    def test_the_namespace_for_processes_goes_with_the_one_for_mounts(self):
        status, _, errors = self.inside("true", flags=["--without", "mount-namespace"])
        self.assertEqual(status, 0, errors)
        self.assertIn("--without mount-namespace leaves out pid-namespace, too", errors)
        self.assertNotIn("this machine has no pid-namespace", errors)
        both = ["--without", "mount-namespace", "--without", "pid-namespace"]
        self.assertNotIn("pid-namespace", self.inside("true", flags=both)[2])
        status, _, errors = self.inside("true", flags=["--without", "mount-namespace", "--require", "pid-namespace"])
        self.assertEqual(status, 2, errors)

    def test_the_doctor_judges_the_same(self):
        def held(*layers):
            words = [CORDON, "doctor", "--json", *(word for layer in layers for word in ("--without", layer))]
            return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["held"]
        self.assertEqual(held("mount-namespace"), held("mount-namespace", "pid-namespace"))


if __name__ == "__main__":
    unittest.main()
