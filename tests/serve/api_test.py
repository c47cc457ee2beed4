"""cordon serve, end to end: what each endpoint does, with every answer held against the document."""

import io
import json
import tarfile
import threading
import time
import unittest

from served import FLAGS, Server, ServeTest, WebSocket

REQUIRED = "This operation requires a sandbox environment. Please refresh and try again."


class LifeTest(ServeTest):
    def test_a_conversation_has_a_sandbox_of_its_own(self):
        made = self.ask("POST", "/v1/conversations", {"title": "hello"})
        self.assertEqual(made.status, 201, made.body)
        one = made.json
        self.assertEqual(one["sandboxStatus"], "ready")
        self.assertEqual(self.ask("GET", made.headers["Location"]).json, one)
        sandbox = self.ask("GET", "/v1/sandboxes/" + one["sandboxId"]).json
        self.assertEqual(sandbox["conversationId"], one["id"])
        self.assertEqual(sandbox["status"]["state"], "ready")
        self.assertTrue(sandbox["isolation"]["actual"])
        self.assertIn(one["id"], [each["id"] for each in
                                  self.ask("GET", "/v1/conversations").json["conversations"]])
        self.assertEqual(self.ask("DELETE", made.headers["Location"]).status, 204)
        self.assertEqual(self.ask("GET", made.headers["Location"]).status, 404)
        gone = self.ask("GET", "/v1/sandboxes/" + one["sandboxId"]).json
        self.assertEqual(gone["status"]["state"], "terminated")
        self.assertEqual(gone["status"]["reason"], "user_delete")

    def test_a_conversation_whose_sandbox_cannot_be_made_is_not_there(self):
        before = self.ask("GET", "/v1/conversations").json
        too_much = {"isolation": "gvisor"} if "docker+runsc" not in FLAGS else {"image": "none:1"}
        for wish in ({"driver": "none"}, too_much):
            answer = self.ask("POST", "/v1/conversations", {"sandbox": wish})
            self.assertIn(answer.status, (400, 409, 503), answer.body)
        self.assertEqual(self.ask("GET", "/v1/conversations").json, before)

    def test_pause_resume_renew(self):
        path = self.sandbox()
        self.assertEqual(self.ask("POST", path + "/pause").json["status"]["state"], "paused")
        self.assertEqual(self.ask("POST", path + "/resume").json["status"]["state"], "ready")
        before = self.ask("GET", path).json["expiresAt"]
        after = self.ask("POST", path + "/renew", {"seconds": 7200}).json["expiresAt"]
        self.assertNotEqual(before, after)
        self.assertEqual(self.ask("POST", path + "/renew", {"seconds": 0}).status, 400)
        self.assertEqual(self.ask("DELETE", path).status, 204)
        self.assertEqual(self.ask("DELETE", path).status, 204)
        self.assertEqual(self.ask("POST", path + "/exec", {"command": "true"}).status, 409)

    def test_lists_have_filters_and_pages(self):
        token = self.server.token("lister")
        paths = [self.sandbox(token=token) for _ in range(3)]
        first = self.ask("GET", "/v1/sandboxes?limit=2", token=token).json
        second = self.ask("GET", "/v1/sandboxes?limit=2&after=" + first["next"], token=token).json
        found = [one["id"] for one in first["sandboxes"] + second["sandboxes"]]
        self.assertEqual(sorted(found), sorted(path.split("/")[-1] for path in paths))
        self.ask("DELETE", paths[0], token=token)
        ready = self.ask("GET", "/v1/sandboxes?state=ready", token=token).json["sandboxes"]
        self.assertEqual(len(ready), 2)
        for bad in ("limit=0", "limit=x", "state=x", "after=x", "limit=%"):
            self.assertEqual(self.ask("GET", "/v1/sandboxes?" + bad, token=token).status, 400, bad)
        for path in paths[1:]:
            self.ask("DELETE", path, token=token)

    def test_a_full_sandbox_takes_no_more_until_something_is_removed(self):
        limit = 8 << 20
        path = self.sandbox(resources={"disk": limit})
        told = self.ask("GET", path).json["limits"]
        self.assertEqual(told["disk"], limit)
        self.assertIn(told["diskHold"], ("watched", "quota"))
        half = b"x" * (5 << 20)
        self.assertEqual(self.ask("PUT", path + "/files/one", half).status, 201)
        tree = io.BytesIO()
        with tarfile.open(fileobj=tree, mode="w") as archive:
            entry = tarfile.TarInfo("three")
            entry.size = len(half)
            archive.addfile(entry, io.BytesIO(half))
        for refused in (self.ask("PUT", path + "/files/two", half),
                        self.ask("PUT", path + "/archive/", tree.getvalue(),
                                 headers=[("Content-Type", "application/x-tar")])):
            self.assertEqual(refused.status, 507, refused.body)
            self.assertEqual(refused.json["error"]["code"], "LIMIT_EXCEEDED")
            self.assertEqual(refused.json["error"]["rule"], "disk")
        tool = self.ask("POST", path + "/tools/write_file",
                        {"path": "four", "content": "y" * (4 << 20)})
        self.assertIn("LIMIT_EXCEEDED", tool.body if isinstance(tool.body, str)
                      else tool.body.decode())
        for name in ("two", "three", "four"):
            self.assertEqual(self.ask("GET", path + "/files/" + name).status, 404, name)
        # What programs write counts, too, and says so.
        ended = self.ask("POST", path + "/exec", {"command": "i=0; while [ $i -lt 300 ]; do head -c"
                                                  " 1000000 /dev/zero > f$i || exit 3;"
                                                  " i=$((i+1)); done"}).json
        self.assertIn("the limit on disk was reached", ended["refusals"])
        self.assertNotEqual((ended["exitStatus"], ended["signal"]), (0, 0))
        refused = self.ask("PUT", path + "/files/five", b"5")
        self.assertEqual(refused.status, 507, refused.body)
        self.assertGreater(self.ask("GET", path + "/stats").json["disk"], limit // 2)
        self.assertEqual(self.ask("DELETE", path + "/files/one").status, 204)
        self.assertEqual(self.ask("POST", path + "/exec", {"command": "rm f*"}).json["exitStatus"],
                         0)
        self.assertEqual(self.ask("PUT", path + "/files/five", half).status, 201)
        self.assertEqual(self.ask("POST", "/v1/sandboxes", {"resources": {"disk": 1}}).status, 400)

    def test_what_runs_inside_is_seen_and_can_be_ended(self):
        path = self.sandbox()
        started = self.ask("POST", path + "/exec", {"command": "exec sleep 1000", "detached": True})
        self.assertEqual(started.status, 202, started.body)
        deadline = time.monotonic() + 20
        while True:
            found = [one for one in self.ask("GET", path + "/processes").json["processes"]
                     if "sleep" in one["arguments"] or one["program"] == "sleep"]
            if found or time.monotonic() > deadline:
                break
        self.assertTrue(found)
        self.assertGreater(self.ask("GET", path + "/stats").json["processes"], 0)
        self.assertEqual(self.ask("POST", path + "/kill", {"process": found[0]["id"], "signal": 9})
                         .status, 204)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            left = [one for one in self.ask("GET", path + "/processes").json["processes"]
                    if one["id"] == found[0]["id"]]
            if not left:
                break
        self.assertFalse(left)
        self.assertIn("lines", self.ask("GET", path + "/logs").json)
        self.assertEqual(self.ask("POST", path + "/kill", {"process": 1}).status, 400)


class InsideTest(ServeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.path = cls("test_files").sandbox()

    def exec(self, command, **more):
        answer = self.ask("POST", self.path + "/exec", {"command": command, **more})
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def test_exec_tells_how_it_ended(self):
        done = self.exec("echo out; echo err >&2; exit 3")
        self.assertEqual((done["stdout"], done["stderr"], done["exitStatus"], done["ended"]),
                         ("out\n", "err\n", 3, "exited"))
        self.assertEqual(self.exec("cat", stdin="in")["stdout"], "in")
        self.assertEqual(self.exec("pwd; echo $A", directory="/workspace",
                                   environment={"A": "b"})["stdout"], "/workspace\nb\n")
        self.assertEqual(self.exec("printf '\\377'")["stdoutEncoding"], "base64")
        self.assertEqual(self.exec("sleep 60", timeoutSeconds=1)["ended"], "timeout")
        big = self.exec("head -c 3000000 /dev/zero | tr '\\0' x")
        self.assertTrue(big["truncated"])
        self.assertEqual(len(big["stdout"]), 1 << 20)
        for bad in ({}, {"command": "x", "arguments": ["x"]}, {"arguments": []}, {"command": 1},
                    {"command": "x", "surprise": 1}, {"command": "a\0b"},
                    {"command": "x", "timeoutSeconds": 0}):
            self.assertEqual(self.ask("POST", self.path + "/exec", bad).status, 400, bad)

    def test_exec_streams_as_it_goes(self):
        answer = self.ask("POST", self.path + "/exec", {"command": "echo a; echo b >&2; exit 2"},
                          headers={"Accept": "text/event-stream"})
        events = [block.split("\n") for block in answer.body.decode().split("\n\n") if block]
        told = [(one[0].removeprefix("event: "), json.loads(one[1].removeprefix("data: ")))
                for one in events]
        self.assertIn(("stdout", {"data": "a\n"}), told)
        self.assertIn(("stderr", {"data": "b\n"}), told)
        self.assertEqual(told[-1][0], "end")
        self.assertEqual(told[-1][1]["exitStatus"], 2)

    def test_files(self):
        at = self.path + "/files/"
        made = self.ask("PUT", at + "d/a.txt", "hello")
        self.assertEqual(made.status, 201, made.body)
        again = self.ask("PUT", at + "d/a.txt", "hello world", headers={"If-Match": made.headers["ETag"]})
        self.assertEqual(again.status, 200, again.body)
        self.assertEqual(self.ask("PUT", at + "d/a.txt", "x",
                                  headers={"If-Match": made.headers["ETag"]}).status, 412)
        self.assertEqual(self.ask("PUT", at + "d/a.txt", "x",
                                  headers={"If-None-Match": "*"}).status, 412)
        # By every name it has, outside and inside.
        for name in ("d/a.txt", "/workspace/d/a.txt", "%2Fworkspace%2Fd%2Fa.txt", "d%2Fa.txt"):
            self.assertEqual(self.ask("GET", at + name).body, b"hello world", name)
        self.assertEqual(self.exec("cat d/a.txt")["stdout"], "hello world")
        part = self.ask("GET", at + "d/a.txt", headers={"Range": "bytes=6-"})
        self.assertEqual((part.status, part.body, part.headers["Content-Range"]),
                         (206, b"world", "bytes 6-10/11"))
        self.assertEqual(self.ask("GET", at + "d/a.txt", headers={"Range": "bytes=99-"}).status, 416)
        head = self.ask("HEAD", at + "d/a.txt")
        self.assertEqual((head.status, head.headers["Content-Length"], head.body), (200, "11", b""))
        same = self.ask("GET", at + "d/a.txt", headers={"If-None-Match": head.headers["ETag"]})
        self.assertEqual((same.status, same.body), (304, b""))
        listing = self.ask("GET", at + "d").json
        self.assertEqual(listing["entries"], [{"name": "a.txt", "type": "file"}])
        self.assertEqual(self.ask("PATCH", at + "d/a.txt", {"moveTo": "e/b.txt"}).status, 204)
        self.assertEqual(self.ask("GET", at + "d/a.txt").status, 404)
        self.assertEqual(self.ask("PATCH", at + "new/dir", {"makeDirectory": True}).status, 204)
        self.assertEqual(self.ask("PUT", at + "run.sh?mode=755", "#!/bin/sh\necho ran\n").status, 201)
        self.assertEqual(self.exec("./run.sh")["stdout"], "ran\n")
        self.assertGreaterEqual(self.ask("DELETE", at + "e").status, 400)  # not empty
        self.assertEqual(self.ask("DELETE", at + "e?recursive=true").status, 204)
        self.assertEqual(self.ask("DELETE", at + "e/b.txt").status, 404)

    def test_large_files_come_in_pieces(self):
        self.exec("head -c 20000000 /dev/zero | tr '\\0' y > large")
        answer = self.ask("GET", self.path + "/files/large")
        self.assertEqual(len(answer.body), 20_000_000)
        self.assertEqual(set(answer.body[::4096]), {ord("y")})

    def test_archives(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            for name, content in (("t/a", b"one"), ("t/" + "n" * 150, b"two"), ("t/b/c", b"")):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
            link = tarfile.TarInfo("t/link")
            link.type, link.linkname = tarfile.SYMTYPE, "a"
            archive.addfile(link)
        sent = self.ask("PUT", self.path + "/archive/up", out.getvalue())
        self.assertEqual(sent.json, {"files": 3, "directories": 0, "links": 1}, sent.body)
        self.assertEqual(self.exec("cat up/t/link")["stdout"], "one")
        got = self.ask("GET", self.path + "/archive/up/t")
        with tarfile.open(fileobj=io.BytesIO(got.body)) as archive:
            names = sorted(archive.getnames())
            self.assertEqual(names, sorted(["a", "n" * 150, "b", "b/c", "link"]))
            self.assertEqual(archive.extractfile("n" * 150).read(), b"two")

    def test_tools_in_every_dialect(self):
        dialects = ["cordon", "mcp-filesystem", "gemini", "claude"]
        for dialect in dialects:
            tools = self.ask("GET", "/v1/tools?dialect=" + dialect)
            self.assertEqual(tools.status, 200, dialect)
        call = self.path + "/tools/"
        for path in ("note", "/workspace/note"):
            done = self.ask("POST", call + "write_file", {"path": path, "content": "hi"}).json
            self.assertTrue(done["success"], done)
            done = self.ask("POST", call + "read_file", {"path": path}).json
            self.assertIn("hi", done["text"])
        done = self.ask("POST", call + "bash", {"command": "cat note; pwd"}).json
        self.assertTrue(done["success"], done)
        self.assertEqual(done["data"]["stdout"], "hi/workspace\n")
        gemini = self.ask("POST", call + "read_file?dialect=gemini",
                          {"absolute_path": "/workspace/note"}).json
        self.assertTrue(gemini["success"], gemini)
        refused = self.ask("POST", call + "read_file", {"path": "/etc/passwd"}).json
        self.assertFalse(refused["success"])
        self.assertEqual(refused["error"]["code"], "PATH_OUTSIDE_PROJECT")
        self.assertEqual(self.ask("POST", call + "nothing", {}).status, 404)
        self.assertEqual(self.ask("POST", call + "bash", "[]").status, 400)

    def test_a_tool_without_a_sandbox_gets_the_fixed_answer(self):
        other = self.sandbox(token=self.server.token("stranger"))
        answers = {self.ask("POST", path, {"path": "x", "content": "y"}).body for path in (
            "/v1/tools/write_file", "/v1/sandboxes/" + "a" * 26 + "/tools/write_file",
            "/v1/sandboxes/nonsense/tools/write_file", other + "/tools/write_file")}
        self.assertEqual(len(answers), 1)
        self.assertEqual(json.loads(answers.pop())["userFeedback"], REQUIRED)

    def test_mcp(self):
        headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
        opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                   "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                              "clientInfo": {"name": "test", "version": "1"}}}
        at = self.path + "/mcp"
        token = self.server.token()
        opened = self.server.raw("POST", at, json.dumps(opening).encode(), headers, token)
        self.assertEqual(opened.status, 200, opened.body)
        headers["Mcp-Session-Id"] = opened.headers["Mcp-Session-Id"]
        self.server.raw("POST", at, json.dumps(
            {"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(), headers, token)
        called = self.server.raw("POST", at, json.dumps(
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                "name": "bash", "arguments": {"command": "echo from $PWD"}}}).encode(), headers, token)
        self.assertIn(b"from /workspace", called.body)
        self.assertIn(self.server.raw("DELETE", at, None, headers, token).status, (200, 204))

    def test_terminal_with_resize_and_replay(self):
        made = self.ask("POST", self.path + "/terminals", {"command": "stty -echo; exec sh", "rows": 30})
        self.assertEqual(made.status, 201, made.body)
        where = made.headers["Location"]
        token = self.server.token()

        def until(client, wanted):
            got = b""
            while wanted not in got:
                kind, data = client.receive()
                self.assertNotEqual(kind, "close", (got, data))
                if kind == "binary":
                    got += data
            return got

        first = WebSocket(self.server, where + "/ws", token)
        self.assertEqual(first.status, 101)
        self.assertEqual(json.loads(first.receive()[1]), {"type": "hello", "offset": 0})
        first.send(b"stty size\n")
        until(first, b"30 80")
        first.send(json.dumps({"type": "resize", "rows": 10, "columns": 20}))
        time.sleep(0.2)
        first.send(b"stty size; echo mark$((1+1))\n")
        seen = until(first, b"mark2")
        self.assertIn(b"10 20", seen)
        first.close()
        # It went on meanwhile; who comes back is told what they have missed.
        second = WebSocket(self.server, where + "/ws?since=0", token)
        self.assertIn(b"mark2", until(second, b"mark2"))
        offset = self.ask("GET", where).json["offset"]
        second.send(b"echo again$((2+2)); exit 7\n")
        until(second, b"again4")
        third = WebSocket(self.server, where + f"/ws?since={offset}", token)
        self.assertEqual(json.loads(third.receive()[1]), {"type": "hello", "offset": offset})
        replay = until(third, b"again4")
        self.assertNotIn(b"mark2", replay)
        kind, data = third.receive()
        while kind == "binary":
            kind, data = third.receive()
        self.assertEqual(json.loads(data)["exitStatus"], 7)
        self.assertEqual(third.receive()[0], "close")
        second.close()
        third.close()
        self.assertEqual(self.ask("GET", where).json["state"], "ended")
        self.assertEqual(self.ask("GET", where + "/ws").status, 426)
        self.assertEqual(self.ask("DELETE", where).status, 204)
        self.assertEqual(self.ask("GET", where).status, 404)

    def test_audit_tells_ones_own(self):
        self.exec("echo in the log")
        records = self.ask("GET", "/v1/audit?event=command.exec&limit=1000&sandbox=" +
                           self.path.split("/")[-1]).json["records"]
        self.assertTrue(any("in the log" in one.get("target", "") for one in records), records)
        stranger = self.server.token("reader", "--scope", "audit")
        self.assertEqual(self.ask("GET", "/v1/audit", token=stranger).json["records"], [])
        self.assertEqual(self.ask("GET", "/v1/audit?all=true", token=stranger).json["records"], [])
        self.assertTrue(self.ask("GET", "/v1/audit?all=true").json["records"])

    def test_audit_tells_how_long_a_sandbox_lived(self):
        path = self.sandbox()
        self.assertEqual(self.ask("DELETE", path).status, 204)
        records = self.ask("GET", "/v1/audit?sandbox=" + path.split("/")[-1]).json["records"]
        self.assertEqual([one["event"] for one in records], ["sandbox.created", "sandbox.ended"])
        self.assertEqual(records[1]["rule"], "user_delete")

    def test_health_and_metrics(self):
        for path in ("/healthz", "/readyz"):
            answer = self.server.raw("GET", path)
            self.assertEqual((answer.status, answer.json), (200, {"status": "ok"}))
        metrics = self.ask("GET", "/metrics").body.decode()
        self.assertIn('cordon_sandboxes{state="ready"}', metrics)


class ApprovalTest(ServeTest):
    flags = ("--ask", "shell")

    def test_the_owner_is_asked(self):
        path = self.sandbox()
        for choice, good in (("deny", False), ("once", True)):
            done = []
            caller = threading.Thread(target=lambda: done.append(
                self.ask("POST", path + "/tools/bash", {"command": "echo done"}).json))
            caller.start()
            deadline = time.monotonic() + 30
            while not (waiting := self.ask("GET", "/v1/approvals").json["approvals"]):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)
            self.assertEqual(waiting[0]["command"], "echo done")
            stranger = self.server.token("other", "--scope", "approvals")
            self.assertEqual(self.ask("GET", "/v1/approvals", token=stranger).json, {"approvals": []})
            at = "/v1/approvals/" + waiting[0]["id"]
            self.assertEqual(self.ask("POST", at, {"choice": "once"}, token=stranger).status, 404)
            self.assertEqual(self.ask("POST", at, {"choice": "maybe"}).status, 400)
            self.assertEqual(self.ask("POST", at, {"choice": choice}).status, 204)
            caller.join(30)
            self.assertEqual(done[0]["success"], good, done)


class RestartTest(ServeTest):
    def test_a_server_that_is_started_again_finds_its_sandboxes(self):
        path = self.sandbox()
        self.ask("PUT", path + "/files/kept", "as it was")
        with self.assertRaises(RuntimeError):
            Server(self.server.state)  # there is one at work
        self.assertEqual(self.server.stop(), 0)
        type(self).server = Server(self.server.state)
        self.assertEqual(self.ask("GET", path).json["status"]["state"], "ready")
        self.assertEqual(self.ask("GET", path + "/files/kept").body, b"as it was")
        self.assertEqual(self.ask("POST", path + "/exec", {"command": "cat kept"}).json["stdout"],
                         "as it was")


if __name__ == "__main__":
    unittest.main()
