"""Visitors, servers inside, sandboxes and the proxy itself end in the middle of things, again and
again: the other side sees a clean end, and nothing stays open.

CORDON_CYCLES: how many; 10,000 if not given."""

import os
import signal
import time
import unittest

from previewed import PreviewTest, Visitor, WebSocketVisitor, descriptors, preview_address
import served

CYCLES = int(os.environ.get("CORDON_CYCLES", "10000"))


class CyclesTest(PreviewTest):
    def ask_for(self, target, host, cookie):
        visitor = Visitor(self.address)
        visitor.say(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n")
        return visitor

    def one_cycle(self, number, host, cookie):
        kind = number % 5
        if kind == 0:  # the visitor goes
            visitor = self.ask_for("/size/50000000", host, cookie)
            visitor.head()
        elif kind == 1:
            visitor = self.ask_for("/events", host, cookie)
            visitor.head()
        elif kind == 2:
            visitor = WebSocketVisitor(self.address)
            self.assertEqual(visitor.open(host, cookie).status, 101)
            visitor.frame(b"x" * 100)
        elif kind == 3:  # the server inside goes, in the middle of a reply
            visitor = self.ask_for("/half", host, cookie)
            self.assertEqual(visitor.head().status, 200)
            self.assertEqual(visitor.rest(), b"only this")
        else:
            visitor = self.ask_for("/half-chunk", host, cookie)
            self.assertEqual(visitor.head().status, 200)
            self.assertNotIn(b"\r\n0\r\n\r\n", visitor.rest())
        visitor.close()

    def test_cycles(self):
        pid = self.server.process.pid
        path, id = self.with_server()
        cookie = self.cookie(path)
        self.assertEqual(self.visit("/size/1", self.host(id), cookie=cookie).body, b"x")
        time.sleep(6)
        before = descriptors(pid)
        for number in range(CYCLES):
            self.one_cycle(number, self.host(id), cookie)
            if number % 500 == 250:
                self.kill_the_server(path, id, cookie)
            if number % 2000 == 1000:
                self.end_a_sandbox()
        deadline = time.monotonic() + 60
        while descriptors(pid) > before + 2 and time.monotonic() < deadline:
            time.sleep(0.5)
        self.assertLessEqual(descriptors(pid), before + 2)

    def kill_the_server(self, path, id, cookie):
        stream = self.ask_for("/events", self.host(id), cookie)
        stream.head()
        waits = self.ask_for("/slow/60", self.host(id), cookie)
        time.sleep(0.1)
        self.kill_inside(path)
        self.assertNotIn(b"\r\n0\r\n\r\n", stream.rest())
        self.assertEqual(waits.reply().status, 502)
        self.assertEqual(self.visit("/", self.host(id), cookie=cookie).status, 502)
        stream.close()
        waits.close()
        self.start_inside(path)

    def end_a_sandbox(self):
        path, id = self.with_server()
        cookie = self.cookie(path)
        tunnel = WebSocketVisitor(self.address)
        self.assertEqual(tunnel.open(self.host(id), cookie).status, 101)
        self.ask("DELETE", path)
        self.assertTrue(tunnel.ended())
        self.assertEqual(self.visit("/", self.host(id), cookie=cookie).status, 410)
        tunnel.close()

    def test_the_proxy_ends(self):
        self.tokens = set()  # another server's are none of this one's
        server = served.Server(self.scratch / "ends", *self.flags)
        self.address, kept = preview_address(server), self.address
        self.server, kept_server = server, self.server
        try:
            path, id = self.with_server()
            cookie = self.cookie(path)
            stream = self.ask_for("/events", self.host(id), cookie)
            stream.head()
            server.stop(signal.SIGKILL)
            self.assertNotIn(b"\r\n0\r\n\r\n", stream.rest())
            stream.close()
            self.server = served.Server(self.scratch / "ends", *self.flags)
            self.address = preview_address(self.server)
            # The server inside has seen its visitor go, and serves the next one.
            self.assertEqual(self.visit("/size/1", self.host(id), cookie=cookie).body, b"x")
            self.ask("DELETE", path)
            self.server.stop()
        finally:
            self.address, self.server = kept, kept_server


if __name__ == "__main__":
    unittest.main(verbosity=2)
