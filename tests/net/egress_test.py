#!/usr/bin/env python3
"""curl through the egress proxy, over HTTP and over SOCKS5.

The second class opens the listeners in a network namespace of its own, as a sandbox has it:
curl, inside, reaches nothing but them, and the proxy, outside, connects.
"""

import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

PROGRAM = os.environ["EGRESS_PROGRAM"]
BODY = b"from the host\n" * 20_000

# Run inside: lo is brought up, two listeners are opened and sent out, and curl is started
# with the arguments that come line by line; its output goes back as one block each.
INSIDE = r"""
import array, fcntl, json, socket, struct, subprocess, sys
control = socket.socket(fileno=int(sys.argv[1]))
with socket.socket() as any_socket:
    request = struct.pack("16sh14x", b"lo", 1 | 64)  # up, running
    fcntl.ioctl(any_socket, 0x8914, request)         # SIOCSIFFLAGS
made = []
for _ in range(2):
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.listen(64)
    made.append(one)
ports = json.dumps([one.getsockname()[1] for one in made]).encode()
socket.send_fds(control, [ports], [one.fileno() for one in made])
for line in sys.stdin:
    done = subprocess.run(json.loads(line), capture_output=True, timeout=30)
    print(json.dumps([done.returncode, done.stdout.decode("latin-1"), done.stderr.decode("latin-1")]),
          flush=True)
"""


class Host(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply(BODY)

    def do_POST(self):
        self.reply(self.rfile.read(int(self.headers["Content-Length"])))

    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy:
    """The program, over two listeners."""

    def __init__(self, listeners, rules):
        self.process = subprocess.Popen(
            [PROGRAM, *map(str, listeners), rules], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, pass_fds=listeners)
        assert self.process.stdout.readline() == "ready\n"

    def end(self):
        """What it told, line by line."""
        told, _ = self.process.communicate(timeout=10)
        assert self.process.returncode == 0, self.process.returncode
        return told.splitlines()


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class OnLoopback(unittest.TestCase):
    def setUp(self):
        self.server = serve()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.port = self.server.server_address[1]
        listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.ports = [one.getsockname()[1] for one in listeners]
        self.proxy = Proxy([one.fileno() for one in listeners],
                           f"allow:localhost:{self.port}")
        for one in listeners:
            one.close()
        self.addCleanup(self.stop)

    def stop(self):
        if self.proxy.process.poll() is None:
            self.proxy.end()

    def curl(self, *arguments):
        return subprocess.run(["curl", "-sS", "--max-time", "20", "--noproxy", "", *arguments],
                              capture_output=True, timeout=30)

    def ways(self):
        http_proxy = f"http://127.0.0.1:{self.ports[0]}"
        return {"http": ["-x", http_proxy], "connect": ["-p", "-x", http_proxy],
                "socks5": ["-x", f"socks5h://127.0.0.1:{self.ports[1]}"]}

    def test_what_is_allowed_comes_through_unchanged(self):
        for way, options in self.ways().items():
            for host in "localhost", "LOCALHOST.", "127.0.0.1":
                with self.subTest(way=way, host=host):
                    done = self.curl(*options, f"http://{host}:{self.port}/")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stdout, BODY)
        told = self.proxy.end()
        for way in self.ways():
            self.assertEqual(sum(f"decided {way} allowed" in line for line in told), 3, told)
            self.assertEqual(sum(f"ended {way} allowed" in line for line in told), 3, told)

    def test_bodies_go_up_unchanged(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(BODY)
            file.flush()
            for way, options in self.ways().items():
                with self.subTest(way=way):
                    done = self.curl(*options, "--data-binary", f"@{file.name}",
                                     f"http://localhost:{self.port}/")
                    self.assertEqual(done.stdout, BODY)

    def test_what_is_not_allowed_is_refused(self):
        other = serve()
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        port = other.server_address[1]
        done = self.curl(*self.ways()["http"], "-w", "%{http_code}", f"http://localhost:{port}/")
        self.assertTrue(done.stdout.endswith(b"403"), done.stdout)
        self.assertIn(f"localhost:{port}".encode(), done.stdout)
        done = self.curl(*self.ways()["connect"], f"http://localhost:{port}/")
        self.assertEqual(done.returncode, 56)
        self.assertIn(b"403", done.stderr)
        done = self.curl(*self.ways()["socks5"], f"http://localhost:{port}/")
        self.assertEqual(done.returncode, 97, done.stderr)
        told = self.proxy.end()
        self.assertEqual(len(told), 3, told)
        self.assertTrue(all(" refused " in line for line in told), told)


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class InItsOwnNamespace(unittest.TestCase):
    def setUp(self):
        if not shutil.which("unshare"):
            self.skipTest("no unshare here")
        ours, theirs = socket.socketpair()
        with theirs:
            self.inside = subprocess.Popen(
                ["unshare", "--user", "--net", "--map-root-user", sys.executable, "-c", INSIDE,
                 str(theirs.fileno())],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, pass_fds=[theirs.fileno()])
        self.addCleanup(self.leave)
        with ours:
            ports, listeners, _, _ = socket.recv_fds(ours, 100, 2)
        if not ports:
            self.skipTest("no network namespaces here")
        self.ports = json.loads(ports)
        self.server = serve()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.port = self.server.server_address[1]
        self.proxy = Proxy(listeners, f"allow:localhost:{self.port}")
        for one in listeners:
            os.close(one)
        self.addCleanup(self.proxy.end)

    def leave(self):
        self.inside.communicate(timeout=10)

    def curl(self, *arguments):
        print(json.dumps(["curl", "-sS", "--max-time", "20", "--noproxy", "", *arguments]),
              file=self.inside.stdin, flush=True)
        return json.loads(self.inside.stdout.readline())

    def test_the_listeners_are_the_only_way_out(self):
        url = f"http://localhost:{self.port}/"
        code, _, said = self.curl(url)
        self.assertEqual(code, 7, said)  # nobody listens there, inside
        for options in (["-x", f"http://127.0.0.1:{self.ports[0]}"],
                        ["-p", "-x", f"http://127.0.0.1:{self.ports[0]}"],
                        ["-x", f"socks5h://127.0.0.1:{self.ports[1]}"]):
            with self.subTest(options=options):
                code, body, said = self.curl(*options, url)
                self.assertEqual(code, 0, said)
                self.assertEqual(body.encode(), BODY)
        code, _, said = self.curl("-p", "-x", f"http://127.0.0.1:{self.ports[0]}",
                                  f"http://localhost:{self.ports[0]}/")
        self.assertEqual(code, 56, said)


if __name__ == "__main__":
    unittest.main()
