"""A command behind the line runs as it would before it."""

import errno
import os
import signal
import subprocess
import unittest

from driver import LAUNCH, LAYERS, NOBODY, LaunchTest

NAMESPACES = [name for name in LAYERS if name.endswith("-namespace")]
ALWAYS = ["landlock", "no-new-privileges", "capabilities"]


class Basic(LaunchTest):

    def test_true_runs_behind_everything(self):
        run = self.run_command("true")
        self.assertEqual([kind for kind, _ in run.reports], ["ready", "ended"])
        ready = run.first("ready")["layers"]
        for layer in ALWAYS + NAMESPACES:
            self.assertIn(layer, ready)
        self.assertEqual((run.first("ended")["status"], run.first("ended")["signal"]), (0, 0))
        self.assertEqual(run.launcher_status, 0)

    def test_status_and_signal_are_told(self):
        self.assertEqual(self.shell("exit 7").first("ended")["status"], 7)
        self.assertEqual(self.shell("kill -9 $$").first("ended")["signal"], signal.SIGKILL)

    def test_arguments_environment_and_directory(self):
        run = self.run_command("sh", "-c", 'printf "%s|" "$@"; env; pwd', "x", "a b", "",
                               environment=["PATH=/usr/bin:/bin", "A=1 2"])
        self.assertEqual(run.output.split(b"|")[:2], [b"a b", b""])
        lines = run.output.split(b"|")[2].decode().split("\n")
        self.assertIn("A=1 2", lines)
        self.assertIn(self.work, lines)
        self.assertFalse([line for line in lines if line.startswith(("HOME=", "CORDON"))])

    def test_a_program_that_is_not_there(self):
        run = self.run_command("no-such-program")
        self.assertEqual(run.reports, [("failed", {"stage": "program", "what": "no-such-program",
                                                   "errno": errno.ENOENT})])

    def test_a_program_that_may_not_run(self):
        path = os.path.join(self.work, "plain")
        with open(path, "w", encoding="utf-8") as file:
            file.write("x")
        run = self.run_command(path)
        self.assertEqual(run.first("failed")["errno"], errno.EACCES)

    def test_a_directory_that_is_not_there(self):
        run = self.run_command("true", directory=self.work + "/none")
        self.assertEqual(run.first("failed")["stage"], "program")

    def test_no_descriptor_is_inherited(self):
        # Between the standard streams and the directory being listed there is nothing.
        run = self.shell("ls /proc/self/fd; ls /proc/$$/fd")
        self.assertEqual(run.output.split(), [b"0", b"1", b"2", b"3", b"0", b"1", b"2"])

    def test_signals_are_as_usual(self):
        run = self.shell("grep -E 'Sig(Blk|Ign)' /proc/self/status")
        self.assertEqual([line.split()[1] for line in run.output.splitlines()], [b"0" * 16] * 2)

    def test_no_capability_and_no_way_to_get_one(self):
        run = self.shell("grep -E '^(Cap|NoNewPrivs)' /proc/self/status")
        values = dict(line.split() for line in run.output.splitlines())
        self.assertEqual(values.pop(b"NoNewPrivs:"), b"1")
        self.assertEqual(set(values.values()), {b"0" * 16})

    def test_the_user_stays(self):
        run = self.shell("id -u; id -g; touch made")
        user = self.user or 0
        self.assertEqual(run.output.split(), [str(user).encode()] * 2)
        self.assertEqual(os.stat(self.work + "/made").st_uid, user)

    def test_a_required_layer_that_is_missing(self):
        run = self.run_command("true", required=["syscall-filter"], wanted=LAYERS)
        if run.first("failed"):  # this build has no filter
            self.assertEqual(run.first("failed")["stage"], "required-layer")
            self.assertEqual(run.first("failed")["what"], "syscall-filter")
            self.assertIsNone(run.first("ready"))
        else:
            self.assertIn("syscall-filter", run.first("ready")["layers"])

    def test_garbage_for_a_spec(self):
        from driver import Run
        import driver
        original = driver.encode
        driver.encode = lambda spec: b"garbage"
        try:
            run = Run({}, user=self.user)
        finally:
            driver.encode = original
        run.wait()
        self.assertEqual(run.first("failed"), {"stage": "set-up", "what": "spec", "errno": 0})


class BasicUnprivileged(Basic):
    user = NOBODY


class Probe(unittest.TestCase):

    def test_each_layer_is_told_of(self):
        lines = subprocess.run([LAUNCH, "--probe"], check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], LAYERS)
        for line in lines:
            self.assertIn(line.split()[1], ("yes", "no"))
            self.assertGreaterEqual(len(line.split()), 3, line)
        self.assertRegex(lines[0], "^landlock yes ABI [0-9]+$")


if __name__ == "__main__":
    unittest.main()
