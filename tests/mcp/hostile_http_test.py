"""cordon mcp over HTTP against clients that mean harm, while another one is served.

What is resident stays below 2 GiB: bodies have 256 MiB at most together, replies that wait as
much again, and two messages are parsed at a time, each for seven times its 64 MiB at most.
"""

import json
import random
import threading
import time
import unittest

from hostile_messages import (BAD_IDS, GOOD_IDS, NO_MESSAGES, NO_REQUESTS, bomb, messages, mutant,
                              verdict)
from hostile_support import (SEED, TOKEN, Bystander, HttpHostileTest, answer, headers_of, initialize,
                             memory, ping)
from hostile_test import check_request_states

MOST_RESIDENT = 2048  # MiB
FUZZED = 2000


class HttpTest(HttpHostileTest):
    def test_wrong_hosts_and_origins_are_refused_by_their_head(self):
        server = self.http()
        cases = [(403, {"Host": host}) for host in (
            "evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example",
            "localhost:80:80", "127.0.0.2", "0.0.0.0", "[::2]", "localhost@evil.example", "\xff")]
        cases += [(403, {"Origin": origin}) for origin in (
            "http://evil.example", "null", "http://localhost.evil.example", "file://", "",
            "http://evil.example#localhost", "http://127.0.0.1@evil.example")]
        # In this order: who comes by a wrong name does not learn whether the token is right.
        cases += [(403, {"Host": "evil.example", "Authorization": None}),
                  (401, {"Authorization": None}), (401, {"Authorization": "Bearer"}),
                  (401, {"Authorization": "Bearer " + TOKEN[:-1]}),
                  (401, {"Authorization": "Basic " + TOKEN}),
                  (401, {"Authorization": f"Bearer {TOKEN} {TOKEN}"})]
        for status, fields in cases:
            with self.subTest(fields=fields):
                connection = server.connection()
                # No byte of the body is sent, nor waited for.
                head = "\r\n".join(
                    f"{name}: {value}" for name, value in {
                        "Host": "localhost", "Authorization": "Bearer " + TOKEN,
                        "Content-Type": "application/json", "Content-Length": 50_000_000,
                        **fields}.items() if value is not None)
                connection.sock.sendall(f"POST /mcp HTTP/1.1\r\n{head}\r\n\r\n".encode("latin-1"))
                self.assertEqual(answer(connection)[0], status)
                connection.close()
        for origin in ("http://localhost:6274", "http://127.0.0.1:1"):
            self.assertEqual(server.post(initialize(), Origin=origin)[0], 200)
        self.assertEqual(server.end(), 0)

    def test_what_is_no_message_is_told_so(self):
        server = self.http()
        for session in (None, self.session(server)):
            for body, code in NO_MESSAGES + NO_REQUESTS:
                name = 7 if (body, code) in NO_REQUESTS else None
                with self.subTest(body=body[:60]):
                    status, reply, _ = server.post(body, Mcp_Session_Id=session)
                    self.assertEqual(status, 400)
                    self.assert_refused(reply, code, name)
        self.assertEqual(server.post(b"", Mcp_Session_Id=session)[0], 400)
        self.assertEqual(server.post(ping(1))[0], 400)
        self.assertEqual(server.post(ping(1), Mcp_Session_Id="x" * 64)[0], 404)
        self.assertEqual(server.post(ping(1), Mcp_Session_Id=session)[0], 200)
        self.assertEqual(server.end(), 0)

    def test_ids_of_every_type(self):
        server = self.http()
        session = self.session(server)
        for name in GOOD_IDS:
            _, reply, _ = server.post(ping(name), Mcp_Session_Id=session)
            self.assertEqual((reply["id"], type(reply["id"])), (name, type(name)))
        for name in BAD_IDS:
            body = b'{"jsonrpc":"2.0","id":' + name + b',"method":"ping"}'
            status, reply, _ = server.post(body, Mcp_Session_Id=session)
            self.assertEqual(status, 400)
            self.assert_refused(reply, -32600)
        self.assertEqual(server.end(), 0)

    def test_batches(self):
        server = self.http()
        batch = [ping(n) for n in range(99)] + [7]
        old, new = self.session(server, "2025-03-26"), self.session(server)
        status, reply, _ = server.post(batch, Mcp_Session_Id=new)
        self.assertEqual(status, 400)
        self.assert_refused(reply, -32600)
        status, replies, _ = server.post(batch, Mcp_Session_Id=old)
        if isinstance(replies, bytes):  # events
            replies = [json.loads(line[6:]) for line in replies.splitlines()
                       if line.startswith(b"data: {")]
        self.assertEqual(status, 200)
        self.assertEqual(sorted(one["id"] for one in replies if "result" in one), [*range(99)])
        self.assertEqual([one["error"]["code"] for one in replies if "error" in one], [-32600])
        for refused in ([], [ping(n) for n in range(101)]):
            status, reply, _ = server.post(refused, Mcp_Session_Id=old)
            self.assertEqual(status, 400)
            self.assert_refused(reply, -32600)
        self.assertEqual(server.end(), 0)

    def test_bodies_of_100_mb_and_bombs(self):
        server = self.http()
        with Bystander(server) as bystander:
            self.assertEqual(server.post(b"a" * 100_000_000)[0], 413)
            chunked = server.connection()
            chunked.sock.sendall(server.head(None, Transfer_Encoding="chunked"))
            chunk = b"%x\r\n" % 1_000_000 + b"a" * 1_000_000 + b"\r\n"
            try:
                for _ in range(100):
                    chunked.sock.sendall(chunk)
            except (BrokenPipeError, ConnectionResetError):
                pass
            self.assertEqual(answer(chunked)[0], 413)
            chunked.close()
            found = []

            def attack(piece):
                found.append(server.post(b"".join(bomb(piece, 60_000_000))))
            threads = [threading.Thread(target=attack, args=(piece,))
                       for piece in (b"[],", b"1,", b'{"a":""},', b'"",')]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        for status, reply, _ in found:
            self.assertIn(status, (400, 503))  # 503: no room for one more
            if status == 400:
                self.assert_refused(reply, -32700)
        self.assertIn(400, [status for status, _, _ in found])
        self.assert_served(bystander)
        self.assertLess(memory(server.process), MOST_RESIDENT)
        self.assertEqual(server.end(), 0)

    def test_slow_senders(self):
        """A head takes 10 s at most; who sends a body slowly is waited for, alone."""
        server = self.http()
        heads = [server.connection() for _ in range(20)]
        for connection in heads:
            connection.sock.sendall(b"POST /mcp HTTP/1.1\r\nHo")
        begun = time.monotonic()
        body = json.dumps(initialize()).encode()
        slow = server.connection()
        slow.sock.sendall(server.head(len(body)))
        gone = server.socket()
        gone.sendall(server.head(len(body)) + body[:20])
        with Bystander(server) as bystander:
            for place in range(0, len(body), 40):
                slow.sock.sendall(body[place:place + 40])
                time.sleep(0.1)
            self.assertEqual(answer(slow)[0], 200)
            gone.close()  # in the middle
            for connection in heads:
                if time.monotonic() - begun < 8:
                    connection.sock.sendall(b"s")  # a byte now and then is no excuse
                self.assertEqual(answer(connection)[0], 408)
            waited = time.monotonic() - begun
        self.assertTrue(9 < waited < 15, waited)
        for connection in [slow, *heads]:
            connection.close()
        self.assert_served(bystander, 50)
        self.assertEqual(server.end(), 0)

    def test_sessions_that_say_too_much_of_themselves(self):
        server = self.http()
        for _ in range(8):
            status, reply, _ = server.post(initialize(name="x" * 50_000_000))
            self.assertEqual(status, 200)
            self.assert_refused(reply, -32602, "init")
        self.assertLess(memory(server.process), 512)
        self.assertEqual(server.end(), 0)

    def test_request_states_that_are_not_ours(self):
        server = self.http()
        check_request_states(self, lambda message: server.post(message)[1])
        self.assertEqual(server.end(), 0)

    def fuzz(self, server, count):
        chance = random.Random(SEED)
        valid = messages(self.scratch)
        session = self.session(server)
        connection = server.connection()
        answered = 0
        for number in range(count):
            message = {**chance.choice(valid), "id": number}
            body = mutant(chance, message)
            fields = headers_of(message) if chance.random() < 0.5 else {"Mcp_Session_Id": session}
            kind, name = verdict(body)
            with self.subTest(seed=SEED, number=number, body=body[:300]):
                status, reply, _ = server.post(body, connection, **fields)
                if isinstance(reply, bytes) and reply.startswith((b"id:", b"data:", b"event:")):
                    data = [line[6:] for line in reply.splitlines() if line[:6] == b"data: "]
                    reply = json.loads(data[-1])
                if kind == "request":
                    self.assertIn(status, (200, 400, 404))
                    self.assertEqual(reply["id"], name)
                    answered += 1
                elif kind == "error" and body.strip():
                    self.assertEqual(status, 400)
                    self.assert_refused(reply, reply["error"]["code"], name)
                    self.assertIn(reply["error"]["code"], (-32700, -32600))
                elif kind == "silent":
                    self.assertIn(status, (202, 400))
        connection.close()
        self.assertGreater(answered, count // 5)

    def test_fuzzed_messages(self):
        server = self.http()
        with Bystander(server) as bystander:
            self.fuzz(server, FUZZED)
        self.assert_served(bystander)
        self.assertEqual(server.end(), 0)

    def test_all_that_on_a_unix_socket(self):
        server = self.http(f"unix:{self.scratch}/run/socket")
        # No page can reach it, by whatever name.
        self.assertEqual(server.post(initialize(), Host="any.example")[0], 200)
        self.assertEqual(server.post(initialize(), Origin="http://evil.example")[0], 403)
        self.assertEqual(server.post(b"a" * 100_000_000)[0], 413)
        held = [server.socket() for _ in range(200)]
        with Bystander(server) as bystander:
            self.fuzz(server, 300)
            check_request_states(self, lambda message: server.post(message)[1])
        for one in held:
            one.close()
        self.assert_served(bystander)
        self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    unittest.main()
