"""Machines that lack something: the rest still holds, and what is missing is told."""

import os
import unittest

from driver import LAYERS, LaunchTest

NAMESPACES = [name for name in LAYERS if name.endswith("-namespace")]
# In a user namespace of their own, so that the machine stays as it is.
APART = ["unshare", "--user", "--map-root-user", "--mount", "--"]
NO_MORE_USERS = "echo 0 >/proc/sys/user/max_user_namespaces && "
AS_NOBODY_SPECIAL = "exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "


class Lacking(LaunchTest):

    def layers(self, run):
        self.assertIsNotNone(run.first("ready"), run.reports)
        return run.first("ready")["layers"]

    def assert_held(self, run):
        self.assertNotIn(b"secret", run.output)
        self.assertEqual(run.first("ended")["status"], 5)

    def script(self):
        return f"cat {self.outside}; exit 5"


class NoUserNamespaces(Lacking):
    """But rights over the namespaces that there are."""
    before = [*APART, "sh", "-c", NO_MORE_USERS + 'exec "$0"']

    def test_the_others_hold(self):
        run = self.shell(self.script())
        layers = self.layers(run)
        self.assertNotIn("user-namespace", layers)
        for layer in NAMESPACES:
            self.assertTrue(layer in layers or layer == "user-namespace", layer)
        self.assert_held(run)

    def test_unless_it_is_required(self):
        run = self.shell(self.script(), required=["user-namespace"])
        self.assertEqual([(kind, value.get("what")) for kind, value in run.reports], [("failed", "user-namespace")])
        self.assertNotEqual(run.first("failed")["errno"], 0)


class NoNamespaces(Lacking):
    before = [*APART, "sh", "-c", NO_MORE_USERS + AS_NOBODY_SPECIAL + '"$0"']

    def test_landlock_holds(self):
        run = self.shell(self.script())
        layers = self.layers(run)
        self.assertEqual([name for name in layers if name in NAMESPACES], [])
        self.assertIn("landlock", layers)
        self.assert_held(run)


class NoProcessFiles(Lacking):
    """As in a container, where part of them is covered."""
    before = [*APART, "sh", "-c", 'mount -t tmpfs none /proc/scsi 2>/dev/null || mount -t tmpfs none /proc/bus && exec "$0"']

    def test_the_process_namespace_is_left_out(self):
        run = self.shell(self.script().replace("exit", "cat /proc/self/comm; exit"))
        layers = self.layers(run)
        self.assertNotIn("pid-namespace", layers)
        self.assertIn("mount-namespace", layers)
        self.assertIn(b"cat\n", run.output)
        self.assert_held(run)


class BadPlaces(LaunchTest):
    """What cannot be shown or hidden as asked is no reason to hold less."""

    def assert_not_started(self, run):
        self.assertEqual([kind for kind, _ in run.reports], ["failed"])
        self.assertEqual(run.first("failed")["stage"], "set-up")

    def test_a_place_that_is_not_there(self):
        gone = self.top + "/gone"
        run = self.run_command("true", places=[(self.work, 1), (gone, 1)])
        self.assert_not_started(run)
        self.assertIn(gone, run.first("failed")["what"])

    def test_something_to_hide_behind_a_link(self):
        os.mkdir(self.work + "/real")
        os.mkdir(self.work + "/real/state")
        os.symlink("real", self.work + "/link")
        self.assert_not_started(self.run_command("true", hidden=[self.work + "/link/state"]))


class ClosedStreams(LaunchTest):
    before = ["sh", "-c", 'exec "$0" <&-']

    def test_nothing_else_gets_the_number(self):
        run = self.shell("readlink /proc/self/fd/0; ls /proc/self/fd")
        self.assertEqual(run.output.split(), [b"/dev/null", b"0", b"1", b"2", b"3"])


if __name__ == "__main__":
    unittest.main()
