"""cordon mcp over HTTP against clients that are many, take nothing or answer nothing."""

import http.client
import json
import socket
import threading
import time
import unittest

from hostile_support import (Bystander, HttpHostileTest, headers_of, initialize, memory, ping,
                             stateless_meta)


def is_whole(connection, size=12_000_000):
    """Whether so much comes, and not an end before."""
    while size > 0:
        try:
            piece = connection.recv(1 << 20)
        except ConnectionResetError:
            return False
        if not piece:
            return False
        size -= len(piece)
    return True


class LoadTest(HttpHostileTest):
    def test_a_thousand_connections(self):
        server = self.http()
        held = []
        self.addCleanup(lambda: [one.close() for one in held])
        with Bystander(server) as bystander:
            for number in range(1000):
                held.append(server.socket())
                if number % 2:
                    held[-1].sendall(b"POST /mcp HTTP/1.1\r\nHost: loc")
            for _ in range(5):
                self.assertEqual(server.post(initialize())[0], 200)
            time.sleep(0.5)
            # More than there is room for: who is idle makes it.
            held.extend(server.socket() for _ in range(300))
            self.assertEqual(server.post(initialize())[0], 200)
        self.assert_served(bystander)
        self.assertLess(memory(server.process), 128)
        self.assertEqual(server.end(), 0)

    def test_clients_that_do_not_read(self):
        server = self.http()
        (self.w / "big").write_text("0123456789abcdef" * 750_000)  # 12 MB
        read = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {
            "uri": (self.w / "big").as_uri(), "_meta": stateless_meta()}}
        body = json.dumps(read).encode()
        held, statuses = [], []
        self.addCleanup(lambda: [one.close() for one in held])
        with Bystander(server) as bystander:
            for _ in range(60):  # 720 MB, if all of it waited
                held.append(server.socket())
                held[-1].sendall(server.head(len(body), **headers_of(read)) + body)
                statuses.append(held[-1].recv(12, socket.MSG_WAITALL)[-3:])
        self.assertLessEqual(set(statuses), {b"200", b"503"})
        self.assertGreater(statuses.count(b"200"), 15)
        self.assert_served(bystander)
        self.assertLess(memory(server.process), 1024)
        # 256 MB may wait: others were refused or, once they were known to read slowly, cut off.
        whole = sum(is_whole(one) for one, status in zip(held, statuses) if status == b"200")
        self.assertGreater(whole, 15)
        self.assertLess(whole, 45)
        for one in held:
            one.close()
        status, reply = 503, None
        for _ in range(50):  # it takes a moment until they are known to be gone
            status, reply, _ = server.post(read)
            if status == 200:
                break
            time.sleep(0.1)
        self.assertEqual(len(reply["result"]["contents"][0]["text"]), 12_000_000)
        self.assertEqual(server.end(), 0)

    def test_strangers_with_half_a_head_keep_nobody_out(self):
        """More of them than there is room for, and who is shut out comes again at once."""
        server = self.http()
        held, over = [], threading.Event()
        self.addCleanup(lambda: [one.close() for one in held])
        known = server.connection()
        session = server.post(initialize(), known)[2]

        def flood():
            while not over.is_set():
                try:
                    held.append(server.socket())
                    held[-1].sendall(b"POST /mcp HTTP/1.1\r\nHost: loc")
                except OSError:
                    pass
                if len(held) > 2500:
                    held.pop(0).close()
        for _ in range(1250):
            held.append(server.socket())
            held[-1].sendall(b"POST /mcp HTTP/1.1\r\nHost: loc")
        thread = threading.Thread(target=flood)
        thread.start()
        worst = 0.0
        try:
            for number in range(20):
                for connection in (known, None):  # one that was here before, and a newcomer
                    begun = time.monotonic()
                    status, _, _ = server.post(ping(number), connection, Mcp_Session_Id=session)
                    worst = max(worst, time.monotonic() - begun)
                    self.assertEqual(status, 200)
        finally:
            over.set()
            thread.join()
        known.close()
        self.assertLess(worst, 1.0)
        self.assertLess(memory(server.process), 128)
        self.assertEqual(server.end(), 0)

    def test_many_large_answers_at_once_that_nobody_reads(self):
        server = self.http()
        (self.w / "big").write_bytes(bytes(range(256)) * 58_600)  # 15 MB, 20 MB as base64
        (self.w / "long").write_text("0123456789abcde\n" * 3_000_000)  # 48 MB
        read = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {
            "uri": (self.w / "big").as_uri(), "_meta": stateless_meta()}}
        tool = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "read_file", "arguments": {"path": "long"}, "_meta": stateless_meta()}}
        held = []
        self.addCleanup(lambda: [one.close() for one in held])
        with Bystander(server) as bystander:
            for number in range(120):
                message = tool if number % 2 else read
                body = json.dumps(message).encode()
                held.append(server.socket())
                held[-1].sendall(server.head(len(body), **headers_of(message)) + body)
            for one in held:
                self.assertIn(one.recv(12, socket.MSG_WAITALL)[-3:], (b"200", b"503"))
            time.sleep(2.2)  # from then on it shows who reads
            # Those who read get theirs although the others keep what they were sent.
            for _ in range(3):
                status, reply, _ = server.post(read)
                self.assertEqual(status, 200)
                self.assertEqual(len(reply["result"]["contents"][0]["blob"]), 20_002_136)
        self.assert_served(bystander)
        self.assertLess(memory(server.process), 1400)
        self.assertEqual(server.end(), 0)

    def test_sessions_that_answer_nothing_leave_workers_to_others(self):
        server = self.http()
        held = []
        self.addCleanup(lambda: [one.close() for one in held])
        capabilities = {"elicitation": {}, "roots": {}}

        def call(session, number, path):
            body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
                "name": "read_file", "arguments": {"path": path}}}).encode()
            held.append(server.socket())
            held[-1].sendall(server.head(len(body), Mcp_Session_Id=session) + body)
        for _ in range(20):  # 600 requests for 256 workers, all in need of roots
            session = server.post(initialize(capabilities=capabilities))[2]
            for number in range(30):
                call(session, number, f"{self.secret}{number}")
        with Bystander(server) as bystander:
            begun = time.monotonic()
            status, _, session = server.post(initialize())
            self.assertEqual(status, 200)
            status, reply, _ = server.post(
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                    "name": "read_file", "arguments": {"path": "a"}}}, Mcp_Session_Id=session)
            self.assertEqual(reply["result"]["content"][0]["text"], "inside")
            self.assertLess(time.monotonic() - begun, 2.0)
            time.sleep(11)  # the roots were waited for long enough: now they ask a person
            status, reply, _ = server.post(
                {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                    "name": "read_file", "arguments": {"path": "a"}}}, Mcp_Session_Id=session)
            self.assertEqual(reply["result"]["content"][0]["text"], "inside")
            # A question of somebody else's finds room, too.
            asking = server.post(initialize(capabilities={"elicitation": {}}))[2]
            call(asking, 1, str(self.secret))
            got = b""
            while b"elicitation/create" not in got:
                piece = held[-1].recv(65536)
                self.assertTrue(piece, got)
                got += piece
        self.assert_served(bystander, 100)
        self.assertLess(bystander.worst, 1.5)
        self.assertEqual(server.end(), 0)

    def test_listeners_are_told_the_end(self):
        server = self.http()
        listen = {"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
            "notifications": {"resourceSubscriptions": [(self.w / "a").as_uri()]},
            "_meta": stateless_meta()}}
        body = json.dumps(listen).encode()
        listeners = [server.connection() for _ in range(3)]
        replies = []
        for connection in listeners:
            connection.sock.sendall(server.head(len(body), **headers_of(listen)) + body)
            reply = http.client.HTTPResponse(connection.sock, method="POST")
            reply.begin()
            while b"acknowledged" not in (line := reply.readline()):
                self.assertTrue(line)
            replies.append(reply)
        begun = time.monotonic()
        self.assertEqual(server.end(), 0)
        self.assertLess(time.monotonic() - begun, 3.0)
        for reply, connection in zip(replies, listeners):
            last = [json.loads(line[6:]) for line in reply.read().splitlines()
                    if line.startswith(b"data: {")][-1]  # whole: the last chunk has come
            self.assertEqual((last["id"], last["result"]["resultType"]), ("l", "complete"))
            connection.close()


if __name__ == "__main__":
    unittest.main()
