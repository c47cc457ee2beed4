"""What the line holds, with all of it and with single parts of it."""

import os
import socket
import unittest

from driver import LAYERS, NOBODY, PROXIED, READ, READ_WRITE, SYSTEM, LaunchTest

LANDLOCK_ALONE = ["landlock", "no-new-privileges", "capabilities"]
MOUNTS_ALONE = ["user-namespace", "mount-namespace", "pid-namespace", "no-new-privileges", "capabilities"]


class Hold:
    """For each way to hold a command."""

    def test_inside_is_usable(self):
        run = self.shell("mkdir d && echo x >d/a && mv d/a b && ln b c && cat c && rm -r b c d")
        self.assertEqual((run.output, run.first("ended")["status"]), (b"x\n", 0))

    def test_outside_is_neither_read_nor_changed(self):
        run = self.shell(f"cat {self.outside}; echo x >{self.outside}; rm {self.outside}; ls {self.top};"
                         f"echo x >{self.top}/new; cat /etc/shadow; ls /root /home; ls /sys")
        self.assertNotIn(b"secret", run.output)
        self.assertNotRegex(run.output, rb"root:[*!$x]")
        self.assertFalse(os.path.exists(self.top + "/new"))
        with open(self.outside, encoding="utf-8") as file:
            self.assertEqual(file.read(), "secret")

    def test_links_lead_nowhere(self):
        os.symlink(self.outside, self.work + "/link")
        run = self.shell("cat link; echo x >link; cat ../outside")
        self.assertNotIn(b"secret", run.output)
        with open(self.outside, encoding="utf-8") as file:
            self.assertEqual(file.read(), "secret")

    def test_system_files_cannot_be_changed(self):
        run = self.shell("touch /usr/cordon-test || echo refused; cp /dev/null /etc/passwd || echo refused")
        self.assertEqual(run.output.count(b"refused\n"), 2)
        self.assertFalse(os.path.exists("/usr/cordon-test"))

    def test_a_read_only_place(self):
        other = self.top + "/other"
        os.mkdir(other)
        with open(other + "/file", "w", encoding="utf-8") as file:
            file.write("kept")
        if self.user is not None:
            os.chown(other, self.user, self.user)
            os.chown(other + "/file", self.user, self.user)
        run = self.shell(f"cat {other}/file; echo x >{other}/file; touch {other}/new",
                         places=[(self.work, READ_WRITE), (other, READ)])
        self.assertTrue(run.output.startswith(b"kept"))
        with open(other + "/file", encoding="utf-8") as file:
            self.assertEqual(file.read(), "kept")
        self.assertFalse(os.path.exists(other + "/new"))

    def test_kernel_settings_cannot_be_changed(self):
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            before = file.read()
        run = self.shell("cat /proc/sys/kernel/core_pattern >x; cp x /proc/sys/kernel/core_pattern || echo refused;"
                         "echo h >y; cp y /proc/sysrq-trigger || echo refused")
        self.assertEqual(run.output.count(b"refused\n"), 2)
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_the_one_that_supervises_is_out_of_reach(self):
        # Its parent: it can neither be ended nor looked into.
        script = ("import os,signal\n"
                  "p=os.getppid()\n"
                  "for n in (signal.SIGTERM,signal.SIGKILL,signal.SIGSTOP):\n"
                  "  try: os.kill(p,n); print('sent', n)\n"
                  "  except OSError: pass\n"
                  "for n in ('mem','environ','maps','fd/4'):\n"
                  "  try: open(f'/proc/{p}/{n}','rb').read(1); print('read', n)\n"
                  "  except OSError: pass\n"
                  "print('alive')")
        run = self.run_command("/usr/bin/python3", "-uc", script)
        self.check_supervisor(run)

    def check_supervisor(self, run):
        self.assertEqual(run.output, b"alive\n")


class MountHold(Hold):
    """Where there is a mount namespace."""

    def test_a_read_only_place_in_a_writable_one(self):
        inner = self.work + "/inner"
        os.mkdir(inner)
        if self.user is not None:
            os.chown(inner, self.user, self.user)
        run = self.shell("touch new && touch inner/new || echo refused",
                         places=[(inner, READ), (self.work, READ_WRITE)])
        self.assertTrue(run.output.endswith(b"refused\n"), run.output)
        self.assertTrue(os.path.exists(self.work + "/new"))
        self.assertFalse(os.path.exists(inner + "/new"))

    def test_hidden_things(self):
        os.mkdir(self.work + "/state")
        for name in ("state/key", "file"):
            with open(f"{self.work}/{name}", "w", encoding="utf-8") as file:
                file.write("secret")
        if self.user is not None:
            for name in ("state", "state/key", "file"):
                os.chown(f"{self.work}/{name}", self.user, self.user)
        run = self.shell("ls state; cat state/key file; touch state/new; echo x >file",
                         hidden=[self.work + "/state", self.work + "/file", self.work + "/none"])
        self.assertNotIn(b"secret", run.output)
        self.assertEqual(os.listdir(self.work + "/state"), ["key"])
        with open(self.work + "/file", encoding="utf-8") as file:
            self.assertEqual(file.read(), "secret")

    def test_private_directories(self):
        home = "/home/somebody"
        names = ["/tmp/cordon-launch-test", "/dev/shm/cordon-launch-test", home + "/x"]
        run = self.shell("; ".join(f"echo private >{name}; cat {name}" for name in names), home=home)
        self.assertEqual(run.output, b"private\n" * 3)
        for name in names:
            self.assertFalse(os.path.exists(name))
        again = self.shell(f"ls /tmp /dev/shm {home}", home=home)
        self.assertNotIn(b"cordon-launch-test", again.output)

    def test_a_workspace_below_tmp_and_one_below_home(self):
        run = self.shell(f"pwd; echo y >made; ls {self.top}", home=self.top)
        self.assertEqual(run.output.split(), [self.work.encode(), b"work"])
        self.assertTrue(os.path.exists(self.work + "/made"))

    def test_the_whole_file_system_read_only(self):
        run = self.shell(f"cat {self.outside}; touch {self.top}/new; touch /usr/new; touch made; echo t >/tmp/t; ls /tmp",
                         system=["/"])
        self.assertTrue(run.output.startswith(b"secret"), run.output)
        self.assertTrue(run.output.endswith(b"\nt\n"), run.output)
        self.assertFalse(os.path.exists(self.top + "/new"))
        self.assertTrue(os.path.exists(self.work + "/made"))

    def test_only_own_processes_are_seen(self):
        run = self.shell("ls /proc | grep -E '^[0-9]+$' | wc -l")
        self.assertLessEqual(int(run.output), 5)

    def test_devices(self):
        run = self.shell("echo x >/dev/null; head -c 4 /dev/zero | wc -c; head -c 4 /dev/urandom | wc -c;"
                         "echo a | cat /dev/stdin; echo b >/dev/stdout; ls /dev/sda /dev/vda /dev/mem /dev/kmsg 2>/dev/null")
        self.assertEqual(run.output.split(), [b"4", b"4", b"a", b"b"])


class Everything(MountHold, LaunchTest):

    def test_the_name_of_the_host(self):
        self.assertEqual(self.run_command("uname", "-n").output, b"cordon\n")

    def test_no_network_but_loopback(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        port = listener.getsockname()[1]
        run = self.run_command("/usr/bin/python3", "-uc",
                               "import socket,sys\n"
                               "s=socket.create_server(('127.0.0.1',0)); socket.create_connection(s.getsockname())\n"
                               "print('own')\n"
                               f"socket.create_connection(('127.0.0.1',{port}))\nprint('others')")
        self.assertTrue(run.output.startswith(b"own\n"), run.output)
        self.assertNotIn(b"others", run.output)

    def test_an_abstract_socket_of_others(self):
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(f"\0cordon-launch-{os.getpid()}")
        listener.listen()
        run = self.run_command("/usr/bin/python3", "-uc",
                               f"import socket; socket.socket(socket.AF_UNIX).connect('\\0cordon-launch-{os.getpid()}')\n"
                               "print('connected')")
        self.assertNotIn(b"connected\n", run.output)


class EverythingUnprivileged(Everything):
    user = NOBODY


class MountsAlone(MountHold, LaunchTest):
    wanted = MOUNTS_ALONE

    def check_supervisor(self, run):
        # The kernel takes signals to a first process and does nothing.
        self.assertNotIn(b"read", run.output)
        self.assertTrue(run.output.endswith(b"alive\n"), run.output)
        self.assertEqual(run.first("ended")["status"], 0)


class MountsAloneUnprivileged(MountsAlone):
    user = NOBODY


class LandlockAlone(Hold, LaunchTest):
    wanted = LANDLOCK_ALONE

    def test_tcp_is_refused(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        run = self.run_command("/usr/bin/python3", "-uc", "import socket\n"
                               f"socket.create_connection(('127.0.0.1',{listener.getsockname()[1]}))\nprint('connected')")
        self.assertNotIn(b"connected\n", run.output)

    def test_an_outside_process_cannot_be_signalled(self):
        run = self.shell(f"kill -0 {os.getpid()} && echo sent")
        self.assertNotIn(b"sent", run.output)

    def test_a_proxied_network_needs_its_namespace(self):
        run = self.run_command("true", network=PROXIED)
        self.assertEqual(run.first("failed")["stage"], "required-layer")
        self.assertEqual(run.first("failed")["what"], "network-namespace")


class LandlockAloneUnprivileged(LandlockAlone):
    user = NOBODY


class WithoutProcessNamespace(LaunchTest):
    """As where process files cannot be mounted."""
    wanted = [name for name in LAYERS if name != "pid-namespace"]

    def test_it_runs_and_sees_its_own(self):
        run = self.shell(f"cat /proc/self/comm; cat {self.outside}; echo x >/proc/sys/kernel/core_pattern || echo refused")
        self.assertTrue(run.output.startswith(b"cat\n"))
        self.assertNotIn(b"secret", run.output)
        self.assertIn(b"refused", run.output)
        self.assertNotIn("pid-namespace", run.first("ready")["layers"])


if __name__ == "__main__":
    unittest.main()
