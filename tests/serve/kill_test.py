"""cordon serve is killed, as by kill -9, at instants that have a name and at any others. The next
one finds everything as its clients were told, and nothing is left that is nobody's."""

import http.client
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from served import CORDON, Server
from traces import Traces

WHOLE = os.environ.get("CORDON_KILLS", "some") == "all"
PATIENCE = 30

# At its first start in a life the server makes one sandbox to see whether it can, so the second of
# what the driver does is the first that a client has asked for.
INSTANTS = [
    "home.begun:1", "local.launched:1", "local.ended:1",
    "recover.begun", "recover.listed", "recover.adopted", "recover.settled:2",
    "recover.unfounded_forgotten", "pool.begun", "pool.recorded",
    "conversation.added", "create.asked", "create.recorded", "create.begun:2", "home.begun:3",
    "home.marked:3", "local.furnished:3", "local.launched:3", "local.attached:3", "local.finished:3",
    "create.made:2", "create.ready:2", "create.settled:2", "create.told", "conversation.settled",
    "exec.recorded", "exec.started", "exec.over", "exec.closed", "exec.started:2",
    "pause.begun", "pause.done", "pause.recorded", "resume.begun", "resume.done", "resume.recorded",
    "renew.begun", "renew.recorded",
    "take.begun", "take.taken", "take.told", "pool.recorded:2",
    "create.failed", "end.begun", "end.marked", "end.destroyed", "end.recorded",
    "end.begun:2", "end.marked:2", "end.examined", "end.kept", "local.ending:2", "local.ending:3",
    "local.ended:3", "local.removed:3", "end.destroyed:2", "end.recorded:2", "end.told",
    "conversation.ended", "conversation.deleted", "death.noticed", "end.marked:3", "end.recorded:3",
]
SOME = ["local.launched:1", "recover.adopted", "create.recorded", "local.launched:3",
        "local.attached:3", "create.made:2", "exec.started", "pause.done", "resume.done",
        "take.taken", "local.ended:3", "end.destroyed:2", "death.noticed"]
COLD = {"resources": {"processes": 100}}  # no pool has such


class Killed(Exception):
    """The server is gone in the midst of a request."""


class Life:
    """What a client does with one server, and what it was told of each sandbox: "ready", "paused",
    "ended", or "touched" when it was about to be changed and no answer came."""

    def __init__(self, server, traces, told):
        self.server, self.traces, self.told = server, traces, told
        self.conversations = {}

    def ask(self, method, path, body=None):
        try:
            return self.server.ask(method, path, body)
        except (OSError, http.client.HTTPException) as error:
            raise Killed() from error

    def conversation(self, wish):
        answer = self.ask("POST", "/v1/conversations", {"sandbox": wish})
        assert answer.status == 201, answer.body
        made = answer.json
        self.told[made["sandboxId"]] = "ready"
        self.conversations[made["id"]] = made["sandboxId"]
        return made["id"], made["sandboxId"]

    def change(self, id_, method, rest, after, body=None):
        self.told[id_] = "touched"
        answer = self.ask(method, f"/v1/sandboxes/{id_}{rest}", body)
        assert answer.status in (200, 204), answer.body
        self.told[id_] = after

    def die(self, id_):
        self.told[id_] = "touched"
        os.kill(self.traces.launcher_of(id_), signal.SIGKILL)
        self.told[id_] = "ended"  # nothing else can become of it
        deadline = time.monotonic() + PATIENCE
        while self.ask("GET", "/v1/sandboxes/" + id_).json["status"]["state"] != "terminated":
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def run(self):
        conversation, id_ = self.conversation(COLD)
        path = "/v1/sandboxes/" + id_
        self.ask("POST", path + "/exec", {"command": "echo $$ > marker"})
        self.ask("POST", path + "/exec", {"command": "sleep 0.2; cat marker"})
        self.ask("POST", path + "/exec", {"arguments": ["sleep", "1000"], "detached": True})
        self.change(id_, "POST", "/pause", "paused")
        self.change(id_, "POST", "/resume", "ready")
        self.change(id_, "POST", "/renew", "ready", {"seconds": 3600})
        other, pooled = self.conversation({})
        refused = self.ask("POST", "/v1/conversations", {"sandbox": {"image": "none"}})
        assert refused.status == 400, refused.body
        self.told[id_] = "touched"
        del self.conversations[conversation]
        assert self.ask("DELETE", "/v1/conversations/" + conversation).status == 204
        self.told[id_] = "ended"
        self.die(pooled)


class KillTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cordon-kill-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.state = cls.scratch / "cordon"  # where `cordon audit` looks for the key
        cls.traces = Traces(cls.state)
        cls.addClassCleanup(cls.traces.end_all)
        cls.told = {}
        # Two that live through all of it: one at work, one paused.
        server = Server(cls.state)
        life = Life(server, cls.traces, cls.told)
        cls.pillars = [life.conversation({}), life.conversation(COLD)]
        for _, id_ in cls.pillars:
            path = "/v1/sandboxes/" + id_
            assert server.ask("PUT", path + "/files/marker", id_).status == 201
            server.ask("POST", path + "/exec", {"arguments": ["sleep", "86400"], "detached": True})
        life.change(cls.pillars[1][1], "POST", "/pause", "paused")
        server.stop()

    def rows(self, query):
        with sqlite3.connect(f"file:{self.state}/store.db?mode=ro", uri=True, timeout=30) as store:
            return store.execute(query).fetchall()

    def check_store(self):
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.rows("PRAGMA foreign_key_check"), [])
        self.assertEqual(self.rows("SELECT id FROM conversations WHERE deleted IS NULL AND "
                                   "(founded IS NULL OR sandbox IS NULL)"), [])
        self.assertEqual(self.rows("SELECT port FROM ports JOIN sandboxes ON ports.sandbox = "
                                   "sandboxes.id WHERE ended IS NOT NULL"), [])

    def settled(self):
        """What is alive by the store, once nothing is half done and nothing else is there."""
        deadline = time.monotonic() + PATIENCE
        while True:
            states = dict(self.rows("SELECT id, state FROM sandboxes"))
            alive = {id_ for id_, state in states.items() if state in ("ready", "paused")}
            left = [f"{id_} is {state}" for id_, state in states.items()
                    if state in ("pending", "terminating")]
            left += self.traces.beside(alive)
            if not left:
                return states
            self.assertLess(time.monotonic(), deadline, left)
            time.sleep(0.05)

    def check_told(self, server, states):
        for id_, said in self.told.items():
            state = states.get(id_)
            path = "/v1/sandboxes/" + id_
            if said == "touched":
                self.assertIn(state, ("ready", "paused", "terminated"), id_)
            elif said == "ended":
                self.assertEqual(state, "terminated", id_)
            else:
                self.assertEqual(state, said, id_)
        for _, id_ in self.pillars:
            self.check_pillar(server, id_)
        for id_, state in states.items():
            if state == "ready" and id_ not in self.told:
                self.told[id_] = "touched"  # made, and nobody was told
        for id_, said in self.told.items():
            if states.get(id_) != "ready":
                continue
            path = f"/v1/sandboxes/{id_}"
            answer = server.ask("POST", path + "/exec", {"command": "echo works"})
            if answer.status == 404:
                continue  # one of the pool is nobody's yet
            self.assertEqual((answer.status, answer.json["stdout"]), (200, "works\n"))
            # What was attached to the one that was killed has ended.
            said = [one["arguments"] for one in server.ask("GET", path + "/processes").json["processes"]]
            self.assertEqual([one for one in said if "cat marker" in one], [])

    def check_pillar(self, server, id_):
        path = "/v1/sandboxes/" + id_
        paused = self.told[id_] == "paused"
        if paused:
            self.assertEqual(server.ask("POST", path + "/resume").status, 200)
        self.assertEqual(server.ask("GET", path + "/files/marker").body.decode(), id_)
        running = server.ask("GET", path + "/processes").json["processes"]
        self.assertIn("sleep 86400", [one["arguments"] for one in running])
        if paused:
            self.assertEqual(server.ask("POST", path + "/pause").status, 200)

    def check_after(self, old_port):
        self.check_closed(old_port)
        server = Server(self.state)
        try:
            states = self.settled()
            self.check_store()
            self.check_told(server, states)
            self.end_all(server)
        finally:
            self.assertEqual(server.stop(), 0)
        self.check_log()

    def check_closed(self, port):
        """Nobody keeps it open; who was just being started has it until it is the other program."""
        deadline = time.monotonic() + 2
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) != 0:
                    return
            self.assertLess(time.monotonic(), deadline, "the port is still open")
            time.sleep(0.02)

    def end_all(self, server):
        kept = {id_ for _, id_ in self.pillars}
        for one in server.ask("GET", "/v1/conversations?limit=1000").json["conversations"]:
            if one["sandboxId"] not in kept:
                self.assertEqual(server.ask("DELETE", "/v1/conversations/" + one["id"]).status, 204)
        for one in server.ask("GET", "/v1/sandboxes?state=ready,paused&limit=1000").json["sandboxes"]:
            if one["id"] not in kept:
                self.assertEqual(server.ask("DELETE", "/v1/sandboxes/" + one["id"]).status, 204)
        self.settled()  # nothing of them is left, once others' groups have gone, too
        for id_ in set(self.told) - kept:
            del self.told[id_]

    def check_log(self):
        done = subprocess.run([CORDON, "audit", "verify"], capture_output=True, text=True, check=False,
                              env={**os.environ, "XDG_STATE_HOME": str(self.scratch)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_at_instants_that_have_a_name(self):
        for instant in INSTANTS if WHOLE else SOME:
            with self.subTest(instant):
                port = 1
                try:
                    server = Server(self.state, "--pool", "1",
                                    environment={"CORDON_FAULT_POINT": instant})
                except (RuntimeError, OSError, http.client.HTTPException):
                    pass  # killed before it listened
                else:
                    port = server.port
                    try:
                        self.wait_for_pool(server)
                        Life(server, self.traces, self.told).run()
                    except Killed:
                        pass
                    status = self.gone(server, instant)
                    self.assertEqual(status, -signal.SIGKILL, "the instant did not come")
                self.check_after(port)

    def wait_for_pool(self, server):
        deadline = time.monotonic() + PATIENCE
        while not self.rows("SELECT id FROM sandboxes WHERE pooled AND state = 'ready'"):
            if server.process.poll() is not None:
                raise Killed()
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    @staticmethod
    def gone(server, instant):
        try:
            status = server.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.stop(signal.SIGKILL)
            return f"{instant} did not come"
        server.process.stdout.close()
        server.process.stderr.close()
        return status

    def traffic(self, server, seed):
        chance = random.Random(seed)
        life = Life(server, self.traces, self.told)
        try:
            while True:
                conversation, id_ = life.conversation(chance.choice([{}, COLD]))
                if chance.random() < 0.7:
                    life.ask("POST", f"/v1/sandboxes/{id_}/exec", {"command": "echo x > y; cat marker"})
                if chance.random() < 0.5:
                    life.change(id_, "POST", "/pause", "paused")
                    life.change(id_, "POST", "/resume", "ready")
                if chance.random() < 0.6:
                    self.told[id_] = "touched"
                    assert life.ask("DELETE", "/v1/conversations/" + conversation).status == 204
                    self.told[id_] = "ended"
        except Killed:
            pass

    def test_at_any_instant(self):
        seed = int(os.environ.get("CORDON_KILL_SEED", time.time()))
        print("CORDON_KILL_SEED", seed, file=sys.stderr)
        chance = random.Random(seed)
        for round_ in range(40 if WHOLE else 4):
            with self.subTest(round_):
                server = Server(self.state, "--pool", "2", "--max-per-user", "1000")
                threads = [threading.Thread(target=self.traffic, args=(server, chance.random()))
                           for _ in range(4)]
                for thread in threads:
                    thread.start()
                time.sleep(chance.uniform(0, 1.5))
                server.stop(signal.SIGKILL)
                for thread in threads:
                    thread.join()
                self.check_after(server.port)


if __name__ == "__main__":
    unittest.main()
