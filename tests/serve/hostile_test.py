"""Clients of cordon serve that mean harm: each gets 4xx or is cut off, and others are served."""

import os
import socket
import threading
import time
import unittest

from served import ServeTest, WebSocket


def memory_of(process):
    with open(f"/proc/{process}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    return 0


class StrangersTest(ServeTest):
    def test_without_a_good_token_there_is_one_answer(self):
        good = self.server.token()
        revoked = self.server.token("gone")
        made = [one for one in self.ask("GET", "/v1/users").json["users"] if one["name"] == "gone"]
        tokens = self.ask("GET", "/v1/tokens?user=" + made[0]["id"]).json["tokens"]
        for one in tokens:
            self.ask("DELETE", f"/v1/tokens/{one['id']}?user={made[0]['id']}")
        answers = set()
        for header in (None, "", "Bearer", "Bearer ", "Bearer x", "Basic " + good, "Bearer " + good[:-1],
                       "Bearer " + good + "0", "bearer" + good, "Bearer cordon_" + "0" * 64,
                       "Bearer " + revoked, "Bearer " + good + " " + good):
            for method, path in (("GET", "/v1/sandboxes"), ("GET", "/v1/nothing"),
                                 ("PATCH", "/v1/sandboxes"), ("GET", "/metrics")):
                headers = {} if header is None else {"Authorization": header}
                answer = self.server.raw(method, path, None, headers)
                answers.add((answer.status, answer.body, answer.headers["WWW-Authenticate"]))
        self.assertEqual(len(answers), 1)
        self.assertEqual(answers.pop()[0], 401)

    def test_scopes_hold(self):
        reader = self.server.token("scoped", "--scope", "sandboxes:read")
        self.assertEqual(self.ask("GET", "/v1/sandboxes", token=reader).status, 200)
        for method, path in (("POST", "/v1/sandboxes"), ("POST", "/v1/conversations"),
                             ("GET", "/v1/audit"), ("GET", "/v1/approvals"), ("GET", "/v1/users"),
                             ("POST", "/v1/tokens"), ("GET", "/metrics"),
                             ("POST", "/v1/sandboxes/" + "a" * 26 + "/exec")):
            self.assertEqual(self.ask(method, path, token=reader).status, 403, path)

    def test_what_is_anothers_is_as_if_it_were_not_there(self):
        other = self.server.token("other")
        theirs = self.sandbox(token=other)
        talk = self.ask("POST", "/v1/conversations", {}, token=other)
        terminal = self.ask("POST", theirs + "/terminals", {"command": "cat"}, token=other)
        nobody = "/v1/sandboxes/" + "a" * 26
        mine = self.server.token("mine")
        for method, rest, body in (
                ("GET", "", None), ("DELETE", "", None), ("POST", "/pause", None),
                ("POST", "/resume", None), ("POST", "/renew", {"seconds": 5}), ("GET", "/stats", None),
                ("GET", "/logs", None), ("GET", "/processes", None), ("POST", "/kill", {"process": 2}),
                ("POST", "/exec", {"command": "true"}), ("GET", "/files/x", None),
                ("PUT", "/files/x", "x"), ("DELETE", "/files/x", None), ("GET", "/archive/", None),
                ("POST", "/tools/read_file", {"path": "x"}), ("POST", "/mcp", {}),
                ("GET", "/terminals", None), ("POST", "/terminals", {"command": "true"}),
                ("GET", "/terminals/" + terminal.json["id"], None),
                ("GET", "/terminals/" + terminal.json["id"] + "/ws", None)):
            wanted = self.ask(method, nobody + rest, body, token=mine)
            answer = self.ask(method, theirs + rest, body, token=mine)
            self.assertEqual((answer.status, answer.body), (wanted.status, wanted.body), rest)
            self.assertGreaterEqual(answer.status, 400)
        wanted = self.ask("GET", "/v1/conversations/cnv_" + "0" * 24, token=mine)
        answer = self.ask("GET", talk.headers["Location"], token=mine)
        self.assertEqual((answer.status, answer.body), (wanted.status, wanted.body))
        self.assertEqual(self.ask("GET", theirs, token=other).json["status"]["state"], "ready")
        self.ask("DELETE", theirs, token=other)
        self.ask("DELETE", talk.headers["Location"], token=other)


class PathsTest(ServeTest):
    def test_no_path_leads_out(self):
        path = self.sandbox()
        secret = self.scratch / "secret"
        secret.write_text("SECRET OF THE HOST")
        self.ask("POST", path + "/exec", {"command":
                 "ln -s /etc/passwd abs; ln -s ../../../../../../etc up; ln -s / root; "
                 f"ln -s {secret} away; ln -s /proc/self/root magic; mkfifo pipe; mkdir real"})
        tricks = ["../x", "%2e%2e/x", "..%2fx", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "a/../../x",
                  "/etc/passwd", "%2Fetc%2Fpasswd", "//etc//passwd", "/workspace/../etc/passwd",
                  "abs", "up/passwd", "root/etc/passwd", "away", "magic/etc/passwd", "real/../../x",
                  "x%00y", "%00", "a%2500b/../..", "..;/x", "....//x", "%c0%ae%c0%ae/x",
                  "pipe", str(secret), str(self.server.state / "token"),
                  "/proc/self/environ", "/dev/zero", "~/x/../../..", "a" * 5000, "/".join("a" * 3000)]
        for trick in tricks:
            for method, body in (("GET", None), ("PUT", b"x"), ("DELETE", None)):
                if method != "GET" and trick in ("abs", "away", "pipe", "....//x", "..;/x",
                                                 "%c0%ae%c0%ae/x", "/".join("a" * 3000)):
                    continue  # a name of the sandbox's own, which may be taken away or made
                answer = self.ask(method, path + "/files/" + trick, body)
                self.assertIn(answer.status // 100, (4,), (method, trick, answer.status, answer.body[:200]))
                self.assertNotIn(b"SECRET", answer.body)
                self.assertNotIn(b"root:", answer.body)
            self.assertNotIn(b"root:", self.ask("GET", path + "/archive/" + trick).body)
        self.assertEqual(secret.read_text(), "SECRET OF THE HOST")
        moved = self.ask("PATCH", path + "/files/real", {"moveTo": "../../out"})
        self.assertEqual(moved.status // 100, 4, moved.body)

    def test_archives_that_lead_out_change_nothing(self):
        import io
        import tarfile
        path = self.sandbox()
        for name, kind, target in (("../x", None, ""), ("/abs", None, ""), ("a/../../x", None, ""),
                                   ("l", tarfile.LNKTYPE, "/etc/passwd"), ("d", tarfile.CHRTYPE, "")):
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
                archive.addfile(tarfile.TarInfo("good"))
                entry = tarfile.TarInfo(name)
                if kind:
                    entry.type, entry.linkname = kind, target
                archive.addfile(entry)
            answer = self.ask("PUT", path + "/archive/", out.getvalue())
            self.assertEqual(answer.status, 400, (name, answer.body))
            self.assertEqual(self.ask("GET", path + "/files/good").status, 404)
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            link = tarfile.TarInfo("out")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc"
            archive.addfile(link)
            archive.addfile(tarfile.TarInfo("out/cron.d/x"))
        self.assertEqual(self.ask("PUT", path + "/archive/", out.getvalue()).status // 100, 4)


class LoadTest(ServeTest):
    def test_nobody_makes_the_server_large_or_slow_for_others(self):
        path = self.sandbox()
        self.ask("PUT", path + "/files/a", "alive")
        token = self.server.token()
        before = memory_of(self.server.process.pid)
        held = []
        for i in range(100):  # heads that never end, and bodies that come byte by byte
            one = socket.create_connection((self.server.host, self.server.port))
            if i % 2:
                one.sendall(b"GET /v1/sandboxes HTTP/1.1\r\nHost: x\r\nX-")
            else:
                one.sendall((f"PUT {path}/files/slow{i} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                             f"{token}\r\nContent-Length: 1000000\r\n\r\nx").encode())
            held.append(one)
        huge = self.server.raw("POST", "/v1/sandboxes", b" " * (2 << 20), token=token)
        self.assertEqual(huge.status, 413)
        declared = self.server.raw("PUT", path + "/files/huge", None,
                                   {"Content-Length": str(1 << 40)}, token)
        self.assertEqual(declared.status, 413)
        # A stranger's body is not received at all.
        stranger = self.server.raw("PUT", path + "/files/huge", None, {"Content-Length": str(32 << 20)})
        self.assertEqual(stranger.status, 401)
        begun = time.monotonic()
        self.assertEqual(self.ask("GET", path + "/files/a").body, b"alive")
        self.assertLess(time.monotonic() - begun, 10)
        self.assertLess(memory_of(self.server.process.pid) - before, 64 << 20)
        for one in held:
            one.close()

    def attach(self, where, token):
        """Once the streams of the test before have been given up."""
        for _ in range(200):
            client = WebSocket(self.server, where, token)
            if client.status != 429:
                break
            client.close()
            time.sleep(0.1)
        self.assertEqual(client.status, 101)
        return client

    def test_websockets_that_break_the_rules(self):
        path = self.sandbox()
        token = self.server.token()
        where = self.ask("POST", path + "/terminals", {"command": "cat"}).headers["Location"] + "/ws"
        for garbage in (b"\x81\x01x", b"\xff" * 100, b"\x83\x80\0\0\0\0", os.urandom(4096),
                        b"\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"):
            client = self.attach(where, token)
            client.socket.sendall(garbage)
            try:
                while client.receive()[0] != "close":
                    pass
            except (EOFError, ConnectionError, KeyError):
                pass
            client.close()
        wrong = self.attach(where, token)
        wrong.receive()
        wrong.send("not JSON")
        kind, data = wrong.receive()
        while kind == "binary":
            kind, data = wrong.receive()
        self.assertEqual((kind, data[:2]), ("close", (1003).to_bytes(2, "big")))
        wrong.close()
        stranger = WebSocket(self.server, where, token[:-1])
        self.assertEqual(stranger.status, 401)
        stranger.close()
        # One that does not read is no burden.
        deaf = self.attach(self.ask("POST", path + "/terminals", {"command": "yes"})
                           .headers["Location"] + "/ws", token)
        time.sleep(1)
        before = memory_of(self.server.process.pid)
        time.sleep(2)
        self.assertLess(memory_of(self.server.process.pid) - before, 16 << 20)
        self.assertEqual(self.ask("GET", path).status, 200)
        deaf.close()

    def test_streams_are_limited(self):
        held = []
        statuses = []
        token = self.server.token()
        for _ in range(40):
            one = socket.create_connection((self.server.host, self.server.port), timeout=30)
            one.sendall(f"GET /v1/approvals/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}"
                        "\r\n\r\n".encode())
            statuses.append(int(one.recv(4096).split()[1]))
            held.append(one)
        self.assertIn(429, statuses)
        self.assertEqual(statuses[0], 200)
        for one in held:
            one.close()
        self.assertEqual(self.ask("GET", "/v1/sandboxes").status, 200)


if __name__ == "__main__":
    unittest.main()
