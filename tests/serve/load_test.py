"""cordon serve with many users at a time: conversations made all at once, then commands and files
in all of them. Nobody sees an error that was not asked for, or anything of anybody else's, and the
server stays as large as it was."""

import collections
import http.client
import json
import os
import pathlib
import resource
import shutil
import socket
import sys
import tempfile
import threading
import time
import unittest

from served import Server
from traces import MEMORY_COUNTS, Traces

USERS = int(os.environ.get("CORDON_LOAD_USERS", "20"))
CONVERSATIONS = int(os.environ.get("CORDON_LOAD_CONVERSATIONS", "200"))
SECONDS_OF_TRAFFIC = float(os.environ.get("CORDON_LOAD_SECONDS", "60"))
EACH = CONVERSATIONS // USERS

# What the server may grow by between the first and the last third of the traffic. Its allocator
# keeps what many threads needed at a time; what leaks at every request is far beyond that after
# thousands of them.
MOST_GROWTH = 16 << 20
# All of it, with every sandbox in use.
MOST_RESIDENT = 192 << 20


class Client:
    """One connection that stays, as a program would keep it."""

    def __init__(self, server, token):
        self.server, self.token = server, token
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=120)

    def ask(self, method, path, body=None):
        if self.connection.sock is None:
            self.connection.connect()
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        headers = {"Authorization": "Bearer " + self.token}
        if isinstance(body, dict):
            body = json.dumps(body)
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def close(self):
        self.connection.close()


class Resident:
    """Somebody with a conversation, and a secret that only its sandbox knows."""

    def __init__(self, server, number, token):
        self.client = Client(server, token)
        self.marker = f"marker of {number} {os.urandom(8).hex()}"
        self.conversation = self.sandbox = None
        self.done = collections.Counter()
        self.complaints = []

    def expect(self, what, status, wanted, body=b""):
        self.done[what] += 1
        if status != wanted:
            self.complaints.append((what, status, body[:300]))
        return status == wanted

    def begin(self):
        status, body = self.client.ask("POST", "/v1/conversations", {"title": self.marker})
        if not self.expect("create", status, 201, body):
            return
        made = json.loads(body)
        self.conversation, self.sandbox = made["id"], "/v1/sandboxes/" + made["sandboxId"]
        status, body = self.client.ask("PUT", self.sandbox + "/files/marker", self.marker)
        self.expect("put", status, 201, body)

    def run(self, command, wanted):
        status, body = self.client.ask("POST", self.sandbox + "/exec", {"command": command})
        if self.expect("exec", status, 200, body):
            said = json.loads(body)
            if (said["exitStatus"], said["stdout"]) != (0, wanted):
                self.complaints.append((command, said))

    def traffic(self, until):
        round_ = 0
        while time.monotonic() < until and len(self.complaints) < 5:
            round_ += 1
            # Its own marker, and no other one wherever it looks.
            self.run("cat /workspace/marker; ls -d /*/marker /tmp/*/marker /home/*/marker 2>/dev/null; true",
                     self.marker + "/workspace/marker\n")
            text = f"{self.marker} {round_}\n" * 50
            status, body = self.client.ask("PUT", self.sandbox + f"/files/notes/{round_ % 5}", text)
            self.expect("put", status, 201 if round_ <= 5 else 200, body)
            status, body = self.client.ask("GET", self.sandbox + f"/files/notes/{round_ % 5}")
            if self.expect("get", status, 200, body) and body.decode() != text:
                self.complaints.append(("another's text", body[:300]))
            self.run(f"tail -n 1 notes/{round_ % 5}", f"{self.marker} {round_}\n")
            status, body = self.client.ask("GET", self.sandbox)
            self.expect("find", status, 200, body)

    def end(self):
        if self.conversation is None:
            return
        status, body = self.client.ask("DELETE", "/v1/conversations/" + self.conversation)
        self.expect("delete", status, 204, body)
        self.client.close()


def all_at_once(works):
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class LoadTest(unittest.TestCase):
    def setUp(self):
        # As many systems give it to what they start; this is the server's to mend.
        resource.setrlimit(resource.RLIMIT_NOFILE,
                           (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cordon-load-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.server = Server(self.scratch / "state", "--max-per-user", str(EACH), "--full", "refuse")
        self.traces = Traces(self.scratch / "state")
        self.addCleanup(self.traces.end_all)  # of a test that fails: they outlive the server
        self.addCleanup(self.server.stop)

    def beyond_the_cap(self, tokens):
        """What was asked for: each user has as many as it may."""
        for token in tokens:
            client = Client(self.server, token)
            status, body = client.ask("POST", "/v1/conversations", {})
            client.close()
            self.assertEqual(status, 429, body)
            self.assertEqual(json.loads(body)["error"]["code"], "LIMIT_EXCEEDED")

    def test_many_at_a_time(self):
        tokens = [self.server.token(f"user{i}") for i in range(USERS)]
        process = self.server.process.pid
        people = [Resident(self.server, i, tokens[i % USERS]) for i in range(CONVERSATIONS)]
        begun = time.monotonic()
        all_at_once([one.begin for one in people])
        creation = time.monotonic() - begun
        complaints = [one for who in people for one in who.complaints]
        self.assertEqual(complaints[:5], [], f"{len(complaints)} complaints")
        self.beyond_the_cap(tokens)

        sizes, over = [], threading.Event()

        def measure():
            while not over.wait(0.25):
                sizes.append(self.traces.resident_bytes(process))
        measuring = threading.Thread(target=measure)
        measuring.start()
        until = time.monotonic() + SECONDS_OF_TRAFFIC
        all_at_once([lambda one=one: one.traffic(until) for one in people])
        over.set()
        measuring.join()
        complaints = [one for who in people for one in who.complaints]
        done = sum((who.done for who in people), collections.Counter())
        third = len(sizes) // 3
        first, last = max(sizes[:third]), max(sizes[-third:])
        print(f"{CONVERSATIONS} conversations in {creation:.1f} s; {dict(done)}; the server: "
              f"{first >> 20} MB, in the end {last >> 20} MB, {self.traces.descriptors(process)} "
              f"descriptors, {self.traces.threads(process)} threads", file=sys.stderr)
        self.assertEqual(complaints[:5], [], f"{len(complaints)} complaints")
        self.assertGreaterEqual(min(who.done["exec"] for who in people), 2)  # nobody starves
        if MEMORY_COUNTS:
            self.assertLess(last - first, MOST_GROWTH)
            self.assertLess(max(sizes), MOST_RESIDENT)

        all_at_once([one.end for one in people])
        complaints = [one for who in people for one in who.complaints]
        self.assertEqual(complaints[:5], [])
        deadline = time.monotonic() + 30  # others' control groups come and go as well
        while left := self.traces.of_sandboxes():
            self.assertLess(time.monotonic(), deadline, left)
            time.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
