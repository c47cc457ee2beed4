"""Programs that take too much end within their limit, which is named, and nothing of them is left."""

import json
import os
import subprocess
import threading
import time
import unittest

from workplace import CORDON, NOBODY, RunTest, for_root_too, marked

PYTHON = "/usr/bin/python3"
FORKS = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
EATS = "x = []\nwhile True: x.append(bytearray(b'x' * (4 << 20)))"
SECOND = 1.5  # "about a second", on a machine that has other work


class Bomb(RunTest):
    user = NOBODY

    def bomb(self, *command, flags, limit=None, within=20, other=True):
        """Runs it while another command is tried; answers the status and what was said."""
        answers = []
        process = self.start(self.cordon(*command, flags=flags))

        def try_others():
            while process.poll() is None:
                began = time.monotonic()
                status = subprocess.run(self.cordon("true"), env=self.environment(CORDON_MARK="another"), cwd=self.work,
                                        check=False, capture_output=True, **self.as_user()).returncode
                answers.append((status, time.monotonic() - began))
                time.sleep(0.1)
        trying = threading.Thread(target=try_others)
        trying.start()
        began = time.monotonic()
        try:
            output, errors = process.communicate(timeout=within + 60)
        finally:
            process.kill()
            trying.join()
        taken = time.monotonic() - began
        errors = errors.decode(errors="replace")
        if limit is not None:
            self.assertRegex(errors, f"cordon: ended by the limit on {limit}\n")
        self.assertLess(taken, within, errors)
        self.assertEqual(marked(self.mark), [])
        if other:
            self.assertTrue(answers)
            self.assertEqual({status for status, _ in answers}, {0})
            times = sorted(seconds for _, seconds in answers)
            self.assertLess(times[len(times) // 2], SECOND, times)
        return process.returncode, output, errors

    def test_processes(self):
        self.bomb("bash", "-c", "f() { f | f & }; f; sleep 60", flags=["--processes", "60", "--timeout", "4"],
                  limit="(processes|wall time)", within=12)
        self.bomb(PYTHON, "-c", FORKS, flags=["--processes", "40", "--timeout", "3"],
                  limit="(processes|wall time)", within=12)

    def test_memory(self):
        self.bomb(PYTHON, "-c", EATS, flags=["--memory", "128", "--timeout", "60"], limit="memory")

    def test_memory_of_many(self):
        each = "import os, time\nfor i in range(7):\n  if os.fork() == 0: break\nx = bytearray(b'x' * (40 << 20))\ntime.sleep(60)"
        self.bomb(PYTHON, "-c", each, flags=["--memory", "160", "--timeout", "60"], limit="memory")

    def test_descriptors(self):
        script = ("import os, sys\nn = 0\ntry:\n  while True: os.open('/dev/null', 0); n += 1\n"
                  "except OSError as e: print(n, e.errno)")
        status, output, _ = self.bomb(PYTHON, "-c", script, flags=["--open-files", "100"], other=False)
        self.assertEqual((status, output), (0, b"97 24\n"))

    def test_disk(self):
        self.bomb("sh", "-c", "i=0; while :; do i=$((i+1)); dd if=/dev/zero of=f$i bs=1M count=4 status=none; done",
                  flags=["--disk", "64", "--timeout", "60"], limit="bytes to disks")
        size = sum(entry.stat().st_size for entry in os.scandir(self.work))
        self.assertLess(size, 1 << 30)

    def test_file_size(self):
        self.bomb("dd", "if=/dev/zero", "of=big", "bs=1M", "count=100", flags=["--file-size", "8"], limit="file size",
                  other=False)
        self.assertEqual(os.stat(self.work + "/big").st_size, 8 << 20)

    def test_private_space(self):
        _, output, _ = self.bomb("sh", "-c", "dd if=/dev/zero of=/tmp/x bs=1M count=100 2>&1; stat -c %s /tmp/x",
                                 flags=["--space", "8"], other=False)
        self.assertIn(b"No space left", output)
        self.assertLessEqual(int(output.split()[-1]), 8 << 20)

    def test_processor(self):
        self.bomb("sh", "-c", "while :; do :; done", flags=["--cpu", "1", "--timeout", "100"], limit="CPU time",
                  within=30)
        self.bomb("sh", "-c", "for i in 1 2 3; do (while :; do :; done) & done; wait",
                  flags=["--cpu", "2", "--timeout", "100"], limit="CPU time", within=30)

    def test_one_that_does_not_listen(self):
        self.bomb("bash", "-c", "trap '' TERM INT HUP; while :; do sleep 1; done", flags=["--timeout", "1"],
                  limit="wall time", within=15)

    def test_daemons(self):
        script = ("import os, sys, time\nif os.fork(): time.sleep(0.3); sys.exit(7)\nos.setsid()\nif os.fork(): os._exit(0)\n"
                  "os.chdir('/'); [os.close(n) for n in (0, 1, 2)]\ntime.sleep(600)")
        status, _, _ = self.bomb(PYTHON, "-c", script, flags=[], other=False)
        self.assertEqual(status, 7)
        self.bomb(PYTHON, "-c", script.replace("sys.exit(7)", "time.sleep(600)"), flags=["--timeout", "1"], limit="wall time",
                  within=10)


class Flood(RunTest):
    user = NOBODY

    def test_output(self):
        arguments = json.dumps({"command": "echo first; yes", "timeout": 2})
        began = time.monotonic()
        _, output, errors = self.finish(self.start(
            [CORDON, "tool", "bash", "--root", self.work, "--ask", "none", "--profile", "sandboxed", "--json", arguments]))
        self.assertLess(time.monotonic() - began, 20)
        self.assertLess(len(output), 1 << 20)
        self.assertIn("first", output, errors)
        self.assertIn("y\\ny" if "\\n" in output else "y\ny", output)
        self.assertRegex(output + errors, "time")
        self.assertEqual(marked(self.mark), [])


BombAsRoot = for_root_too(Bomb)
FloodAsRoot = for_root_too(Flood)

if __name__ == "__main__":
    unittest.main()
