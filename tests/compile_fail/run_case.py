"""run_case.py CASE.cc COMPILER FLAGS...: CASE.cc must fail as it expects, its control compile."""

import pathlib
import re
import subprocess
import sys


def compile_source(command, source):
    done = subprocess.run([*command, "-fsyntax-only", str(source)], capture_output=True, text=True,
                          env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})
    return done.returncode, done.stderr


def problem_with(case, command):
    expect = re.search(r"^// EXPECT: (.+)$", case.read_text(), re.MULTILINE)
    if not expect:
        return "the case has no EXPECT line"
    control = case.with_name(case.stem + "_control.cc")
    if not control.exists():
        return f"{control.name} is missing"
    status, output = compile_source(command, control)
    if status != 0:
        return f"the control does not compile:\n{output}"
    status, output = compile_source(command, case)
    if status == 0:
        return "the case compiles"
    errors = [line for line in output.splitlines() if re.search(r"\berror:", line)]
    if not any(re.search(expect.group(1), line) for line in errors):
        return f"no error matches {expect.group(1)!r}:\n{output}"
    strangers = [line for line in errors if case.name not in line]
    return "errors outside the case:\n" + "\n".join(strangers) if strangers else None


if __name__ == "__main__":
    problem = problem_with(pathlib.Path(sys.argv[1]), sys.argv[2:])
    if problem:
        sys.exit(f"{sys.argv[1]}: {problem}")
