"""cordon mcp: commands as tasks, in both eras, over both transports."""

import itertools
import subprocess
import time
import unittest

from hostile_support import HostileTest, Http, Lines, PATIENCE, TOKEN, initialize, stateless_meta

TASKS = {"elicitation": {"form": {}}, "extensions": {"io.modelcontextprotocol/tasks": {}}}
RELATED = "io.modelcontextprotocol/related-task"
# Goes on until it is ended with all its processes: the one that is left behind, too.
HEARTBEAT = "(while :; do date +%s%N > beat; sleep 0.05; done) & sleep 300"


class Stateless:
    """A client of the stateless era on either transport."""

    def __init__(self, server, capabilities=None):
        self.server = server
        self.meta = stateless_meta(TASKS if capabilities is None else capabilities)
        self.ids = itertools.count(1)

    def ask(self, method, params):
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method,
                   "params": {**params, "_meta": self.meta}}
        if isinstance(self.server, Lines):
            return self.server.ask(message)
        fields = {"Mcp_Name": params["taskId"]} if "taskId" in params else {}
        return self.server.post(message, **fields)[1]

    def call(self, command, **more):
        return self.ask("tools/call",
                        {"name": "bash", "arguments": {"command": command}, **more})["result"]

    def get(self, task):
        return self.ask("tasks/get", {"taskId": task["taskId"]})["result"]

    def until_ended(self, task):
        over = time.monotonic() + PATIENCE
        while time.monotonic() < over:
            now = self.get(task)
            if now["status"] not in ("working", "input_required"):
                return now
            time.sleep(0.1)
        raise AssertionError("the task goes on and on")


class TaskServers(HostileTest):
    def lines(self, *arguments):
        return Lines(self.start(*arguments, stdin=subprocess.PIPE))

    def over_http(self, *arguments):
        token = self.scratch / "token"
        token.write_text(TOKEN + "\n")
        process = self.start("--http", "127.0.0.1:0", "--token-file", str(token), *arguments,
                             stdin=subprocess.DEVNULL)
        return Http(process, process.stdout.readline().decode().strip())

    def each(self, *arguments):
        """The same over stdio and HTTP."""
        yield self.lines(*arguments)
        yield self.over_http(*arguments)

    def assert_beats(self):
        over = time.monotonic() + PATIENCE
        while not (self.w / "beat").exists():
            self.assertLess(time.monotonic(), over)
            time.sleep(0.05)

    def assert_still(self):
        """Nothing of the command runs any more."""
        over = time.monotonic() + PATIENCE
        while time.monotonic() < over:
            before = (self.w / "beat").read_bytes()
            time.sleep(0.5)
            if (self.w / "beat").read_bytes() == before:
                (self.w / "beat").unlink()
                return
        self.fail("a process of the command goes on")


class TasksTest(TaskServers):
    def test_a_long_command_is_a_task_and_a_short_one_is_not(self):
        for server in self.each("--profile", "strict"):
            client = Stateless(server)
            found = client.ask("server/discover", {})["result"]["capabilities"]
            self.assertIn("io.modelcontextprotocol/tasks", found["extensions"])
            at_once = client.call("echo hi")
            self.assertEqual(at_once["resultType"], "complete")
            self.assertIn("hi", at_once["content"][0]["text"])
            task = client.call("sleep 2; echo later; exit 3")
            self.assertEqual((task["resultType"], task["status"]), ("task", "working"))
            self.assertEqual(client.get(task)["status"], "working")
            ended = client.until_ended(task)
            self.assertEqual(ended["status"], "completed")
            self.assertIn("later", ended["result"]["content"][0]["text"])
            self.assertEqual(ended["result"]["structuredContent"]["exit_status"], 3)
            self.assertEqual(client.get(task), ended)  # it is still there

    def test_cancelling_ends_every_process(self):
        for server in self.each("--profile", "strict"):
            client = Stateless(server)
            task = client.call(HEARTBEAT)
            self.assert_beats()
            self.assertEqual(client.ask("tasks/cancel", {"taskId": task["taskId"]})["result"]
                             ["resultType"], "complete")
            self.assertEqual(client.get(task)["status"], "cancelled")
            self.assert_still()

    def test_the_servers_end_is_its_tasks_end(self):
        for server in self.each("--profile", "strict"):
            Stateless(server).call(HEARTBEAT)
            self.assert_beats()
            server.end()
            self.assert_still()

    def test_who_takes_no_tasks_waits(self):
        for server in self.each("--profile", "strict"):
            client = Stateless(server, {})
            result = client.call("sleep 1.5; echo later")
            self.assertEqual(result["resultType"], "complete")
            self.assertIn("later", result["content"][0]["text"])
            refused = client.ask("tasks/get", {"taskId": "x"})
            self.assertEqual(refused["error"]["code"], -32021)

    def test_a_person_is_asked_before_there_is_a_task(self):
        for server in self.each():  # where commands are asked about
            client = Stateless(server)
            asked = client.call("sleep 2; echo agreed")
            self.assertEqual(asked["resultType"], "input_required")
            self.assertNotIn("taskId", asked)
            for decision, status in (("once", "task"), ("deny", "complete")):
                asked = client.call("sleep 2; echo agreed")
                answers = {key: {"action": "accept", "content": {"decision": decision}}
                           for key in asked["inputRequests"]}
                again = client.call("sleep 2; echo agreed", inputResponses=answers,
                                    requestState=asked["requestState"])
                self.assertEqual(again["resultType"], status, again)
                if decision == "once":
                    ended = client.until_ended(again)
                    self.assertIn("agreed", ended["result"]["content"][0]["text"])
                else:
                    self.assertTrue(again["isError"])

    def test_there_are_only_so_many(self):
        client = Stateless(self.lines("--profile", "strict"))
        tasks = [client.call("sleep 300") for _ in range(8)]
        self.assertEqual({task["resultType"] for task in tasks}, {"task"})
        # The next is made as for anybody else.
        self.assertEqual(client.call("sleep 1.5; echo later")["resultType"], "complete")
        client.ask("tasks/cancel", {"taskId": tasks[0]["taskId"]})
        over = time.monotonic() + PATIENCE
        while client.call("sleep 1.5")["resultType"] != "task":
            self.assertLess(time.monotonic(), over)


class OldTasksTest(TaskServers):
    """The handshake era, where the client says what is a task."""

    def joined(self, server):
        if isinstance(server, Lines):
            told = server.ask(initialize(capabilities=TASKS))["result"]
            return told, lambda message: server.ask(message)
        _, reply, session = server.post(initialize(capabilities=TASKS))
        return reply["result"], lambda message: server.post(message, Mcp_Session_Id=session)[1]

    @staticmethod
    def request(method, params, name=1):
        return {"jsonrpc": "2.0", "id": name, "method": method, "params": params}

    def call(self, command):
        return self.request("tools/call", {"name": "bash", "arguments": {"command": command},
                                           "task": {"ttl": 60000}})

    def test_the_client_says_what_is_a_task(self):
        for server in self.each("--profile", "strict"):
            told, ask = self.joined(server)
            self.assertIn("call", told["capabilities"]["tasks"]["requests"]["tools"])
            tools = ask(self.request("tools/list", {}))["result"]["tools"]
            self.assertEqual([tool["name"] for tool in tools if "execution" in tool], ["bash"])
            task = ask(self.call("sleep 1; echo later"))["result"]["task"]
            self.assertEqual(task["status"], "working")
            name = {"taskId": task["taskId"]}
            self.assertEqual(ask(self.request("tasks/get", name))["result"]["status"], "working")
            result = ask(self.request("tasks/result", name))["result"]
            self.assertIn("later", result["content"][0]["text"])
            self.assertEqual(result["_meta"][RELATED], name)
            listed = ask(self.request("tasks/list", {}))["result"]["tasks"]
            self.assertEqual([one["status"] for one in listed], ["completed"])

    def test_cancelling_ends_every_process(self):
        for server in self.each("--profile", "strict"):
            _, ask = self.joined(server)
            task = ask(self.call(HEARTBEAT))["result"]["task"]
            self.assert_beats()
            cancelled = ask(self.request("tasks/cancel", {"taskId": task["taskId"]}))
            self.assertEqual(cancelled["result"]["status"], "cancelled")
            self.assert_still()

    def test_a_sessions_end_is_its_tasks_end(self):
        server = self.over_http("--profile", "strict")
        _, _, session = server.post(initialize(capabilities=TASKS))
        server.post(self.call(HEARTBEAT), Mcp_Session_Id=session)
        self.assert_beats()
        connection = server.connection()
        connection.request("DELETE", "/mcp", headers={
            "Host": "localhost", "Authorization": "Bearer " + TOKEN, "Mcp-Session-Id": session})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        self.assert_still()

    def test_who_wants_no_task_waits(self):
        for server in self.each("--profile", "strict"):
            _, ask = self.joined(server)
            called = ask(self.request("tools/call", {
                "name": "bash", "arguments": {"command": "sleep 1.5; echo later"}}))
            self.assertIn("later", called["result"]["content"][0]["text"])

    def test_a_person_is_asked_while_the_client_waits_for_the_result(self):
        server = self.lines()
        _, ask = self.joined(server)
        for decision in ("once", "deny"):
            task = ask(self.call("echo agreed"))["result"]["task"]
            name = {"taskId": task["taskId"]}
            over = time.monotonic() + PATIENCE
            while ask(self.request("tasks/get", name))["result"]["status"] != "input_required":
                self.assertLess(time.monotonic(), over)
            question = ask(self.request("tasks/result", name, 7))
            self.assertEqual(question["method"], "elicitation/create")
            self.assertEqual(question["params"]["_meta"][RELATED], name)
            result = server.ask({"jsonrpc": "2.0", "id": question["id"], "result": {
                "action": "accept", "content": {"decision": decision}}})
            self.assertEqual(result["id"], 7)
            self.assertEqual(result["result"].get("isError", False), decision == "deny")
            if decision == "once":
                self.assertIn("agreed", result["result"]["content"][0]["text"])

    def test_there_are_only_so_many_and_each_session_sees_its_own(self):
        server = self.over_http("--profile", "strict")
        _, ask = self.joined(server)
        _, other = self.joined(server)
        tasks = [ask(self.call("sleep 300"))["result"]["task"] for _ in range(8)]
        self.assertEqual(ask(self.call("sleep 300"))["error"]["code"], -32603)
        name = {"taskId": tasks[0]["taskId"]}
        for method in ("tasks/get", "tasks/result", "tasks/cancel"):
            self.assertEqual(other(self.request(method, name))["error"]["code"], -32602)
        self.assertEqual(other(self.request("tasks/list", {}))["result"]["tasks"], [])
        stranger = Stateless(server)
        self.assertEqual(stranger.ask("tasks/get", name)["error"]["code"], -32602)


if __name__ == "__main__":
    unittest.main()
