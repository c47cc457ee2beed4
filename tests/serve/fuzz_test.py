"""Requests made of the document that cordon serve serves: every operation, with values that fit it
and with values that do not. No answer is the server's own fault, each is as the document says,
memory is bounded, and what is another user's goes on as if nothing had happened."""

import http.client
import json
import os
import random
import sys
import threading
import time
import unittest
import urllib.parse

from served import ServeTest
from traces import MEMORY_COUNTS, Traces

SECONDS = float(os.environ.get("CORDON_FUZZ_SECONDS", "12"))
SEED = int(os.environ.get("CORDON_FUZZ_SEED", time.time()))
CLIENTS = 4
MOST_GROWTH = 64 << 20

STREAMS = {"streamAudit", "streamApprovals", "listenMcp", "attachTerminal"}
ODD = [None, True, False, -1, 0, 1, 1.5, 1e308, 1 << 70, "", "x", "\0", "\ud800", "../..", "a" * 10000,
       "ready", [], [1], ["x"], {}, {"a": {"b": []}}, [[[]]], "true", "none", "allow:*", "full", "/", "..",
       "/workspace/a", "-1", "18446744073709551616", "💥"]
COMMANDS = ["true", "false", "echo x", "cat", "head -c 3000000 /dev/zero", "sleep 0.1", "kill -9 $$",
            "exit 300", "echo \\377", "yes | head -n 100000", "rm -rf /workspace/*", "mkdir -p a/b; ln -s / up",
            ": > a; chmod 0 a", "for i in 1 2 3; do sleep 0.05 & done"]
PATHS = ["", "x", "a", "a/b", "a/b/c", "../x", "up", "up/etc/passwd", "%00", "%ff", "/workspace/x", "a//b", "a/./b",
         "..%2f..%2fetc%2fpasswd", "%2e%2e/x", "a%2fb", "a" * 300, "/".join("a" * 200), ".git/config", "%25", "a b",
         "💥", "\u202e", "a\\b", "C:\\x", "a?b", ";x", "x%0ay"]
HEADERS = [{}, {}, {}, {"Accept": "text/event-stream"}, {"Range": "bytes=0-1"}, {"Range": "bytes=5-1"},
           {"Range": "bytes=-18446744073709551616"}, {"If-Match": "*"}, {"If-None-Match": "*"}, {"If-Match": '"x"'},
           {"Accept": "application/x-tar"}, {"Expect": "100-continue"}, {"Last-Event-ID": "x"},
           {"Mcp-Session-Id": "x"}, {"X-Long": "a" * 8000}, {"Upgrade": "websocket", "Connection": "Upgrade"}]


class Maker:
    """Values by a schema; `wild` is how often one does not keep to it."""

    def __init__(self, document, chance, wild):
        self.document, self.chance, self.wild = document, chance, wild

    def value(self, schema, name=""):
        chance = self.chance
        if chance.random() < self.wild:
            return chance.choice(ODD)
        if "$ref" in schema:
            return self.value(self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], name)
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "oneOf" in schema or "anyOf" in schema:
            return self.value(chance.choice(schema.get("oneOf") or schema["anyOf"]), name)
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = chance.choice(kind)
        if kind == "object":
            required = schema.get("required", [])
            made = {key: self.value(one, key) for key, one in schema.get("properties", {}).items()
                    if key in required or chance.random() < 0.4}
            if chance.random() < self.wild:
                made["surprise"] = chance.choice(ODD)
            return made
        if kind == "array":
            return [self.value(schema.get("items", {}), name) for _ in range(chance.randrange(3))]
        return self.scalar(kind, schema, name)

    def scalar(self, kind, schema, name):
        chance = self.chance
        if kind == "integer":
            # Programs do not run for hours here, and sandboxes end when the test does.
            most = 2 if name == "timeoutSeconds" else 1 << 40
            return chance.choice([schema.get("minimum", 0), 1, 2, min(most, 100), min(most, 64 << 20), most])
        if kind == "number":
            return chance.choice([0, 0.5, 1, 4])
        if kind == "boolean":
            return chance.random() < 0.5
        if kind == "null":
            return None
        known = {"command": COMMANDS, "directory": ["/workspace", "a", "/", "/nowhere", "../.."],
                 "network": ["none", "allow:localhost", "allow:", "full"], "driver": ["local", "", "docker+runc"],
                 "image": ["", "x"], "moveTo": PATHS, "path": PATHS}
        return chance.choice(known.get(name, ["", "x", "some text", "é", "a" * 100]))

    def body(self, media, schema):
        """(bytes, content type)"""
        chance = self.chance
        if media != "application/json":
            return os.urandom(chance.choice([0, 1, 512, 1024, 20000])), media
        text = json.dumps(self.value(schema)).encode()
        if chance.random() < self.wild:
            cut = chance.randrange(len(text) + 1)
            text = chance.choice([text[:cut], text + b"x", b"", b"{" * 5000, b"[" * 100000, b'{"a":1,"a":2}',
                                  b'"\xff\xfe"', b"\xef\xbb\xbf{}", b"null", b"1e999", b'{"\\u0000":1}',
                                  text[:cut] + os.urandom(3) + text[cut:]])
        kind = media if chance.random() >= self.wild else chance.choice(["text/plain", "", "application/json; x=y"])
        return text, kind


class Fuzzer:
    """One client, with what it has seen of the server's objects."""

    def __init__(self, test, number):
        self.test, self.server = test, test.server
        self.chance = random.Random(SEED * 1000 + number)
        self.token = self.server.token(f"fuzzer{number}", *[word for scope in (
            "sandboxes:read", "sandboxes:write", "approvals", "audit", "admin") for word in ("--scope", scope)])
        test.tokens.add(self.token)
        self.seen = {"id": [], "terminal": []}
        self.complaints, self.count, self.statuses = [], 0, {}

    def parameter(self, name, template):
        chance = self.chance
        if name == "path":
            return urllib.parse.quote(chance.choice(PATHS), safe="%/")
        if name == "name":
            return chance.choice(self.test.tools + ["x", "%00"])
        known = self.seen.get(name, [])
        if name == "id" and known and chance.random() < 0.9:
            fitting = [one for one in known if one.startswith("cnv_") == ("conversations" in template)]
            known = fitting or known
            return chance.choice(known[-6:])
        if known and chance.random() < 0.8:
            return chance.choice(known[-6:])
        return chance.choice(["a" * 26, "x", "%00", "cnv_x", "%ff", "..", self.test.witness])

    def remember(self, operation, answer):
        if answer.status not in (200, 201, 202) or not answer.body.startswith(b"{"):
            return
        made = answer.json
        for key in ("id", "sandboxId"):
            if isinstance(made.get(key), str):
                name = "terminal" if made[key].startswith("trm_") else "id"
                if operation not in ("createToken", "createUser"):
                    self.seen[name].append(made[key])

    def request(self, template, method, operation):
        maker = Maker(self.server.document, self.chance, self.chance.choice([0, 0, 0.1, 0.4]))
        url = template
        query = {}
        for one in operation.get("parameters", []):
            if one["in"] == "path":
                url = url.replace("{" + one["name"] + "}", self.parameter(one["name"], template))
            elif self.chance.random() < 0.4:
                query[one["name"]] = str(maker.value(one["schema"], one["name"])).encode("utf-8", "replace")
        if query:
            url += "?" + urllib.parse.urlencode(query)
        headers = dict(self.chance.choice(HEADERS))
        body = None
        if "requestBody" in operation:
            media, schema = self.chance.choice(list(operation["requestBody"]["content"].items()))
            body, kind = maker.body(media, schema["schema"])
            headers["Content-Type"] = kind
        return url, headers, body

    def once(self, template, method, operation):
        url, headers, body = self.request(template, method, operation)
        what = (method, url[:300], headers, (body or b"")[:300])
        if operation["operationId"] in STREAMS or "Upgrade" in headers:
            return self.glance(method, url, headers, what)
        try:
            answer = self.server.raw(method, url, body, headers, self.token)
        except (http.client.HTTPException, OSError) as error:
            self.complaints.append((what, repr(error)))
            return
        self.count += 1
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        self.judge(operation, method, url, answer, what)
        self.remember(operation["operationId"], answer)

    def judge(self, operation, method, url, answer, what):
        if answer.status == 431:
            return  # not even read
        known = operation["responses"]
        if answer.status >= 500 and answer.status != 501 and str(answer.status) not in known:
            self.complaints.append((what, answer.status, answer.body[:300]))
        if b"root:x:0" in answer.body or self.test.secret in answer.body:
            self.complaints.append((what, "tells what is another's", answer.body[:300]))
        try:
            self.server.validate(method, url, answer)
        except (AssertionError, ValueError) as error:
            self.complaints.append((what, answer.status, str(error)[:600]))

    def glance(self, method, url, headers, what):
        """The beginning of what may never end."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)
        try:
            connection.request(method, url, headers={**headers, "Authorization": "Bearer " + self.token})
            status = connection.getresponse().status
            if status >= 500:
                self.complaints.append((what, status))
        except (http.client.HTTPException, OSError) as error:
            self.complaints.append((what, repr(error)))
        finally:
            connection.close()
        self.count += 1

    def run(self, until):
        operations = [(path, method.upper(), one) for path, methods in self.server.document["paths"].items()
                      for method, one in methods.items()]
        # Each at least once, then as chance has it.
        self.chance.shuffle(operations)
        first = list(operations)
        while (first or time.monotonic() < until) and len(self.complaints) < 5:
            if not first and len(self.seen["id"]) % 7 == 0:
                self.once(*next(one for one in operations if one[2]["operationId"] == "createConversation"))
            self.once(*(first.pop() if first else self.chance.choice(operations)))


class FuzzTest(ServeTest):
    maxDiff = None
    flags = ("--max-per-user", "12")

    def test_nothing_breaks_it(self):
        print("CORDON_FUZZ_SEED", SEED, file=sys.stderr)
        self.secret = os.urandom(16).hex().encode()
        owner = self.server.token()
        place = self.sandbox(token=owner)
        self.witness = place.rsplit("/", 1)[1]
        self.assertEqual(self.ask("PUT", place + "/files/a", self.secret).status, 201)
        self.assertEqual(self.ask("POST", place + "/exec", {"arguments": ["sleep", "86400"], "detached": True})
                         .status, 202)
        self.tools = [one["name"] for one in self.ask("GET", "/v1/tools").json["tools"]]
        fuzzers = [Fuzzer(self, i) for i in range(CLIENTS)]
        process = self.server.process.pid
        before = Traces.resident_bytes(process)
        until = time.monotonic() + SECONDS
        threads = [threading.Thread(target=one.run, args=(until,)) for one in fuzzers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        after = Traces.resident_bytes(process)
        statuses = {}
        for one in fuzzers:
            for status, count in one.statuses.items():
                statuses[status] = statuses.get(status, 0) + count
        print(f"{sum(one.count for one in fuzzers)} requests: {dict(sorted(statuses.items()))}; "
              f"{before >> 20} MB before, {after >> 20} MB after", file=sys.stderr)
        complaints = [one for fuzzer in fuzzers for one in fuzzer.complaints]
        self.assertEqual(complaints[:3], [], f"{len(complaints)} complaints")
        if MEMORY_COUNTS:
            self.assertLess(after - before, MOST_GROWTH)
        # As good as nobody else got what it wanted would prove nothing.
        self.assertGreater(statuses.get(200, 0), 20)
        self.assertEqual(self.ask("GET", place).json["status"]["state"], "ready")
        self.assertEqual(self.ask("GET", place + "/files/a").body, self.secret)
        running = self.ask("GET", place + "/processes").json["processes"]
        self.assertIn("sleep 86400", [one["arguments"] for one in running])


if __name__ == "__main__":
    unittest.main()
