"""cordon serve with Docker's drivers: all of api_test.py, and what is left when the server is
killed. Usage: docker_test.py RUNTIME [test…]; the engine is the tests' own."""

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

HERE = pathlib.Path(__file__).parent
RUNTIME = sys.argv.pop(1)

KEEPER = subprocess.Popen([sys.executable, "-B", HERE.parent / "provision" / "engine.py"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
ENGINE = json.loads(KEEPER.stdout.readline() or '{"why": "engine.py failed"}')
if "why" in ENGINE:
    print("No container engine for this test: " + ENGINE["why"])
    sys.exit(0)

# Before served.py is read.
os.environ["CORDON_SERVE_FLAGS"] = (f"--driver docker+{RUNTIME} --docker-socket {ENGINE['socket']} "
                                    "--image cordon-test:1")

from api_test import ApprovalTest, InsideTest, LifeTest, RestartTest  # noqa: E402,F401
from served import Server, ServeTest  # noqa: E402

# Where the server is killed: on the way of making, pausing, waking and ending a sandbox.
INSTANTS = ["create.recorded", "create.begun", "docker.directory_made", "docker.container_made",
            "docker.container_started", "docker.container_checked", "docker.finished",
            "create.made", "create.ready", "pause.begun", "pause.done", "pause.recorded",
            "resume.begun", "resume.done", "end.begun", "end.marked", "end.examined",
            "docker.container_removed", "end.destroyed", "end.recorded"]


class Engine(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(ENGINE["socket"])


def containers():
    connection = Engine("localhost", timeout=60)
    connection.request("GET", "/containers/json?all=1")
    found = json.loads(connection.getresponse().read())
    connection.close()
    return {one["Labels"]["cordon.sandbox"]: one["State"] for one in found}


class KillTest(ServeTest):
    """The server dies at an instant; the next one finds, adopts and cleans up."""

    def directories(self):
        place = self.server.state / RUNTIME
        return {one.name for one in place.iterdir()} if place.is_dir() else set()

    def work(self, server):
        """A sandbox's whole life, as far as the server lives."""
        def ask(*arguments):
            return server.raw(arguments[0], arguments[1], json.dumps(arguments[2]).encode()
                              if len(arguments) > 2 else None,
                              {"Content-Type": "application/json"}, server.token())
        made = ask("POST", "/v1/conversations", {"title": "killed"})
        path = "/v1/sandboxes/" + json.loads(made.body)["sandboxId"]
        ask("PUT", path + "/files/kept", "x")
        ask("POST", path + "/pause")
        ask("POST", path + "/resume")
        ask("DELETE", path)

    def ready(self):
        listed = self.ask("GET", "/v1/sandboxes?state=ready,paused&limit=100").json["sandboxes"]
        return {one["id"]: one["status"]["state"] for one in listed}

    def settled(self):
        """What the store, the engine and the disk have when they agree, or at the end of patience."""
        deadline = time.monotonic() + 40
        while True:
            seen = (self.ready(), containers(), self.directories())
            pending = self.ask("GET", "/v1/sandboxes?state=pending,terminating").json["sandboxes"]
            if set(seen[0]) == set(seen[1]) == seen[2] and not pending:
                return seen
            if time.monotonic() > deadline:
                return seen
            time.sleep(0.1)

    def test_nothing_is_leaked_or_lost(self):
        kept = self.sandbox()
        self.assertEqual(self.ask("PUT", kept + "/files/kept", "as it was").status, 201)
        name = kept.split("/")[-1]
        reached = 0
        for instant in INSTANTS:
            with self.subTest(instant=instant):
                self.assertEqual(self.server.stop(), 0)
                doomed = Server(self.server.state, environment={"CORDON_FAULT_POINT": instant})
                try:
                    self.work(doomed)
                except (OSError, http.client.HTTPException, ValueError):
                    pass
                try:
                    died = doomed.process.wait(5) == -signal.SIGKILL
                except subprocess.TimeoutExpired:
                    died = False
                reached += died
                doomed.stop(signal.SIGKILL)
                type(self).server = Server(self.server.state)
                ready, engine, directories = self.settled()
                self.assertEqual(set(ready), set(engine))
                self.assertEqual(set(ready), directories)
                self.assertIn(name, ready)
                self.assertEqual(self.ask("GET", kept + "/files/kept").body, b"as it was")
                for one in ready:
                    if one != name:
                        self.assertEqual(self.ask("DELETE", "/v1/sandboxes/" + one).status, 204)
                self.assertEqual(set(containers()), {name})
                self.assertEqual(self.directories(), {name})
        self.assertGreaterEqual(reached, len(INSTANTS) * 3 // 4)


if __name__ == "__main__":
    try:
        unittest.main()
    finally:
        KEEPER.stdin.close()
        KEEPER.wait()
