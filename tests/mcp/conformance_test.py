"""The protocol's own conformance suite, against a server made of the rooms that we ship."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import packages


class Conformance(unittest.TestCase):
    def test_every_required_scenario_of_both_revisions(self):
        packages.packages()
        with tempfile.TemporaryDirectory(prefix="cordon-conformance-") as out:
            done = subprocess.run(
                [packages.SOURCE / "scripts/conformance.sh", os.environ["CONFORMANCE_SERVER"], out],
                capture_output=True, text=True, timeout=800, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])
        told = re.split(r"^== conformance, requirements of ", done.stdout, flags=re.MULTILINE)[1:]
        self.assertEqual([part[:10] for part in told], ["2025-11-25", "2026-07-28"])
        for part in told:  # not that nothing was asked for
            self.assertGreaterEqual(len(re.findall(r"^\u2713 ", part, re.MULTILINE)), 25, part)
            # Extensions and what is not required yet count here, too.
            self.assertNotRegex(part, r"(?m)^\s*\u2717 ")
            self.assertRegex(part, r"(?m)^Total: \d+ passed, 0 failed$")


if __name__ == "__main__":
    unittest.main()
