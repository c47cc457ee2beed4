"""Completion of cordon's words, by the program and in real shells, ids of sandboxes included."""

import os
import pty
import select
import shutil
import subprocess
import time
import unittest

from served import CORDON, SECONDS, ServeTest

BIN = os.path.dirname(os.path.abspath(CORDON))


class CompletionTest(ServeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.environment = {
            "PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(cls.scratch), "TERM": "dumb",
            "LC_ALL": "C.UTF-8", "CORDON_SERVER": cls.server.url,
            "CORDON_TOKEN": cls.server.token(), "PS1": "READY> ",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                cls.environment[name] = os.environ[name]
        cls.id = subprocess.run([CORDON, "sandbox", "create"], env=cls.environment, text=True,
                                capture_output=True, check=True).stdout.strip()
        cls.work = cls.scratch / "work"
        (cls.work / "some-directory").mkdir(parents=True)
        (cls.work / "some-file.txt").touch()
        for shell in ("bash", "zsh", "fish"):
            made = subprocess.run([CORDON, "completion", shell], capture_output=True, check=True)
            (cls.scratch / f"cordon.{shell}").write_bytes(made.stdout)
        (cls.scratch / "zfunc").mkdir()
        shutil.copy(cls.scratch / "cordon.zsh", cls.scratch / "zfunc" / "_cordon")

    def candidates(self, *words, **environment):
        done = subprocess.run([CORDON, "completion", "candidates", "--", *words], text=True,
                              env={**self.environment, **environment}, capture_output=True,
                              check=True)
        self.assertEqual(done.stderr, "")
        return [line.split("\t")[0] for line in done.stdout.splitlines()]


class Candidates(CompletionTest):
    def test_words_are_those_of_the_tree(self):
        top = self.candidates("")
        for word in ("check", "run", "sandbox", "serve", "completion"):
            self.assertIn(word, top)
        self.assertNotIn("candidates", self.candidates("completion", ""))
        self.assertEqual(self.candidates("san"), ["sandbox"])
        self.assertEqual(self.candidates("sandbox", "s"), ["shell", "stats"])
        self.assertEqual(self.candidates("serve", "token", "re"), ["revoke"])
        self.assertEqual(self.candidates("nonsense", "x"), [])
        self.assertIn("--root", self.candidates("check", "--ro"))
        self.assertIn("-q", self.candidates("sandbox", "list", "-"))
        self.assertEqual(self.candidates("sandbox", "list", "--qu"), ["--quiet"])

    def test_values_are_those_an_option_names(self):
        self.assertEqual(self.candidates("check", "--profile", "s"), ["strict", "sandboxed"])
        self.assertEqual(self.candidates("check", "--profile", "=", "c"), ["compat"])
        self.assertEqual(self.candidates("check", "--profile=st"), ["--profile=strict"])
        self.assertEqual(self.candidates("check", "--op", "re"), ["read", "rename"])
        self.assertEqual(self.candidates("check", "--root", ""), [":directories"])
        self.assertEqual(self.candidates("check", "--config", ""), [":files"])
        self.assertEqual(self.candidates("check", "so"), [":files"])
        self.assertEqual(self.candidates("run", "--", "ls", "--he"), [":files"])
        # Not a subcommand's name, but a value.
        self.assertEqual(self.candidates("audit", "query", "--tool", ""), [])

    def test_sandboxes_are_asked_of_the_server(self):
        self.assertEqual(self.candidates("sandbox", "exec", ""), [self.id])
        self.assertEqual(self.candidates("sandbox", "rm", self.id[:5]), [self.id])
        self.assertEqual(self.candidates("sandbox", "rm", self.id, self.id[:3]), [self.id])
        self.assertEqual(self.candidates("sandbox", "cp", self.id[:5]),
                         [self.id + ":", ":files", ":nospace"])
        # Nobody there is no reason to say anything.
        self.assertEqual(self.candidates("sandbox", "exec", "", CORDON_SERVER="127.0.0.1:1"), [])


class Terminal:
    """An interactive shell."""

    def __init__(self, arguments, environment, directory):
        self.seen = ""
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(directory)
            os.execvpe(arguments[0], arguments, environment)
        self.pid = pid

    def until(self, text):
        deadline = time.monotonic() + SECONDS
        while text not in self.seen:
            if time.monotonic() > deadline:
                raise AssertionError(f"{text!r} is not in {self.seen!r}")
            if select.select([self.fd], [], [], 0.2)[0]:
                self.seen += os.read(self.fd, 65536).decode(errors="replace")

    def say(self, text):
        self.seen = ""
        os.write(self.fd, text.encode())

    def close(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


class Shells(CompletionTest):
    def completes(self, terminal, begun, ended):
        terminal.say(begun + "\t")
        terminal.until(ended)
        terminal.say("\x15")  # the line is taken away
        time.sleep(0.1)

    def examine(self, terminal):
        self.addCleanup(terminal.close)
        self.completes(terminal, "cordon sandb", "sandbox ")
        self.completes(terminal, "cordon sandbox cr", "create ")
        self.completes(terminal, "cordon sandbox exec " + self.id[:4], self.id[4:])
        self.completes(terminal, "cordon sandbox cp " + self.id[:4], self.id[4:] + ":")
        self.completes(terminal, "cordon check --prof", "--profile ")
        self.completes(terminal, "cordon check --profile sand", "sandboxed ")
        self.completes(terminal, "cordon check --root some-d", "some-directory/")
        self.completes(terminal, "cordon check some-f", "some-file.txt ")
        terminal.say("cordon sandbox l\t\t")
        terminal.until("list")
        terminal.until("logs")

    def test_bash(self):
        terminal = Terminal(["bash", "--noprofile", "--norc", "-i"], self.environment, self.work)
        terminal.until("READY>")
        terminal.say(f"source {self.scratch}/cordon.bash; bind 'set enable-bracketed-paste off'; "
                     "echo load''ed\n")
        terminal.until("loaded")
        self.examine(terminal)

    def test_zsh(self):
        if not shutil.which("zsh"):
            self.fail("zsh is missing: scripts/install_deps.sh test")
        terminal = Terminal(["zsh", "-f", "-i"], self.environment, self.work)
        terminal.until("READY>")
        terminal.say(f"fpath=({self.scratch}/zfunc $fpath); autoload -Uz compinit; "
                     f"compinit -u -d {self.scratch}/zdump; unsetopt zle_bracketed_paste; "
                     "zstyle ':completion:*' menu no; echo load''ed\n")
        terminal.until("loaded")
        self.examine(terminal)

    def test_fish(self):
        if not shutil.which("fish"):
            self.fail("fish is missing: scripts/install_deps.sh test")

        def complete(line):
            done = subprocess.run(
                ["fish", "--no-config", "-c",
                 f"source {self.scratch}/cordon.fish; complete -C '{line}'"],
                env=self.environment, cwd=self.work, capture_output=True, text=True,
                timeout=SECONDS, check=True)
            return [each.split("\t")[0] for each in done.stdout.splitlines()]

        self.assertEqual(complete("cordon sandb"), ["sandbox"])
        self.assertEqual(complete("cordon sandbox cr"), ["create"])
        self.assertEqual(complete("cordon sandbox exec " + self.id[:4]), [self.id])
        self.assertIn(self.id + ":", complete("cordon sandbox cp " + self.id[:4]))
        self.assertEqual(complete("cordon check --prof"), ["--profile"])
        self.assertEqual(complete("cordon check --profile sand"), ["sandboxed"])
        self.assertEqual(complete("cordon check --root some-d"), ["some-directory/"])
        self.assertEqual(complete("cordon check some-f"), ["some-file.txt"])
        self.assertEqual(sorted(complete("cordon sandbox l")), ["list", "logs"])


if __name__ == "__main__":
    unittest.main()
