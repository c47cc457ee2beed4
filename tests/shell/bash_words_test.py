"""Words are cut and unquoted as bash does it.

bash runs each command line with no program to be found, so that it hands every command to
a function which writes down the words; nothing else is done. What it wrote is compared with
the programs that shell-explain names.
"""

import os
import random
import shutil
import subprocess
import tempfile
import unittest

import support

# Pieces of words whose value does not depend on anything but the text. A "$" that begins
# nothing is not among them: bash then does not split the rest of the word.
PIECES = ["a", "b1", "''", '""', "'c d'", '"e f"', "\\ ", "\\g", "\\\n", "$'\\x68\\t'", '$"i"', "\\'",
          '\\"', "'\"'", '"\'"', "=", ",", "{j,k}", "{", "}", "{1..3}", "#", "%", "@", "+", "-",
          "$x", "${x}", '"$x"', "${x:-l}", "'$x'", "\\$x", "$(echo m)", '"$(echo n o)"', "`echo p`",
          '"`echo q`"', "${y}", '"$y"', "^", ":", ".", "$(echo $(echo r))", "\\\\", "'\\'",
          "$'\\''", "$'\\101\\u00e9'", '"\\a\\$\\`\\""', "${x+s}", "${unset_name+t}", "]", "é", "\\\t"]
SEPARATORS = [" ", "  ", "\t", " \\\n ", " "]
BETWEEN = ["; ", " ;", " && ", " || ", "\n", " | ", "&&", "|", " & "]

FIXED = [
    "c''at x", 'c""at x', "c\\at x", "'cat' x", '"c"a\'t\' x', "$'\\x63at' x", "{cat,x}",
    "cat<in", "cat <in x", "<in cat x", "cat x>out", "2>out cat x", "cat 2>out x 3>&1",
    "cat a2>out", "cat a 2 >out", "cat x&>out", "cat x>&out", "cat x>|out", "cat x<>out",
    "cat a#b #c d", "cat # c", "#x\ncat y", "cat \\\n x", "ca\\\nt x", "cat 'a\nb'",
    "x=cat; $x y", "x='cat y'; $x", "x='cat y'; \"$x\"", "x=a y=b cat $x", "x=a; x=$x$x; cat $x",
    "cat <<E\nbody\nE\ndog x", "cat <<'E' y\n$(cat z)\nE", "cat <<-E\n\tb\n\tE\ndog y",
    "cat <<A <<B\na\nA\nb\nB\ndog", "cat <<E | dog z\nb\nE", "cat <<E && dog\nb\nE\nfox",
    "cat <<\\E\n`dog`\nE", "cat <<< \"x y\" z", "if cat a; then dog b; else fox c; fi",
    "while ! cat a; do dog b; done", "for i in 1 2 3; do cat $i; done", "for i in a{1,2}; do cat $i; done",
    "case x in a|b) cat y;; x) dog z;; esac", "case x in (x) cat y; esac", "f() { cat \"$@\"; }; f a 'b c'",
    "function f { cat $2 $1; }; f a b", "(cat a; dog b)", "{ cat a; dog b; }", "! cat a", "cat a & dog b",
    "cat a | dog b |& fox c", "eval cat a", "eval 'cat \"a b\"'", "eval \"cat 'a b'\" c",
    "cat \"$(dog a)\" b", "cat \"`dog a`\" b", "cat `echo \\`echo x\\``", "cat <(dog a)", "cat a\\;b ';' \";\"",
    "cat \"a\\\nb\"", "cat 'a\\\nb'", "cat -- -x", "set -- a b; cat $1 $2 $#x", "cat ${x:-a b}",
    "cat \"${x:-a b}\"", "x=; cat $x y", "x=; cat \"$x\" y", "cat $((1+1))x", "true && cat a || dog b",
    "cat {a,b}{c,d} {x} {,y} a{} {1..3} {3..1} {01..03} {a..c}", "cat \\{a,b\\} '{a,b}' \"{a,b}\" {a,\"b,c\"}",
    "cat {a,b}$(echo x)", "a=1 b=2 env", "cat a=b", "time cat a", "time { cat a; }", "cat $'a\\'b'",
    "[[ -n x && ( a < b ) ]] && cat y", "(( 1 < 2 )) && cat y", "cat \"$(dog <<E\nx)\nE\n)\" y",
    "cat $(case x in x) dog;; esac) y", "echo \"$(echo \"a b\")\" | cat c", "cat é", "command cat x",
    "if [ 1 = 1 ]; then cat [; fi", "x=(a b); cat y", "cat a;dog b;;fox" , "cat a ) dog", "cat 'a",
    "{ cat a; } > out < /dev/null", "while read l; do cat $l; done <<< 'a'", "cat a\\", "cat }", "cat {",
    "until cat a; do dog b; done & fox c", "cat ${x:=v} $x", "cat \"a$(dog)b\" c", "f() ( cat a ); f",
]

BASH = r"""
command_not_found_handle() { printf '%s\0' "$@" $'\001' >&"$CORDON_WORDS"; return 0; }
"""


def words_of_bash(command, shell):
    """The commands bash would start, or None if it says that the text is no command line."""
    with tempfile.TemporaryDirectory(prefix="cordon-words-") as scratch:
        open(os.path.join(scratch, "in"), "w", encoding="utf-8").close()
        read_end, write_end = os.pipe()
        try:
            done = subprocess.run(
                [shell, "--norc", "--noprofile", "-c", BASH + 'eval "$CORDON_COMMAND"'],
                cwd=scratch, env={"PATH": "/nonexistent", "LC_ALL": "C.UTF-8", "HOME": scratch,
                                  "CORDON_WORDS": str(write_end), "CORDON_COMMAND": command},
                pass_fds=[write_end], stdin=subprocess.DEVNULL, capture_output=True, timeout=10)
        finally:
            os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe:
            written = pipe.read()
    if b"syntax error" in done.stderr or b"unexpected EOF" in done.stderr:
        return None
    commands, words = [], []
    for word in written.split(b"\0")[:-1]:
        if word == b"\1":
            commands.append(words)
            words = []
        else:
            words.append(word.decode("utf-8", "surrogateescape"))
    return commands


class BashWordsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.shell = shutil.which("bash")
        self.assertIsNotNone(self.shell, "bash is what words are compared with")

    def check(self, command):
        """Each command bash starts is told, word for word, but for words told as unknown."""
        ran = words_of_bash(command, self.shell)
        data = support.explain(command)
        if ran is None:
            self.assertEqual(data["risk"], "high", f"bash does not read {command!r}")
            return 0
        told = [[program["name"], *program["arguments"]] for program in data["programs"]]
        for words in ran:
            fits = any(self.fits(words, program) for program in told)
            loose = data["risk"] == "high" and data["unknown"]
            self.assertTrue(fits or loose, f"{command!r}: bash runs {words}, told is {told}")
            if not fits:
                return 0
        return len(ran)

    @staticmethod
    def fits(words, program):
        if any(word["exactness"] != "exact" for word in program):
            # What is not known may be any number of words; what is known must be there.
            return all(word["text"] in words for word in program if word["exactness"] == "exact")
        own = [word["text"] for word in program]
        fd = [i for i, word in enumerate(own) if word == "/dev/fd/63"]
        return len(own) == len(words) and all(
            a == b or i in fd for i, (a, b) in enumerate(zip(own, words)))

    def test_fixed(self):
        agreed = 0
        for command in FIXED:
            with self.subTest(command=command):
                agreed += self.check(command)
        self.assertGreater(agreed, len(FIXED) * 3 // 4)

    def test_random(self):
        chance = random.Random(23)
        agreed = 0
        for _ in range(int(os.environ.get("CORDON_WORDS_ROUNDS", "400"))):
            command = "x=X; y='Y  Z'; "
            for number in range(chance.randint(1, 3)):
                if number:
                    command += chance.choice(BETWEEN)
                command += "run" + str(number)
                for _ in range(chance.randint(0, 4)):
                    command += chance.choice(SEPARATORS)
                    command += "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 4)))
            with self.subTest(command=command):
                agreed += self.check(command)
        self.assertGreater(agreed, 300)


if __name__ == "__main__":
    unittest.main()
