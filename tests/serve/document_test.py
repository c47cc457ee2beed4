"""Every operation of the served OpenAPI document does what it says at least once, and its answer is as
the document has it."""

import gzip
import json
import re
import threading
import time
import unittest

from served import ServeTest, WebSocket

JSON = {"Content-Type": "application/json"}
# Never ending: others try them.
STREAMS = {"streamAudit", "streamApprovals", "listenMcp"}


class DocumentTest(ServeTest):
    flags = ("--ask", "delete")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good = set()  # operations that were answered as wished

    def ask(self, method, path, *rest, **named):
        answer = self.server.ask(method, path, *rest, **named)
        if answer.status < 400:
            self.good.add(self.server.operation_of(method, path)["operationId"])
        return answer

    def expect(self, status, method, path, *rest, **named):
        answer = self.ask(method, path, *rest, **named)
        self.assertEqual(answer.status, status, (method, path, answer.body[:500]))
        return answer.json if answer.body.startswith(b"{") else answer

    def test_everything_that_is_documented_works(self):
        path = self.sandbox()
        for part in (self.public, self.accounts, self.sessions, self.conversations, self.audit):
            with self.subTest(part.__name__):
                part()
        for part in (self.life, self.programs, self.files, self.tools, self.mcp, self.terminals, self.changes,
                     self.previews):
            with self.subTest(part.__name__):
                part(path)
        self.expect(204, "DELETE", path)
        all_there = {operation["operationId"] for methods in self.server.document["paths"].values()
                     for operation in methods.values()}
        self.assertEqual(all_there - self.good - STREAMS, set(), "operations that nobody has tried")

    def public(self):
        for path in ("/healthz", "/readyz", "/v1/openapi.json"):
            self.expect(200, "GET", path)
        packed = {"Accept-Encoding": "gzip"}
        page = self.ask("GET", "/", headers=packed)
        if page.status == 404:  # built without a dashboard
            self.good |= {"getDashboard", "getDashboardAsset"}
            return
        self.assertEqual(page.status, 200)
        assets = re.findall(r'"(/assets/[^"]+)"', gzip.decompress(page.body).decode())
        self.assertGreater(len(assets), 2)
        for asset in assets:
            self.assertEqual(self.ask("GET", asset, headers=packed).status, 200)
        self.assertEqual(self.ask("GET", "/assets/none.js", headers=packed).status, 404)

    def accounts(self):
        user = self.expect(201, "POST", "/v1/users", {"name": "ann"})
        self.assertIn(user["id"], [one["id"] for one in self.expect(200, "GET", "/v1/users")["users"]])
        made = self.expect(201, "POST", "/v1/tokens", {"userId": user["id"], "scopes": ["audit"]})
        listed = self.expect(200, "GET", "/v1/tokens?user=" + user["id"])["tokens"]
        self.assertEqual([one["id"] for one in listed], [made["id"]])
        self.expect(204, "DELETE", f"/v1/tokens/{made['id']}?user={user['id']}")
        self.expect(200, "GET", "/metrics")

    def sessions(self):
        code = self.expect(201, "POST", "/v1/session/codes")["code"]
        opened = self.server.raw("POST", "/v1/session", json.dumps({"code": code}).encode(), JSON)
        self.server.validate("POST", "/v1/session", opened)
        self.assertEqual(opened.status, 201, opened.body)
        self.good.add("signIn")
        browser = {"Cookie": opened.headers["Set-Cookie"].split(";")[0], "Cordon-Key": opened.json["key"]}
        seen = self.server.raw("GET", "/v1/session", None, browser)
        self.server.validate("GET", "/v1/session", seen)
        self.assertEqual((seen.status, seen.json["userId"]), (200, opened.json["userId"]))
        self.good.add("getSession")
        again = self.server.raw("POST", "/v1/session", json.dumps({"code": code}).encode(), JSON)
        self.server.validate("POST", "/v1/session", again)
        self.assertEqual(again.status, 401)
        left = self.server.raw("DELETE", "/v1/session", None, browser)
        self.server.validate("DELETE", "/v1/session", left)
        self.assertEqual(left.status, 204, left.body)
        self.good.add("signOut")
        self.assertEqual(self.server.raw("GET", "/v1/session", None, browser).status, 401)
        # And nothing is left of it.
        owner = opened.json["userId"]
        labels = [one.get("label") for one in self.expect(200, "GET", "/v1/tokens?user=" + owner)["tokens"]]
        self.assertNotIn("dashboard", labels)

    def conversations(self):
        made = self.expect(201, "POST", "/v1/conversations", {"title": "t"})
        self.expect(200, "GET", "/v1/conversations")
        self.expect(200, "GET", "/v1/conversations/" + made["id"])
        self.expect(204, "DELETE", "/v1/conversations/" + made["id"])

    def audit(self):
        records = self.expect(200, "GET", "/v1/audit?limit=1000")["records"]
        self.assertTrue(records)
        for minutes in ("15", "1440"):
            timeline = self.expect(200, "GET", "/v1/audit/timeline?minutes=" + minutes)
            self.assertTrue(timeline["buckets"])
        self.assertEqual(self.ask("GET", "/v1/audit/timeline?minutes=0").status, 400)
        checked = self.expect(200, "GET", "/v1/audit/verification")
        self.assertIs(checked["intact"], True, checked)
        self.assertGreater(checked["records"], 0)
        stranger = self.server.token("stranger", "--scope", "sandboxes:read")
        for path in ("/v1/audit/timeline", "/v1/audit/verification"):
            self.assertEqual(self.ask("GET", path, token=stranger).status, 403)

    def life(self, path):
        self.expect(200, "GET", "/v1/sandboxes")
        self.expect(200, "POST", path + "/pause")
        self.expect(200, "POST", path + "/resume")
        self.expect(200, "POST", path + "/renew", {"seconds": 3600})
        for part in ("stats", "processes", "logs"):
            self.expect(200, "GET", f"{path}/{part}")

    def programs(self, path):
        self.expect(202, "POST", path + "/exec", {"arguments": ["sleep", "1000"], "detached": True})
        deadline = time.monotonic() + 20
        found = []
        while not found and time.monotonic() < deadline:
            found = [one["id"] for one in self.expect(200, "GET", path + "/processes")["processes"]
                     if "sleep" in one["arguments"]]
        self.expect(204, "POST", path + "/kill", {"process": found[0]})

    def files(self, path):
        self.expect(201, "PUT", path + "/files/d/a", "one")
        self.expect(200, "HEAD", path + "/files/d/a")
        self.expect(200, "GET", path + "/files/d")
        archive = self.ask("GET", path + "/archive/d")
        self.assertEqual(archive.status, 200)
        self.expect(200, "PUT", path + "/archive/e", archive.body)
        self.expect(204, "PATCH", path + "/files/new", {"makeDirectory": True})
        remover = threading.Thread(target=lambda: self.expect(204, "DELETE", path + "/files/e?recursive=true"))
        remover.start()
        deadline = time.monotonic() + 30
        while not (waiting := self.expect(200, "GET", "/v1/approvals")["approvals"]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.expect(204, "POST", "/v1/approvals/" + waiting[0]["id"], {"choice": "once"})
        remover.join(30)

    def tools(self, path):
        self.expect(200, "GET", "/v1/tools")
        self.expect(200, "POST", path + "/tools/read_file", {"path": "d/a"})
        nowhere = self.ask("POST", "/v1/tools/read_file", {"path": "a"})
        self.assertEqual(nowhere.status, 409)  # which is all it can say
        self.good.add("callToolNowhere")

    def mcp(self, path):
        opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
                   "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                              "clientInfo": {"name": "test", "version": "1"}}}
        headers = {**JSON, "Accept": "application/json, text/event-stream"}
        opened = self.ask("POST", path + "/mcp", opening, headers=headers)
        self.assertEqual(opened.status, 200, opened.body)
        headers["Mcp-Session-Id"] = opened.headers["Mcp-Session-Id"]
        self.assertIn(self.ask("DELETE", path + "/mcp", headers=headers).status, (200, 204))

    def terminals(self, path):
        made = self.expect(201, "POST", path + "/terminals", {"command": "exec sh"})
        at = f"{path}/terminals/{made['id']}"
        self.expect(200, "GET", path + "/terminals")
        self.expect(200, "GET", at)
        socket = WebSocket(self.server, at + "/ws", self.server.token())
        self.assertEqual(socket.status, 101)
        self.good.add("attachTerminal")
        socket.close()
        self.expect(204, "DELETE", at)

    def changes(self, path):
        self.expect(200, "PUT", path + "/files/d/a", "two")
        newest = self.expect(200, "GET", path + "/changes")["changes"][0]
        detail = self.expect(200, "GET", f"{path}/changes/{newest['operation']}")
        self.assertEqual(detail["files"][0]["path"], "d/a")
        self.expect(200, "POST", f"{path}/changes/{newest['operation']}/undo")
        self.assertEqual(self.ask("GET", path + "/files/d/a").body, b"one")

    def previews(self, path):
        self.assertEqual(self.expect(200, "GET", path + "/preview")["visibility"], "private")
        for visibility in ("public", "private"):
            self.assertEqual(self.expect(200, "PUT", path + "/preview", {"visibility": visibility})["visibility"],
                             visibility)
        link = self.expect(201, "POST", path + "/preview/links", {"port": 8000, "path": "/x", "seconds": 60})
        self.assertIn("/.cordon/enter", link["url"])
        self.expect(202, "POST", path + "/exec",
                    {"command": "exec python3 -m http.server 8000", "detached": True})
        deadline = time.monotonic() + 30
        while not (ports := self.expect(200, "GET", path + "/ports")["ports"]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual([one["port"] for one in ports], [8000])
        # Who may see it is written down: begun and ended, with who did it, and never the link itself.
        everything = self.expect(200, "GET", "/v1/audit?limit=1000&sandbox=" + path.split("/")[-1])["records"]
        records = [one for one in everything if one["event"].startswith("preview.")]
        told = [(one["event"], one.get("phase"), one["target"].split(" until ")[0]) for one in records]
        self.assertEqual(told, [("preview.visibility", "begin", "public"), ("preview.visibility", "end", "public"),
                                ("preview.visibility", "begin", "private"), ("preview.visibility", "end", "private"),
                                ("preview.link", None, "port 8000")])
        self.assertEqual({one["actor"] for one in records}, {self.owner()})
        self.assertNotIn("enter", json.dumps(records))

    def owner(self):
        return self.expect(200, "GET", "/v1/session")["userId"]


if __name__ == "__main__":
    unittest.main()
