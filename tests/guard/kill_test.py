"""Three hundred kills: what the real binary has acknowledged is in the log, and what the log
calls done was done."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

BINARY = os.environ["CORDON_BINARY"]
KILLS = int(os.environ.get("CORDON_KILLS", "300"))
WRITERS = 3  # processes that write to one log at the same time


class Writer:
    """A `cordon file batch` that is fed until it is killed."""

    def __init__(self, world, name):
        self.world, self.name = world, name
        self.acknowledged = []
        self.process = subprocess.Popen(
            [BINARY, "file", "batch", "--root", world.w, "--profile", "strict", "--session", name],
            env=world.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.thread = threading.Thread(target=self.feed)
        self.thread.start()

    def feed(self):
        for number in range(100000):
            path = f"{self.name}-{number}"
            requests = [{"id": path, "op": "write", "path": path, "content": path}]
            if number % 3 == 1:
                requests = [{"id": path, "op": "read", "path": f"{self.name}-{number - 1}"}]
            elif number % 3 == 2:
                requests = [{"id": path, "op": "delete", "path": f"{self.name}-{number - 2}"}]
            try:
                for request in requests:
                    self.process.stdin.write(json.dumps(request).encode() + b"\n")
                self.process.stdin.flush()
                line = self.process.stdout.readline()
            except (BrokenPipeError, ValueError):
                return
            if not line.endswith(b"\n"):
                return
            answer = json.loads(line)
            if answer["success"]:
                self.acknowledged.append((requests[0]["op"], requests[0]["path"]))

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # a request nobody took any more
        self.process.stdout.close()
        errors = self.process.stderr.read()
        self.process.stderr.close()
        return errors


class Killed(unittest.TestCase):

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cordon-kill-"))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.w = self.scratch / "w"
        self.w.mkdir()
        self.environment = {"HOME": str(self.scratch / "home"), "PATH": "/usr/bin:/bin"}
        self.log = self.scratch / "home" / ".local" / "state" / "cordon" / "audit.jsonl"
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def verify(self):
        done = subprocess.run([BINARY, "audit", "verify"], env=self.environment,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done)

    def records(self):
        """As a person sees them: the last may be on their way into the file, and nobody
        brought them there."""
        before = self.log.read_bytes()
        done = subprocess.run([BINARY, "audit", "query", "--json"], env=self.environment,
                              capture_output=True, timeout=60, check=True)
        self.assertEqual(self.log.read_bytes(), before, "a look changed the log")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def time_to_first_answer(self):
        """How long a start takes here: a build with sanitizers is slow."""
        begin = time.monotonic()
        writer = Writer(self, "first")
        while not writer.acknowledged and time.monotonic() < begin + 30:
            time.sleep(0.002)
        writer.kill()
        return time.monotonic() - begin

    def test_three_hundred_kills(self):
        chance = random.Random(7)
        start = self.time_to_first_answer()
        kills = acknowledged = 0
        happened = {}  # (op, path) of what was acknowledged
        while kills < KILLS:
            writers = [Writer(self, f"s{kills + i}") for i in range(WRITERS)]
            # Somewhere between the first instants of a start and the middle of the work.
            time.sleep(chance.choice([0.0, 0.5, 2.0]) * start + chance.random() * (start + 0.08))
            for writer in writers:
                errors = writer.kill()
                self.assertNotIn(b"audit", errors)
                for key in writer.acknowledged:
                    happened[key] = True
                acknowledged += len(writer.acknowledged)
                kills += 1
            if kills % (10 * WRITERS) == 0:
                self.verify()
        self.verify()
        records = self.records()
        completed = {(r["event"], r["path"]["asked"]) for r in records
                     if r["event"].startswith("file.") and r.get("phase") != "begin"
                     and "error" not in r}
        events = {"write": "file.write", "read": "file.read", "delete": "file.delete"}
        for op, path in happened:
            self.assertIn((events[op], path), completed, "acknowledged, but not in the log")
        begun = {(r["event"], r["path"]["asked"]) for r in records if r.get("phase") == "begin"}
        for event, path in completed:
            if event == "file.write":
                gone = ("file.delete", path) in begun
                self.assertTrue(gone or (self.w / path).read_text() == path,
                                f"recorded as done, but it was not: {path}")
            elif event == "file.delete":
                self.assertFalse((self.w / path).exists(), f"recorded as deleted: {path}")
        self.assertGreater(acknowledged, KILLS, "too little was done to show anything")
        print(f"{kills} kills, {acknowledged} acknowledged, {len(records)} records")


if __name__ == "__main__":
    unittest.main()
