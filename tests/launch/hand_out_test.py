"""What is handed out with Ready: a terminal, and the listeners of a proxied network."""

import os
import select
import signal
import socket
import time
import unittest

from driver import FULL, LAYERS, NOBODY, PROXIED, LaunchTest


class Terminal(LaunchTest):

    def read_until(self, terminal, wanted):
        data = b""
        deadline = time.monotonic() + 20
        while wanted not in data:
            ready, _, _ = select.select([terminal], [], [], max(0, deadline - time.monotonic()))
            self.assertTrue(ready, data)
            data += os.read(terminal, 4096)
        return data

    def begin(self, *arguments, **more):
        run = self.start(*arguments, terminal=True, **more)
        ready = run.until("ready", "failed")
        self.assertEqual((ready[0], len(run.descriptors)), ("ready", 1))
        return run, run.descriptors[0]

    def test_a_terminal_of_its_own(self):
        run, terminal = self.begin("sh", "-c", "tty; test -t 0 && test -t 1 && test -t 2 && echo three; read x; echo got $x;"
                                   "echo way >/dev/tty; exit 4")
        self.assertIn(b"three", self.read_until(terminal, b"three"))
        os.write(terminal, b"typed\n")
        self.assertIn(b"got typed", self.read_until(terminal, b"way"))
        self.assertEqual(run.wait()[1]["status"], 4)

    def test_keys_are_signals(self):
        run, terminal = self.begin("sh", "-c", "echo begun; exec sleep 60")
        self.read_until(terminal, b"begun")
        os.write(terminal, b"\x03")
        self.assertEqual(run.wait()[1]["signal"], signal.SIGINT)

    def test_it_is_the_only_terminal_there(self):
        run, terminal = self.begin("sh", "-c", "tty; ls /dev/pts; read x")
        shown = self.read_until(terminal, b"ptmx").split()
        self.assertEqual(shown, [b"/dev/pts/0", b"0", b"ptmx"])
        os.write(terminal, b"\n")
        run.wait()


class TerminalUnprivileged(Terminal):
    user = NOBODY


class TerminalWithoutNamespaces(Terminal):
    wanted = ["landlock", "no-new-privileges", "capabilities"]
    test_it_is_the_only_terminal_there = None


class Proxied(LaunchTest):

    def test_two_listeners_are_handed_out(self):
        script = ("import os,socket,urllib.parse as u\n"
                  "for n in ('https_proxy','ALL_PROXY'):\n"
                  "  a=u.urlsplit(os.environ[n]); s=socket.create_connection((a.hostname,a.port))\n"
                  "  s.sendall(a.scheme.encode()); print(s.recv(99).decode(), flush=True)\n"
                  "print(os.environ['NO_PROXY'], os.environ['HTTP_PROXY']==os.environ['http_proxy'])")
        run = self.start("/usr/bin/python3", "-c", script, network=PROXIED,
                         environment=["PATH=/usr/bin", "https_proxy=http://elsewhere:1"])
        run.until("ready")
        self.assertEqual(len(run.descriptors), 2)
        for descriptor, scheme in zip(list(run.descriptors), (b"http", b"socks5h")):
            with socket.socket(fileno=os.dup(descriptor)) as listener:
                listener.settimeout(20)
                connection, _ = listener.accept()
                with connection:
                    connection.settimeout(20)
                    self.assertEqual(connection.recv(99), scheme)
                    connection.sendall(b"hello " + scheme)
        run.wait()
        self.assertEqual(run.output.split(), [b"hello", b"http", b"hello", b"socks5h", b"localhost,127.0.0.1,::1", b"True"])
        self.assertEqual(run.first("ended")["status"], 0)


class ProxiedUnprivileged(Proxied):
    user = NOBODY


class Full(LaunchTest):

    def test_the_network_of_the_host(self):
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        run = self.run_command("/usr/bin/python3", "-c", "import socket\n"
                               f"socket.create_connection(('127.0.0.1',{listener.getsockname()[1]}))\nprint('connected')",
                               network=FULL)
        self.assertEqual(run.output, b"connected\n")
        self.assertNotIn("network-namespace", run.first("ready")["layers"])
        self.assertIn("mount-namespace", run.first("ready")["layers"])

    def test_and_not_if_its_namespace_is_required(self):
        run = self.run_command("true", network=FULL, required=["network-namespace"], wanted=LAYERS)
        self.assertEqual(run.first("failed")["stage"], "required-layer")


if __name__ == "__main__":
    unittest.main()
