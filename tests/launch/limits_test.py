"""Each limit ends what goes beyond it, and is named."""

import os
import signal
import time
import unittest

from driver import LAYERS, NOBODY, LaunchTest

MIB = 1 << 20
EAT_MEMORY = "x=[]\nwhile True: x.append(bytearray(b'x'*(4<<20)))"
MANY_PROCESSES = ("import os,time\n"
                  "for i in range(200):\n"
                  "  try: p=os.fork()\n"
                  "  except OSError: time.sleep(0.2); continue\n"
                  "  if p==0: time.sleep(30); os._exit(0)\n"
                  "time.sleep(30)")


class Limits:

    def python(self, script, **more):
        return self.run_command("/usr/bin/python3", "-c", script, **more)

    def assert_hit(self, run, limit):
        self.assertEqual([value["limit"] for kind, value in run.reports if kind == "limit"], [limit])
        self.assertEqual(run.reports[-1][0], "ended")

    def test_wall_time(self):
        began = time.monotonic()
        run = self.run_command("sleep", "30", limits={"wall": 300})
        self.assert_hit(run, "wall")
        self.assertEqual(run.first("ended")["signal"], signal.SIGTERM)
        self.assertGreaterEqual(time.monotonic() - began, 0.3)
        self.assertLess(time.monotonic() - began, 10)

    def test_wall_time_of_one_that_does_not_listen(self):
        run = self.shell("trap '' TERM; while :; do sleep 1; done", limits={"wall": 200, "grace": 300})
        self.assert_hit(run, "wall")
        self.assertEqual(run.first("ended")["signal"], signal.SIGKILL)

    def test_cpu_time_of_one_process(self):
        run = self.shell("while :; do :; done", limits={"cpu": 1, "wall": 60000})
        self.assert_hit(run, "cpu")

    def test_cpu_time_of_many_together(self):
        # Each for itself stays below the limit.
        run = self.python("import os,time\n"
                          "for i in range(6):\n"
                          "  if os.fork()==0:\n"
                          "    while time.process_time()<0.4: pass\n"
                          "    os._exit(0)\n"
                          "  os.wait()\n"
                          "time.sleep(60)", limits={"cpu": 1, "wall": 90000})
        self.assert_hit(run, "cpu")
        self.assertGreater(run.first("ended")["cpu"], 900_000)

    def test_memory(self):
        run = self.python(EAT_MEMORY, limits={"memory": 128 * MIB, "wall": 60000})
        self.assert_hit(run, "memory")
        self.assertGreater(run.first("ended")["memory"], 100 * MIB)

    def test_memory_of_a_child(self):
        run = self.shell(f'/usr/bin/python3 -c "{EAT_MEMORY}"; sleep 20', limits={"memory": 128 * MIB, "wall": 60000})
        self.assert_hit(run, "memory")

    def test_processes(self):
        run = self.python(MANY_PROCESSES, limits={"processes": 20, "wall": 60000})
        self.assert_hit(run, "processes")

    def test_many_processes(self):
        run = self.python(MANY_PROCESSES.replace("200", "3000"), limits={"processes": 1024, "wall": 60000})
        self.assert_hit(run, "processes")

    def test_as_many_processes_as_allowed(self):
        run = self.shell("for i in 1 2 3 4 5; do sleep 0.3 & done; wait; echo done", limits={"processes": 8})
        self.assertEqual(run.output, b"done\n")
        self.assertIsNone(run.first("limit"))

    def test_open_files(self):
        run = self.python("import os\nf=[]\ntry:\n  while True: f.append(os.open('/dev/null',0))\n"
                          "except OSError as e: print(len(f)+3, e.errno)", limits={"open_files": 40})
        self.assertEqual(run.output, b"40 24\n")

    def test_file_size(self):
        run = self.run_command("dd", "if=/dev/zero", "of=big", "bs=64k", "count=64", limits={"file_size": MIB})
        self.assert_hit(run, "file_size")
        self.assertEqual(run.first("ended")["signal"], signal.SIGXFSZ)
        self.assertEqual(os.stat(self.work + "/big").st_size, MIB)

    def test_written_bytes(self):
        run = self.shell("for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=f$i bs=1M count=8 2>/dev/null; sleep 0.1; done;"
                         "sleep 20", limits={"written": 16 * MIB, "wall": 60000})
        self.assert_hit(run, "written")
        self.assertGreater(run.first("ended")["written"], 16 * MIB)

    def test_nothing_is_said_below_the_limits(self):
        run = self.shell("echo x >f; sleep 0.2", limits={
            "wall": 60000, "cpu": 60, "memory": 1 << 30, "processes": 50, "open_files": 500, "file_size": 1 << 30,
            "written": 1 << 30, "private_space": 1 << 30})
        self.assertIsNone(run.first("limit"))
        self.assertEqual(run.first("ended")["status"], 0)


class Privileged(Limits, LaunchTest):
    """Memory and processes are held by control groups where these can be made."""

    def tearDown(self):
        for root in ("/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
            for path, folders, _ in os.walk(root):
                self.assertFalse([name for name in folders if name.startswith("cordon-")], path)

    def test_private_space(self):
        # All private directories share it.
        run = self.shell("dd if=/dev/zero of=/tmp/big bs=64k count=64; dd if=/dev/zero of=/dev/shm/x bs=64k count=1;"
                         "dd if=/dev/zero of=/home/x/y bs=64k count=1; wc -c </tmp/big",
                         home="/home/x", limits={"private_space": MIB})
        self.assertEqual(run.output.count(b"No space left"), 3)
        self.assertLessEqual(int(run.output.split()[-1]), MIB)
        self.assert_hit(run, "private_space")


class Unprivileged(Limits, LaunchTest):
    user = NOBODY


class Sampled(Limits, LaunchTest):
    """Without control groups."""
    wanted = [name for name in LAYERS if name != "control-group"]


class SampledWithoutNamespaces(Limits, LaunchTest):
    wanted = ["landlock", "no-new-privileges", "capabilities"]
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
