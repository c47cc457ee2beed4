"""What the preview proxy passes on, and how, through a real server and a real sandbox."""

import hashlib
import json
import time
import unittest

from previewed import (DOMAIN, PreviewTest, Visitor, WebSocketVisitor, descriptors)


class ProxyTest(PreviewTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        one = cls("test_what_the_server_inside_sees")
        cls.path, cls.id = one.with_server()
        cls.name = one.host(cls.id)
        cls.grant = one.cookie(cls.path)

    def get(self, target, **named):
        return self.visit(target, self.name, cookie=self.grant, **named)

    def test_what_the_server_inside_sees(self):
        reply = self.get("/echo?a=b", extra="Accept: x\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n"
                                            "X-Forwarded-For: 6.6.6.6\r\n")
        self.assertEqual(reply.status, 200)
        told = json.loads(reply.body)
        self.assertEqual(told["start"], "GET /echo?a=b HTTP/1.1")
        fields = dict(line.split(": ", 1) for line in told["fields"])
        self.assertEqual(fields["Host"], "localhost:5173")
        self.assertEqual(fields["X-Forwarded-Host"], self.name)
        self.assertEqual(fields["X-Forwarded-Proto"], "https")
        self.assertEqual(fields["X-Forwarded-For"], "127.0.0.1")
        self.assertIn(f'host="{self.name}"', fields["Forwarded"])
        self.assertEqual(fields["Accept"], "x")
        for gone in ("X-Hop", "Connection", "Cookie"):
            self.assertNotIn(gone, fields)

    def test_bodies_of_any_framing(self):
        body = bytes(range(256)) * 5000
        reply = self.get("/echo", method="POST", body=body)
        self.assertEqual(json.loads(reply.body)["sha256"], hashlib.sha256(body).hexdigest())
        visitor = self.visitor()
        visitor.say(f"POST /echo HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n")
        for piece in (b"abc", b"x" * 100_000, b"z"):
            visitor.say(b"%x;e=1\r\n" % len(piece))
            time.sleep(0.02)
            visitor.say(piece + b"\r\n")
        visitor.say(b"0\r\nT: v\r\n\r\n")
        told = json.loads(visitor.reply().body)
        self.assertEqual(told["sha256"], hashlib.sha256(b"abc" + b"x" * 100_000 + b"z").hexdigest())

    def test_replies_of_any_framing(self):
        self.assertEqual(self.get("/chunked").body, b"onetwothree")
        self.assertEqual(self.get("/endless").body, b"until the end")
        self.assertEqual(self.get("/size/0").body, b"")
        self.assertEqual(len(self.get("/size/30000000").body), 30_000_000)
        self.assertEqual(self.get("/echo", method="HEAD").status, 200)

    def test_early_hints_and_continue_come_through(self):
        visitor = self.visitor()
        visitor.say(f"GET /early HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
        self.assertEqual(visitor.reply().status, 103)
        self.assertEqual(visitor.reply().body, b"after")
        visitor.say(f"POST /echo HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
                    "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        self.assertEqual(visitor.reply().status, 100)
        visitor.say("abc")
        self.assertEqual(json.loads(visitor.reply().body)["size"], 3)

    def test_old_clients_get_what_they_understand(self):
        visitor = self.visitor()
        visitor.say(f"GET /chunked HTTP/1.0\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
        reply = visitor.reply()
        self.assertIsNone(reply.get("Transfer-Encoding"))
        self.assertEqual(reply.body, b"onetwothree")
        visitor = self.visitor()
        for _ in range(2):
            visitor.say(f"GET /echo HTTP/1.0\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
                        "Connection: keep-alive\r\n\r\n")
            self.assertEqual(visitor.reply().get("Connection"), "keep-alive")

    def test_connections_are_used_again_on_both_sides(self):
        visitor = self.visitor()
        peers = set()
        for _ in range(20):
            visitor.say(f"GET /echo HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
            peers.add(json.loads(visitor.reply().body)["peer"])
        self.assertEqual(len(peers), 1)

    def test_requests_that_come_all_at_once_are_answered_in_order(self):
        visitor = self.visitor()
        ask = f"HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
        visitor.say(f"GET /size/3 {ask}\r\nPOST /echo {ask}Content-Length: 2\r\n\r\nab"
                    f"GET /chunked {ask}\r\nGET /size/5 {ask}\r\n")
        self.assertEqual(visitor.reply().body, b"xxx")
        self.assertEqual(json.loads(visitor.reply().body)["size"], 2)
        self.assertEqual(visitor.reply().body, b"onetwothree")
        self.assertEqual(visitor.reply().body, b"xxxxx")

    def test_events_come_as_they_are_made(self):
        visitor = self.visitor()
        visitor.say(f"GET /events HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
        reply = visitor.head()
        self.assertEqual(reply.get("Content-Type"), "text/event-stream")
        begun = time.monotonic()
        visitor.until(b"data: 3\n\n")
        self.assertLess(time.monotonic() - begun, 5)

    def test_a_slow_reader_holds_up_nobody_and_no_memory(self):
        slow = self.visitor()
        slow.say(f"GET /size/500000000 HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
        slow.head()
        time.sleep(0.3)
        begun = time.monotonic()
        self.assertEqual(self.get("/size/3").body, b"xxx")
        self.assertLess(time.monotonic() - begun, 5)
        with open(f"/proc/{self.server.process.pid}/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        self.assertLess(resident, 200_000)

    def test_a_request_with_a_body_larger_than_memory_buffers(self):
        visitor = self.visitor()
        size = 64 << 20
        visitor.say(f"POST /echo HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
                    f"Content-Length: {size}\r\n\r\n")
        piece = b"q" * (1 << 20)
        for _ in range(size // len(piece)):
            visitor.say(piece)
        self.assertEqual(json.loads(visitor.reply().body)["size"], size)

    def test_cookies_and_frames(self):
        reply = self.get("/cookies")
        self.assertEqual(reply.all("Set-Cookie"), ["a=1; Path=/"])
        self.assertIsNone(reply.get("X-Frame-Options"))
        # Besides the sites that were named, the server's own dashboard, if it has one.
        self.assertIn(reply.get("Content-Security-Policy"),
                      [f"frame-ancestors 'self' https://dash.test{own}" for own in ("", " " + self.server.url)])
        self.assertEqual(self.get("/redirect").get("Location"), "/echo")

    def test_other_ports_have_names_of_their_own(self):
        self.start_inside(self.path, 3000)
        listed = {one["port"]: one["url"] for one in self.ask("GET", self.path + "/ports").json["ports"]}
        self.assertEqual(listed[3000], f"https://preview-{self.id}-3000.{DOMAIN}")
        self.assertEqual(listed[5173], f"https://{self.name}")
        reply = self.visit("/echo", self.host(self.id, 3000), cookie=self.grant)
        self.assertIn("Host: localhost:3000", json.loads(reply.body)["fields"])

    def test_websocket(self):
        visitor = WebSocketVisitor(self.address)
        self.addCleanup(visitor.close)
        reply = visitor.open(self.name, self.grant, extra=f"Origin: https://{self.name}\r\n")
        self.assertEqual(reply.status, 101)
        self.assertEqual(reply.get("Upgrade"), "websocket")
        self.assertEqual(reply.get("X-Host"), "localhost:5173", "the same as without upgrade")
        visitor.frame(b"hello", opcode=1)
        self.assertEqual(visitor.receive(), (1, True, b"hello"))
        # Fragments, with a ping between them.
        visitor.frame(b"one ", opcode=1, final=False)
        visitor.frame(b"ping", opcode=9)
        visitor.frame(b"two", opcode=0)
        self.assertEqual(visitor.receive(), (1, False, b"one "))
        self.assertEqual(visitor.receive(), (10, True, b"ping"))
        self.assertEqual(visitor.receive(), (0, True, b"two"))
        visitor.frame(b"masked", mask=b"\1\2\3\4")
        self.assertEqual(visitor.receive(), (2, True, b"masked"))
        # 16 MiB in one message.
        large = bytes(range(256)) * (1 << 16)
        visitor.frame(large)
        self.assertEqual(visitor.receive(), (2, True, large))
        visitor.frame((4242).to_bytes(2, "big") + b"why", opcode=8)
        self.assertEqual(visitor.receive(), (8, True, (4242).to_bytes(2, "big") + b"why"))
        self.assertTrue(visitor.ended())

    def test_other_upgrades_and_half_closed_tunnels(self):
        visitor = self.visitor()
        visitor.say(f"GET /raw-upgrade HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n"
                    "Connection: Upgrade\r\nUpgrade: raw\r\n\r\nearly ")
        self.assertEqual(visitor.reply().status, 101)
        self.assertEqual(visitor.take(11), b"helloearly ")
        visitor.say("more")
        self.assertEqual(visitor.take(4), b"more")
        visitor.socket.shutdown(1)
        self.assertEqual(visitor.rest(), b"bye")

    def test_what_breaks_in_the_middle_looks_broken(self):
        self.assertEqual(self.get("/close").status, 502)
        for path, had in (("/half", b"only this"), ("/half-chunk", b"abcde")):
            visitor = self.visitor()
            visitor.say(f"GET {path} HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
            visitor.head()
            rest = visitor.rest()
            self.assertIn(had, rest)
            self.assertNotIn(b"0\r\n\r\n", rest)

    def test_replies_that_are_no_replies(self):
        for kind in ("lengths", "both", "fold", "text", "switch"):
            self.assertEqual(self.get("/bad/" + kind).status, 502, kind)

    def test_a_connection_that_the_server_gave_up_is_replaced(self):
        # The pooled connection is closed by the server inside while it rests.
        self.start_inside(self.path, 3100)
        host = self.host(self.id, 3100)
        self.assertEqual(self.visit("/size/1", host, cookie=self.grant).body, b"x")
        self.kill_inside(self.path, 3100)
        self.start_inside(self.path, 3100)
        self.assertEqual(self.visit("/size/2", host, cookie=self.grant).body, b"xx")

    def test_no_descriptor_leaks(self):
        pid = self.server.process.pid
        self.get("/size/3")
        time.sleep(5)
        before = descriptors(pid)
        for i in range(200):
            visitor = Visitor(self.address)
            target = ("/size/50000000", "/events", "/slow/30", "/half", "/ws")[i % 5]
            if target == "/ws":
                socket = WebSocketVisitor(self.address)
                self.assertEqual(socket.open(self.name, self.grant).status, 101)
                socket.close()
            else:
                visitor.say(f"GET {target} HTTP/1.1\r\nHost: {self.name}\r\nCookie: {self.grant}\r\n\r\n")
                if target != "/slow/30":
                    visitor.head()
            visitor.close()
        deadline = time.monotonic() + 30
        while descriptors(pid) > before + 2 and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertLessEqual(descriptors(pid), before + 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
