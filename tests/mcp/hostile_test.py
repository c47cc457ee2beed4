"""cordon mcp on stdin and stdout against a client that means harm, or is broken.

What is resident stays below 1 GiB whatever one client sends: a line has 64 MiB at most, its
values and the parser six times that each, for one line at a time.
"""

import json
import random
import time
import unittest

from hostile_messages import (BAD_IDS, GOOD_IDS, NO_MESSAGES, NO_REQUESTS, bomb, messages, mutant,
                              verdict)
from hostile_support import SEED, HostileTest, initialize, memory, ping, stateless_meta

MOST_RESIDENT = 1024  # MiB
FUZZED = 3000


class StdioTest(HostileTest):
    def test_what_is_no_message_is_told_so(self):
        server = self.stdio()
        for initialized in (False, True):
            if initialized:
                self.assertIn("result", server.ask(initialize()))
            for line, code in NO_MESSAGES:
                with self.subTest(line=line[:60]):
                    self.assert_refused(server.ask(line), code)
            for line, code in NO_REQUESTS:
                with self.subTest(line=line[:60]):
                    self.assert_refused(server.ask(line), code, 7)
        self.assertEqual(server.ask(ping("after"))["result"], {})
        self.assertEqual(server.end(), (0, []))

    def test_ids_of_every_type(self):
        server = self.stdio()
        for name in GOOD_IDS:
            reply = server.ask(ping(name))
            self.assertEqual((reply["id"], type(reply["id"])), (name, type(name)))
        for name in BAD_IDS:
            with self.subTest(name=name[:40]):
                line = b'{"jsonrpc":"2.0","id":' + name + b',"method":"ping"}'
                self.assert_refused(server.ask(line), -32600)
        self.assertEqual(server.end(), (0, []))

    def test_batches(self):
        server = self.stdio()
        server.ask(initialize("2025-03-26"))
        batch = [ping(n) for n in range(98)] + [7, {"jsonrpc": "2.0", "id": "m", "method": 1}]
        replies = server.ask(batch)
        self.assertEqual({one["id"] for one in replies if "result" in one}, set(range(98)))
        self.assertEqual([one["error"]["code"] for one in replies if "error" in one], [-32600] * 2)
        for refused in ([], [ping(n) for n in range(101)]):
            self.assert_refused(server.ask(refused), -32600)
        nested = server.ask([[ping(1)], ping(2)])
        self.assertEqual(sorted("error" in one for one in nested), [False, True])
        self.assertEqual(server.end(), (0, []))

    def test_lines_of_100_mb_and_bombs(self):
        server = self.stdio()
        cases = [([b'{"jsonrpc":"2.0","id":1,"method":"', b"a" * 100_000_000, b'"}'], -32600),
                 ([b"[" * 60_000_000], -32700),
                 ([b"\xff" * 60_000_000], -32700),
                 (bomb(b"[],", 60_000_000), -32700),
                 (bomb(b"1,", 60_000_000), -32700),
                 (bomb(b'{"a":""},', 60_000_000), -32700)]
        for pieces, code in cases:
            with self.subTest(code=code, begin=pieces[0][:20], piece=pieces[-2:][0][:9]):
                server.write(*pieces, b"\n")
                self.assert_refused(server.receive(), code)
                self.assertEqual(server.ask(ping("after"))["result"], {})
        # What is only long is nothing bad.
        server.write(b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"a":"',
                     b"a" * 60_000_000, b'"}}\n')
        self.assertEqual(server.receive(), {"jsonrpc": "2.0", "id": 2, "result": {}})
        self.assertLess(memory(server.process), MOST_RESIDENT)
        self.assertEqual(server.end(), (0, []))

    def test_long_lines_do_not_pile_up(self):
        """While all that may run waits for a person."""
        server = self.stdio()
        server.ask(initialize(capabilities={"elicitation": {}}))
        for number in range(16):
            server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
                "name": "read_file", "arguments": {"path": f"{self.secret}{number}"}}})
        asked = [server.receive() for _ in range(16)]
        self.assertEqual({one["method"] for one in asked}, {"elicitation/create"})
        long = b"a" * 20_000_000
        for number in range(100, 120):
            server.write(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"x":"' % number,
                         long, b'"}}\n')
        # 134 MB may wait: six of them. The others are told so at once.
        for number in range(106, 120):
            self.assert_refused(server.receive(), -32603, number)
        self.assertLess(memory(server.process), 512)
        for one in asked:
            server.send({"jsonrpc": "2.0", "id": one["id"], "result": {"action": "decline"}})
        answered = [server.receive() for _ in range(16 + 6)]
        self.assertEqual({one["id"] for one in answered}, {*range(16), *range(100, 106)})
        self.assertTrue(all("result" in one for one in answered))
        self.assertEqual(server.end(), (0, []))

    def test_a_slow_sender_and_half_a_message(self):
        server = self.stdio()
        for byte in json.dumps(ping("slow")).encode() + b"\n":
            server.write(bytes([byte]))
            time.sleep(0.005)
        self.assertEqual(server.receive()["id"], "slow")
        server.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        time.sleep(0.2)
        self.assertTrue(server.said.empty())
        self.assertEqual(server.end(), (0, []))

    def test_a_client_that_says_too_much_of_itself(self):
        server = self.stdio()
        for message in (initialize(name="x" * 70_000),
                        initialize(capabilities={"x": ["y" * 70_000]})):
            self.assert_refused(server.ask(message), -32602, "init")
        self.assertIn("result", server.ask(initialize(name="x" * 60_000)))
        self.assertEqual(server.end(), (0, []))

    def test_messages_of_many_values(self):
        server = self.stdio()
        for piece, size in ((b'"ab",', 350_000), (b'"a",', 60_000_000),
                            (b'{"old_string":"a","new_string":"b"},', 60_000_000)):
            server.write(*bomb(piece, size), b"\n")
            self.assertEqual(server.receive(), {"jsonrpc": "2.0", "id": 1, "result": {}})
        self.assertLess(memory(server.process), MOST_RESIDENT)
        self.assertEqual(server.end(), (0, []))

    def test_a_listener_is_told_the_end(self):
        server = self.stdio()
        server.send({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
            "notifications": {"resourceSubscriptions": [(self.w / "a").as_uri()]},
            "_meta": stateless_meta()}})
        self.assertEqual(server.receive()["method"], "notifications/subscriptions/acknowledged")
        status, rest = server.end()
        self.assertEqual(status, 0)
        self.assertEqual([(one["id"], one["result"]["resultType"]) for one in rest],
                         [("l", "complete")])

    def test_request_states_that_are_not_ours(self):
        server = self.stdio()
        check_request_states(self, server.ask)
        self.assertEqual(server.end(), (0, []))

    def test_fuzzed_messages(self):
        chance = random.Random(SEED)
        server = self.stdio()
        server.ask(initialize())
        valid = messages(self.scratch)
        counts = {"request": 0, "error": 0, "silent": 0, "open": 0}
        unclear = []  # sent at the end: whether there will be an answer is not known
        for number in range(FUZZED):
            line = mutant(chance, {**chance.choice(valid), "id": number})
            with self.subTest(seed=SEED, number=number, line=line[:300]):
                kind, name = verdict(line)
                counts[kind] += 1
                if kind == "open":
                    unclear.append(line)
                    continue
                replies = self.replies(server, line, kind, f"mark {number}")
                if kind == "request":
                    self.assertEqual([reply["id"] for reply in replies], [name])
                elif kind == "error":
                    self.assertEqual([reply.get("id") for reply in replies], [name])
                    self.assertIn(replies[0]["error"]["code"], (-32700, -32600))
                elif kind == "silent":
                    self.assertEqual(replies, [])
        self.assertGreater(min(counts["request"], counts["error"]), FUZZED // 5, counts)
        for line in unclear:
            server.write(line, b"\n")
        server.send(ping("after"))
        while (message := server.receive()).get("id") != "after":
            self.assertEqual(message["jsonrpc"], "2.0")
        status, _ = server.end()
        self.assertEqual(status, 0)

    def replies(self, server, line, kind, mark):
        """What `line` is answered with, until a ping that was sent after it is answered, too."""
        server.write(line, b"\n")
        server.send(ping(mark))
        replies, marked = [], False
        wanted = 1 if kind in ("request", "error") else 0
        while not marked or len(replies) < wanted:
            message = server.receive()
            self.assertTrue(("result" in message) != ("error" in message) or "method" in message)
            if message.get("id") == mark:
                marked = True
            elif "method" not in message:
                replies.append(message)
        return replies


def check_request_states(test, ask):
    """`ask` sends a message and gives the reply; a state counts once, and unchanged."""
    def call(**more):
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "read_file", "arguments": {"path": str(test.secret)},
            "_meta": stateless_meta({"elicitation": {"form": {}}}), **more}}

    asked = ask(call())["result"]
    test.assertEqual(asked["resultType"], "input_required")
    (key, _), = asked["inputRequests"].items()
    state = asked["requestState"]
    accept = {key: {"action": "accept", "content": {"decision": "once"}}}
    chance = random.Random(SEED)
    wrong = [state[:-1], state + "0", state[1:], "", ".", "x" * 300_000, state.replace(".", ".."),
             state.split(".")[0] + "." + "0" * 64, 7, None, [state], {}]
    for _ in range(60):
        place = chance.randrange(len(state))
        letter = chance.choice([c for c in "abcdef0123456789AZ+/=." if c != state[place]])
        wrong.append(state[:place] + letter + state[place + 1:])
    for one in wrong:
        with test.subTest(state=str(one)[:100]):
            test.assert_refused(ask(call(requestState=one, inputResponses=accept)), -32602, 1)
    other = call(requestState=state, inputResponses=accept)
    other["params"]["arguments"] = {"path": str(test.scratch / "other")}
    test.assert_refused(ask(other), -32602, 1)
    # None of that has used it up.
    done = ask(call(requestState=state, inputResponses=accept))["result"]
    test.assertEqual(done["content"][0]["text"], "outside")
    for _ in range(3):
        test.assert_refused(ask(call(requestState=state, inputResponses=accept)), -32602, 1)


if __name__ == "__main__":
    unittest.main()
