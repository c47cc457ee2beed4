"""What tools and the file API changed, taken back over the API: it is really as it was, or nothing is
touched and it is said why."""

import threading
import time
import unittest

from served import ServeTest

LARGER_THAN_KEPT = (16 << 20) + 1


class UndoTest(ServeTest):
    # An undo by who may answer asks nobody, though every tool does.
    flags = ("--ask", "delete")

    def setUp(self):
        self.path = self.sandbox()
        self.files = self.path + "/files/"

    def put(self, name, content):
        answer = self.ask("PUT", self.files + name, content)
        self.assertIn(answer.status, (200, 201), answer.body)

    def content(self, name):
        answer = self.ask("GET", self.files + name)
        return answer.body if answer.status == 200 else answer.status

    def run_inside(self, command):
        done = self.ask("POST", self.path + "/exec", {"command": command}).json
        self.assertEqual(done["exitStatus"], 0, done)
        return done["stdout"]

    def newest(self):
        return self.ask("GET", self.path + "/changes").json["changes"][0]

    def undo(self, operation):
        return self.ask("POST", f"{self.path}/changes/{operation}/undo")

    def test_every_kind_of_change_is_restored(self):
        self.put("kept/a.txt?mode=640", "first\n")
        kinds = []
        for change, before, after in (
                (lambda: self.put("kept/a.txt", "second\n"), b"first\n", b"second\n"),
                (lambda: self.ask("PATCH", self.files + "kept/a.txt", {"moveTo": "moved"}), b"first\n", 404)):
            self.assertEqual(self.content("kept/a.txt"), before)
            change()
            self.assertEqual(self.content("kept/a.txt"), after)
            operation = self.newest()
            kinds.append(operation["kind"])
            undone = self.undo(operation["operation"])
            self.assertEqual(undone.status, 200, undone.body)
            self.assertEqual(self.content("kept/a.txt"), before)
            self.assertEqual(self.run_inside("stat -c %a kept/a.txt"), "640\n")
        self.assertEqual(kinds, ["write", "rename"])
        self.assertEqual(self.content("moved"), 404)

    def test_an_undo_is_listed_and_can_be_undone(self):
        self.put("x", "one")
        self.put("x", "two")
        operation = self.newest()["operation"]
        self.assertEqual(self.undo(operation).status, 200)
        newest = self.newest()
        self.assertEqual(newest["undoes"], operation)
        listed = {one["operation"]: one for one in self.ask("GET", self.path + "/changes").json["changes"]}
        self.assertEqual(listed[operation]["undoneBy"], newest["operation"])
        self.assertEqual(self.content("x"), b"one")
        self.assertEqual(self.undo(newest["operation"]).status, 200)
        self.assertEqual(self.content("x"), b"two")
        detail = self.ask("GET", f"{self.path}/changes/{operation}").json
        self.assertIn("-one", detail["files"][0]["diff"])

    def test_what_was_removed_comes_back_whole(self):
        self.run_inside("mkdir -p tree/deep/er && echo 1 > tree/a && echo 2 > tree/deep/b && "
                        "chmod 750 tree/deep && ln -s ../a tree/deep/link && head -c 300000 /dev/urandom > tree/deep/er/c")
        before = self.run_inside("cd tree && find . -printf '%p %y %m %l\\n' | sort; find . -type f | sort | xargs sha256sum")
        self.removed("tree")
        self.assertEqual(self.content("tree/a"), 404)
        operation = self.newest()
        self.assertEqual(operation["kind"], "remove")
        self.assertEqual(self.undo(operation["operation"]).status, 200)
        self.assertEqual(self.run_inside(
            "cd tree && find . -printf '%p %y %m %l\\n' | sort; find . -type f | sort | xargs sha256sum"), before)

    def removed(self, name):
        """By the owner, who is asked and agrees."""
        done = []
        caller = threading.Thread(target=lambda: done.append(
            self.ask("DELETE", self.files + name + "?recursive=true")))
        caller.start()
        deadline = time.monotonic() + 30
        while not (waiting := self.ask("GET", "/v1/approvals").json["approvals"]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        self.assertEqual(self.ask("POST", "/v1/approvals/" + waiting[0]["id"], {"choice": "once"}).status, 204)
        caller.join(30)
        self.assertEqual(done[0].status, 204, done[0].body)

    def test_what_somebody_changed_since_is_refused_and_untouched(self):
        self.put("a", "one")
        self.put("a", "two")
        changed = self.newest()["operation"]
        self.run_inside("echo mine > a")
        self.removed("a")
        removal = self.newest()["operation"]
        self.run_inside("echo another > a")
        for operation in (changed, removal):
            refused = self.undo(operation)
            self.assertEqual(refused.status, 409, refused.body)
            self.assertEqual(refused.json["error"]["code"], "STALE_FILE")
            self.assertEqual(self.content("a"), b"another\n")

    def test_what_was_not_kept_is_refused_and_said(self):
        self.run_inside(f"head -c {LARGER_THAN_KEPT} /dev/zero > large")
        self.put("large", "small now")
        operation = self.newest()
        self.assertIn("notUndoable", operation)
        refused = self.undo(operation["operation"])
        self.assertEqual((refused.status, refused.json["error"]["code"]), (409, "UNSUPPORTED"), refused.body)
        self.assertIn(operation["notUndoable"], refused.json["error"]["message"])
        self.assertEqual(self.content("large"), b"small now")
        self.assertEqual(self.ask("GET", f"{self.path}/changes/{operation['operation']}").status, 200)

    def test_there_is_no_other(self):
        self.put("a", "one")
        for operation in ("0", "999", "-1", "x", "18446744073709551616"):
            self.assertEqual(self.undo(operation).status, 404, operation)
            self.assertEqual(self.ask("GET", f"{self.path}/changes/{operation}").status, 404, operation)
        self.assertEqual(self.content("a"), b"one")

    def test_it_is_recorded(self):
        self.put("a", "one")
        self.put("a", "two")
        self.assertEqual(self.undo(self.newest()["operation"]).status, 200)
        records = self.ask("GET", "/v1/audit?event=file.write&limit=1000&sandbox=" +
                           self.path.split("/")[-1]).json["records"]
        self.assertIn("undo", [one.get("tool") for one in records])


if __name__ == "__main__":
    unittest.main()
