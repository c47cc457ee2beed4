"""Requests that two readers could read differently: refused before the server inside sees them."""

import json
import unittest

from previewed import DOMAIN, PreviewTest


class SmugglingTest(PreviewTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        one = cls("test_heads_that_are_refused")
        cls.path, cls.id = one.with_server()
        cls.name = one.host(cls.id)
        cls.grant = one.cookie(cls.path)
        cls.ours = f"Host: {cls.name}\r\nCookie: {cls.grant}\r\n"

    def refused(self, text, statuses=(400,)):
        """Answered once, with one of these, and the connection closed: nothing behind is read."""
        visitor = self.visitor()
        visitor.say(text)
        visitor.say(f"GET /echo HTTP/1.1\r\n{self.ours}\r\n")
        reply = visitor.reply()
        self.assertIn(reply.status, statuses, text)
        self.assertEqual(reply.get("Connection"), "close", text)
        self.assertEqual(visitor.rest(), b"", text)
        visitor.close()

    def test_heads_that_are_refused(self):
        start = f"POST /echo HTTP/1.1\r\n{self.ours}"
        for fields in ("Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n",
                       "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                       "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
                       "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                       "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: gzip\r\n",
                       "Transfer-Encoding : chunked\r\n", "Transfer-Encoding\t: chunked\r\n",
                       "Transfer-Encoding: \x0bchunked\r\n", "Content-Length: 3,3\r\n",
                       "Content-Length: -3\r\n", "Content-Length: 3a\r\n", "Content-Length:\r\n",
                       "X: a\r\n folded\r\n", "X: a\r\n\tfolded\r\n", "X: a\rY: b\r\n", "X: a\nY: b\r\n",
                       "X: a\x00b\r\n", "X\x00: a\r\n", ": a\r\n", "X y: a\r\n", "nothing\r\n",
                       "Connection: Host\r\n", "Connection: close, content-length\r\n",
                       "Host: another\r\n"):
            self.refused(start + fields + "\r\n")

    def test_start_lines_that_are_refused(self):
        for line in (f"GET http://{self.name}/echo HTTP/1.1", "GET http://evil.test/ HTTP/1.1",
                     "GET echo HTTP/1.1", "GET * HTTP/1.1", "GET /echo", "GET /a b HTTP/1.1", "GET  /echo HTTP/1.1",
                     "GET /echo HTTP/1.1 ", "GET /echo HTTP/1.2", "GET /echo HTTP/2.0", "GET /echo#x HTTP/1.1",
                     " GET /echo HTTP/1.1", "G\x00T /echo HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /\x7f HTTP/1.1"):
            self.refused(f"{line}\r\n{self.ours}\r\n", (400, 505))
        for line in (f"CONNECT {self.name}:443 HTTP/1.1", "TRACE /echo HTTP/1.1"):
            self.refused(f"{line}\r\n{self.ours}\r\n", (400, 501))
        self.refused("GET /echo HTTP/1.1\r\n\r\n")
        self.refused("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 505))

    def test_hosts_that_are_refused(self):
        for host in (f"{self.name}.", f"x.{self.name}", f"{self.name}@evil.test", f"evil.test@{self.name}",
                     f"{self.name}:x", f"{self.name}, evil.test", f"{self.name} evil.test", f"{self.name}/../x",
                     DOMAIN, "localhost", "127.0.0.1", f"preview-{self.id}-.{DOMAIN}",
                     f"preview-{self.id}-05173.{DOMAIN}", f"preview-{self.id}-99999.{DOMAIN}", ""):
            reply = self.visit("/echo", host, cookie=self.grant)
            self.assertIn(reply.status, (400, 404), host)
            self.assertNotIn(b'"start"', reply.body)

    def test_chunks_that_are_refused(self):
        for chunks in ("x\r\nabc\r\n0\r\n\r\n", "3\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n",
                       "-3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", "fffffffffffffffff\r\nabc\r\n0\r\n\r\n",
                       "3\r\nabcGET /echo HTTP/1.1\r\n\r\n", "3\r\nabc\r\n0\r\nX: a\r\n b\r\nbad\r\n\r\n"):
            visitor = self.visitor()
            visitor.say(f"POST /echo HTTP/1.1\r\n{self.ours}Transfer-Encoding: chunked\r\n\r\n{chunks}")
            reply = visitor.reply()
            self.assertEqual(reply.status, 400, chunks)
            self.assertEqual(visitor.rest(), b"")

    def test_what_is_said_before_an_upgrade_is_granted_waits(self):
        # The server inside does not upgrade: what came behind is a request of its own, and judged.
        visitor = self.visitor()
        visitor.say(f"GET /size/2 HTTP/1.1\r\n{self.ours}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
                    f"GET /echo HTTP/1.1\r\nHost: preview-{'a' * 26}.{DOMAIN}\r\n\r\n")
        self.assertEqual(visitor.reply().body, b"xx")
        self.assertEqual(visitor.reply().status, 404)

    def test_an_upgrade_to_http2_is_not_passed_on(self):
        reply = self.visit("/echo", self.name, cookie=self.grant,
                           extra="Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n")
        told = json.dumps(json.loads(reply.body)["fields"])
        self.assertNotIn("h2c", told)
        self.assertNotIn("HTTP2-Settings", told)

    def test_heads_have_an_end(self):
        visitor = self.visitor()
        visitor.say(f"GET /echo HTTP/1.1\r\n{self.ours}X: " + "a" * 40_000 + "\r\n\r\n")
        self.assertEqual(visitor.reply().status, 431)
        large = "b" * 20_000
        reply = self.visit("/echo", self.name, cookie=self.grant, extra=f"X-Large: {large}\r\n")
        self.assertIn("X-Large: " + large, json.loads(reply.body)["fields"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
