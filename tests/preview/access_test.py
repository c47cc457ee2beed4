"""Who may see a preview, what others learn, and what reaches neither side."""

import json
import re
import time
import unittest

from previewed import DOMAIN, PreviewTest, Visitor, WebSocketVisitor, certificate, client_context
from previewed import preview_address
import served


class AccessTest(PreviewTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        one = cls("test_private_looks_like_nothing")
        cls.path, cls.id = one.with_server()
        cls.name = one.host(cls.id)

    def test_private_looks_like_nothing(self):
        private = self.visit("/echo", self.name, extra="Accept: text/html\r\n")
        unknown = self.visit("/echo", self.host("a" * 26), extra="Accept: text/html\r\n")
        self.assertEqual(private.status, 404)
        self.assertEqual((private.fields, private.body), (unknown.fields, unknown.body))
        self.assertIn(b"<h1>There is no preview here</h1>", private.body)
        self.assertEqual(self.visit("/", f"other.{DOMAIN}").status, 404)
        self.assertEqual(self.visit("/", "127.0.0.1:7070").status, 404, "the API is not here")

    def test_a_signed_link_sets_a_cookie_of_this_host(self):
        link = self.ask("POST", self.path + "/preview/links", {"path": "/echo?x=1", "seconds": 60}).json
        host, target = re.fullmatch(r"https://([^/]+)(/.*)", link["url"]).groups()
        self.assertEqual(host, self.name)
        reply = self.visit(target, host)
        self.assertEqual((reply.status, reply.get("Location")), (303, "/echo?x=1"))
        cookie = reply.get("Set-Cookie")
        for part in ("__Host-cordon-preview=", "; Path=/;", "; Secure", "; HttpOnly", "; SameSite=None"):
            self.assertIn(part, cookie)
        self.assertNotIn("Domain", cookie)
        pair = cookie.split(";")[0]
        told = json.loads(self.visit("/echo", host, cookie=f"mine=1; {pair}; theirs=2").body)
        self.assertIn("Cookie: mine=1; theirs=2", told["fields"])
        self.assertNotIn("cordon", json.dumps(told))

    def test_links_expire_and_are_for_one_sandbox(self):
        other = self.sandbox()
        other_cookie = self.cookie(other)
        self.assertEqual(self.visit("/echo", self.name, cookie=other_cookie).status, 404)
        short = self.cookie(self.path, seconds=1)
        time.sleep(2.1)
        self.assertEqual(self.visit("/echo", self.name, cookie=short).status, 404)
        forged = "__Host-cordon-preview=99999999999." + "0" * 64
        self.assertEqual(self.visit("/echo", self.name, cookie=forged).status, 404)
        link = self.ask("POST", self.path + "/preview/links", {}).json["url"]
        target = link[len("https://") + len(self.name):]
        self.assertEqual(self.visit(target, self.host(other.rsplit("/", 1)[1])).status, 404)

    def test_links_lead_nowhere_else(self):
        for path in ("//evil.test/", "/\\evil.test", "https://evil.test", "x", "/a b", "/a\r\nX: y"):
            self.assertEqual(self.ask("POST", self.path + "/preview/links", {"path": path}).status, 400)
        good = self.ask("POST", self.path + "/preview/links", {}).json["url"]
        target = good[len("https://") + len(self.name):].split("&to=")[0]
        for onward in ("//evil.test", "/%5Cevil.test", "https:%2F%2Fevil.test", "/%0d%0aX:y"):
            self.assertEqual(self.visit(f"{target}&to={onward}", self.name).status, 404, onward)

    def test_the_owners_token_opens_it_and_stays_here(self):
        bearer = f"Authorization: Bearer {self.server.token()}\r\n"
        reply = self.visit("/echo", self.name, extra=bearer)
        self.assertEqual(reply.status, 200)
        self.assertNotIn("Authorization", json.dumps(json.loads(reply.body)))
        self.assertEqual(self.visit("/echo", self.name, extra=bearer[:-4] + "\r\n").status, 404)
        stranger = self.server.token("stranger")
        self.assertEqual(self.visit("/echo", self.name,
                                    extra=f"Authorization: Bearer {stranger}\r\n").status, 404)
        # A token of ours that opens nothing is not told to what runs inside, either.
        reply = self.visit("/echo", self.name, cookie=self.cookie(self.path),
                           extra=f"Authorization: Bearer {stranger}\r\n")
        self.assertNotIn("cordon_", json.dumps(json.loads(reply.body)))
        reply = self.visit("/echo", self.name, cookie=self.cookie(self.path),
                           extra="Authorization: Basic eDp5\r\n")
        self.assertIn("Authorization: Basic eDp5", json.loads(reply.body)["fields"])

    def test_public_on_request(self):
        path, id = self.with_server()
        name = self.host(id)
        self.assertEqual(self.ask("GET", path + "/preview").json,
                         {"url": f"https://{name}", "port": 5173, "visibility": "private"})
        self.assertEqual(self.visit("/echo", name).status, 404)
        self.assertEqual(self.ask("PUT", path + "/preview", {"visibility": "public"}).json["visibility"],
                         "public")
        self.assertEqual(self.visit("/echo", name).status, 200)
        self.ask("PUT", path + "/preview", {"visibility": "private"})
        self.assertEqual(self.visit("/echo", name).status, 404)
        self.assertEqual(self.ask("PUT", path + "/preview", {"visibility": "all"}).status, 400)
        stranger = self.server.token("stranger")
        self.assertEqual(self.ask("PUT", path + "/preview", {"visibility": "public"},
                                  token=stranger).status, 404)
        self.assertEqual(self.ask("POST", path + "/preview/links", {}, token=stranger).status, 404)

    def test_another_sites_page_cannot_connect(self):
        cookie = self.cookie(self.path)
        for origin, status in ((f"https://{self.name}", 101), ("https://evil.test", 403),
                               (f"https://{self.host('a' * 26)}", 403), ("null", 403)):
            visitor = WebSocketVisitor(self.address)
            reply = visitor.open(self.name, cookie, extra=f"Origin: {origin}\r\n")
            visitor.close()
            self.assertEqual(reply.status, status, origin)

    def test_pages(self):
        bearer = f"Authorization: Bearer {self.server.token()}\r\nAccept: text/html\r\n"
        path = self.sandbox()
        id = path.rsplit("/", 1)[1]
        closed = self.visit("/", self.host(id), extra=bearer)
        self.assertEqual(closed.status, 502)
        self.assertIn(b"Nothing listens at port 5173", closed.body)
        self.assertIn(b'http-equiv="refresh"', closed.body)
        self.assertEqual(closed.get("X-Cordon-Preview"), "page")
        self.start_inside(path, 8080)
        closed = self.visit("/", self.host(id), extra=bearer)
        self.assertIn(self.host(id, 8080).encode(), closed.body)
        plain = self.visit("/", self.host(id), extra=bearer.replace("text/html", "*/*"))
        self.assertEqual(plain.get("Content-Type"), "text/plain; charset=utf-8")
        # Paused by its owner; then ended.
        self.ask("POST", path + "/pause")
        paused = self.visit("/", self.host(id, 8080), extra=bearer)
        self.assertEqual((paused.status, b"paused" in paused.body), (503, True))
        self.ask("POST", path + "/resume")
        self.assertEqual(self.visit("/size/1", self.host(id, 8080), extra=bearer).body, b"x")
        self.ask("DELETE", path)
        ended = self.visit("/", self.host(id), extra=bearer)
        self.assertEqual(ended.status, 410)
        self.assertIn(b"user_delete", ended.body)
        self.assertEqual(self.visit("/", self.host(id)).status, 404, "not to strangers")
        self.assertEqual(self.ask("GET", path + "/preview").status, 404)

    def test_the_end_of_a_sandbox_ends_what_goes_on(self):
        path, id = self.with_server()
        cookie = self.cookie(path)
        socket = WebSocketVisitor(self.address)
        self.assertEqual(socket.open(self.host(id), cookie).status, 101)
        stream = Visitor(self.address)
        stream.say(f"GET /events HTTP/1.1\r\nHost: {self.host(id)}\r\nCookie: {cookie}\r\n\r\n")
        stream.head()
        waits = Visitor(self.address)
        waits.say(f"GET /slow/60 HTTP/1.1\r\nHost: {self.host(id)}\r\nCookie: {cookie}\r\n\r\n")
        time.sleep(0.2)
        for one in (socket, stream, waits):
            self.addCleanup(one.close)
        self.assertEqual(self.ask("DELETE", path).status, 204)
        self.assertEqual(socket.rest(), b"")
        self.assertNotIn(b"\r\n0\r\n\r\n", stream.rest())
        self.assertEqual(waits.reply().status, 502)


class DevelopmentTest(PreviewTest):
    flags = ()

    def test_a_port_of_this_machine(self):
        path, id = self.with_server()
        url = self.ask("GET", path).json["publicUrl"]
        port = int(re.fullmatch(r"http://localhost:(\d+)", url).group(1))
        self.assertTrue(30000 <= port <= 39999)
        self.assertEqual(self.ask("GET", path + "/preview").json["url"], url)
        cookie = self.cookie(path)
        self.assertIn(f"cordon-preview-{id}=", cookie)
        local = ("127.0.0.1", port)
        for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
            visitor = Visitor(local)
            visitor.say(f"GET /echo HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n")
            told = json.loads(visitor.reply().body)
            visitor.close()
            self.assertIn(f"Host: {host}", told["fields"])
        # A name that leads here by somebody else's doing.
        visitor = Visitor(local)
        visitor.say(f"GET /echo HTTP/1.1\r\nHost: evil.test:{port}\r\nCookie: {cookie}\r\n\r\n")
        self.assertEqual(visitor.reply().status, 421)
        visitor.close()
        # Previews share the host in development: none sees another's grant.
        other = self.sandbox()
        visitor = Visitor(local)
        visitor.say(f"GET /echo HTTP/1.1\r\nHost: localhost:{port}\r\n"
                    f"Cookie: {cookie}; {self.cookie(other)}\r\n\r\n")
        self.assertNotIn("cordon-preview", visitor.reply().body.decode())
        visitor.close()
        # Another port, by a name below localhost.
        self.start_inside(path, 3000)
        urls = {one["port"]: one["url"] for one in self.ask("GET", path + "/ports").json["ports"]}
        self.assertEqual(urls[5173], url)
        self.assertEqual(urls[3000], f"http://preview-{id}-3000.localhost:{self.address[1]}")
        reply = self.visit("/size/2", f"preview-{id}-3000.localhost:{self.address[1]}", cookie=cookie)
        self.assertEqual(reply.body, b"xx")

    def test_conversations_tell_where(self):
        made = self.ask("POST", "/v1/conversations", {"title": "x"}).json
        self.assertRegex(made["sandboxPublicUrl"], r"^http://localhost:3\d{4}$")
        again = self.ask("GET", "/v1/conversations/" + made["id"]).json
        self.assertEqual(again["sandboxPublicUrl"], made["sandboxPublicUrl"])
        self.ask("DELETE", "/v1/conversations/" + made["id"])

    def test_the_port_survives_a_restart_and_goes_with_the_sandbox(self):
        server = served.Server(self.scratch / "again")
        preview_address(server)
        path = server.ask("POST", "/v1/sandboxes", {}).headers["Location"]
        while server.ask("GET", path).json["status"]["state"] == "pending":
            time.sleep(0.05)
        url = server.ask("GET", path).json["publicUrl"]
        port = int(url.rsplit(":", 1)[1])
        server.stop()
        with self.assertRaises(ConnectionRefusedError):
            Visitor(("127.0.0.1", port))
        server = served.Server(self.scratch / "again")
        Visitor(("127.0.0.1", port)).close()  # before anybody has asked
        self.assertEqual(server.ask("GET", path).json["publicUrl"], url)
        server.ask("DELETE", path)
        deadline = time.monotonic() + 10
        while True:
            try:
                Visitor(("127.0.0.1", port)).close()
            except ConnectionRefusedError:
                break
            self.assertLess(time.monotonic(), deadline)
        self.assertNotIn("publicUrl", server.ask("GET", path).json)
        server.stop()

    def test_all_taken_says_so(self):
        server = served.Server(self.scratch / "narrow", "--preview-ports", "29200-29201")
        paths = [server.ask("POST", "/v1/sandboxes", {}).headers["Location"] for _ in range(3)]
        answers = [server.ask("GET", path + "/preview") for path in paths]
        self.assertEqual(sorted(answer.status for answer in answers), [200, 200, 429])
        refused = next(answer for answer in answers if answer.status == 429)
        self.assertIn("every port for previews is taken", refused.json["error"]["message"])
        for path in paths:
            server.ask("DELETE", path)
        server.stop()

    def test_none_if_so_wished(self):
        server = served.Server(self.scratch / "none", "--no-previews")
        path = server.ask("POST", "/v1/sandboxes", {}).headers["Location"]
        self.assertEqual(server.ask("GET", path + "/preview").status, 501)
        server.ask("DELETE", path)
        server.stop()


class IdleTest(PreviewTest):
    flags = (*PreviewTest.flags, "--idle", "4", "--when-idle", "pause")

    def state(self, path):
        return self.ask("GET", path).json["status"]["state"]

    def test_traffic_keeps_it_awake_and_wakes_it(self):
        path, id = self.with_server()
        cookie = self.cookie(path)
        tunnel = WebSocketVisitor(self.address)
        self.addCleanup(tunnel.close)
        self.assertEqual(tunnel.open(self.host(id), cookie).status, 101)
        for _ in range(15):
            self.assertEqual(self.visit("/size/1", self.host(id), cookie=cookie).body, b"x")
            self.assertEqual(self.state(path), "ready")
            time.sleep(1)
        deadline = time.monotonic() + 60
        while self.state(path) != "paused":  # also with a tunnel in which nothing moves
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.5)
        self.assertEqual(self.visit("/", self.host(id)).status, 404)
        self.assertEqual(self.state(path), "paused", "strangers wake nothing")
        self.assertEqual(self.visit("/size/2", self.host(id), cookie=cookie).body, b"xx")
        self.assertEqual(self.state(path), "ready")
        tunnel.frame(b"still there", opcode=1)
        self.assertEqual(tunnel.receive(), (1, True, b"still there"))


class TlsTest(PreviewTest):
    @classmethod
    def setUpClass(cls):
        import pathlib
        import shutil
        import tempfile
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="cordon-tls-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        cls.chain, cls.key = certificate(cls.place, "first")
        cls.flags = (*PreviewTest.flags, "--preview-tls-cert", str(cls.chain),
                     "--preview-tls-key", str(cls.key))
        super().setUpClass()

    def visitor_of(self, id):
        return Visitor(self.address, client_context(), self.host(id))

    def test_tls(self):
        path, id = self.with_server()
        extra = f"Host: {self.host(id)}\r\nAuthorization: Bearer {self.server.token()}\r\n\r\n"
        visitor = self.visitor_of(id)
        self.assertIn(visitor.socket.version(), ("TLSv1.2", "TLSv1.3"))
        for _ in range(3):
            visitor.say(f"GET /size/3000000 HTTP/1.1\r\n{extra}")
            self.assertEqual(len(visitor.reply().body), 3_000_000)
        body = b"y" * 5_000_000
        visitor.say(f"POST /echo HTTP/1.1\r\nContent-Length: {len(body)}\r\n{extra}".encode() + body)
        self.assertEqual(json.loads(visitor.reply().body)["size"], len(body))
        visitor.say(f"GET /raw-upgrade HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: raw\r\n{extra}")
        self.assertEqual(visitor.reply().status, 101)
        visitor.say("abc")
        self.assertEqual(visitor.take(8), b"helloabc")
        visitor.close()
        # Who speaks no TLS gets nothing, and holds up nobody.
        plain = Visitor(self.address)
        plain.say(f"GET / HTTP/1.1\r\n{extra}")
        self.assertNotIn(b"HTTP/1.1 200", plain.rest())
        self.replace_certificate(id)

    def replace_certificate(self, id):
        def serial():
            visitor = self.visitor_of(id)
            raw = visitor.socket.getpeercert(binary_form=True)
            visitor.close()
            return raw
        first = serial()
        chain, key = certificate(self.place, "second")
        self.chain.write_bytes(chain.read_bytes())
        time.sleep(2.5)
        self.assertEqual(serial(), first, "half a pair is none")
        self.key.write_bytes(key.read_bytes())
        deadline = time.monotonic() + 20
        while serial() == first:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
