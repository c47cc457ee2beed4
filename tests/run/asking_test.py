"""What a process would do outside is put to a person, who answers in `cordon approve`, while it waits."""

import json
import os
import shutil
import subprocess
import tempfile
import threading
import unittest

from workplace import CORDON, PATIENCE

WORK = """
import os, sys
def tried(name, call, *args):
    try:
        call(*args); print(name, "done")
    except OSError as error:
        print(name, error.errno)
top = sys.argv[1]
tried("mkdir", os.mkdir, top + "/made")
tried("rename", os.rename, top + "/old", top + "/new")
tried("unlink", os.unlink, top + "/gone")
tried("truncate", os.truncate, top + "/long", 2)
tried("refused", os.unlink, top + "/kept")
tried("full", os.rmdir, top + "/full")
tried("denied", os.unlink, top + "/.env")
tried("list", os.listdir, top)
"""


class Asking(unittest.TestCase):
    def setUp(self):
        # Neither in /tmp, which is private, nor in /var, where a missing name is nothing to speak of.
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="cordon-asking-", dir=os.path.expanduser("~")))
        self.addCleanup(shutil.rmtree, self.top, True)
        for name in ("work", "home", "state", "run", "out", "out/full"):
            os.mkdir(f"{self.top}/{name}", 0o700)
        for name in ("old", "gone", "long", "kept", ".env", "full/x"):
            with open(f"{self.top}/out/{name}", "w", encoding="ascii") as file:
                file.write("content")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": self.top + "/home", "LANG": "C.UTF-8",
                            "XDG_STATE_HOME": self.top + "/state", "XDG_RUNTIME_DIR": self.top + "/run"}
        self.questions = []

    def answer(self, approver):
        for line in approver.stdout:
            question = json.loads(line)
            if question["type"] != "question":
                continue
            self.questions.append(question)
            no = "kept" in line
            approver.stdin.write(json.dumps({"id": question["id"], "choice": "deny" if no else "once"}) + "\n")
            approver.stdin.flush()

    def test_a_person_decides_about_changes(self):
        approver = subprocess.Popen([CORDON, "approve", "--json"], env=self.environment, stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True)
        answering = threading.Thread(target=self.answer, args=(approver,))
        answering.start()
        try:
            done = subprocess.run([CORDON, "run", "--root", self.top + "/work", "--profile", "interactive", "--ask",
                                   "socket", "--", "/usr/bin/python3", "-c", WORK, self.top + "/out"],
                                  env=self.environment, cwd=self.top + "/work", stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=PATIENCE, check=False)
        finally:
            approver.kill()
            answering.join()
            approver.communicate()
        told = done.stdout + done.stderr + json.dumps(self.questions, indent=1)
        answers = dict(line.split() for line in done.stdout.splitlines())
        self.assertEqual(answers, {"mkdir": "done", "rename": "done", "unlink": "done", "truncate": "done",
                                   "refused": "13", "full": "39", "denied": "13", "list": "13"}, told)
        self.assertEqual(sorted(os.listdir(self.top + "/out")), [".env", "full", "kept", "long", "made", "new"], told)
        with open(self.top + "/out/long", encoding="ascii") as file:
            self.assertEqual(file.read(), "co")
        self.assertNotIn(".env", json.dumps(self.questions), "a rule is nobody's to lift")
        self.assertIn("deny:.env", done.stderr)
        self.assertIn("out/kept", done.stderr)


if __name__ == "__main__":
    unittest.main()
