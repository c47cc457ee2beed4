#!/usr/bin/env python3
"""A minute with an agent: demo/agent.py [CORDON].

A scripted agent speaks MCP to `cordon mcp`: first it works, then it tries the classic ways out,
with the file tools and with the shell. One line each: what was tried, what stopped it, and which
record of the audit log tells of it. Ends with a status other than 0 if anything is not as claimed.
Everything happens in a scratch directory; nothing is sent anywhere.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import escapes  # noqa: E402
import race  # noqa: E402
import work  # noqa: E402
from conversation import Conversation  # noqa: E402
from screen import Screen  # noqa: E402


def build_scene(scratch: pathlib.Path) -> pathlib.Path:
    project = scratch / "project"
    (project / "src").mkdir(parents=True)
    (scratch / "home" / ".aws").mkdir(parents=True)
    (scratch / "home" / ".aws" / "credentials").write_text("aws_secret_access_key = s3cret\n")
    (scratch / "secret").write_text("the secret\n")
    (project / "src" / "sum.sh").write_text('#!/bin/sh\necho "$(($1 - $2))"\n')
    (project / "src" / "check.sh").write_text(
        '#!/bin/sh\n[ "$(sh src/sum.sh 2 3)" = 5 ] && echo "all checks passed" || { echo "2 + 3 should be 5"; exit 1; }\n')
    (project / ".env").write_text("API_KEY=s3cret\n")
    (project / "shortcut").symlink_to(scratch / "secret")
    return project


def environment(scratch: pathlib.Path) -> dict[str, str]:
    """Nothing of this machine's own configuration plays a part."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8",
            "HOME": str(scratch / "home"), "XDG_STATE_HOME": str(scratch / "state"),
            "XDG_CONFIG_HOME": str(scratch / "home" / ".config")}


def show_log(screen: Screen, cordon: str, env: dict[str, str], scratch: pathlib.Path) -> None:
    screen.title("The log, which cannot be quietly changed")
    verified = subprocess.run([cordon, "audit", "verify"], env=env, capture_output=True, text=True)
    screen.line("cordon audit verify", verified.stdout.split(", head")[0].strip(),
                good=verified.returncode == 0)
    forged = scratch / "forged"
    shutil.copytree(scratch / "state", forged)
    log = next(forged.rglob("audit.jsonl"))
    log.write_bytes(log.read_bytes().replace(b'"decision":"denied"', b'"decision":"allowed"', 1))
    forged_env = dict(env, XDG_STATE_HOME=str(forged))
    noticed = subprocess.run([cordon, "audit", "verify"], env=forged_env, capture_output=True,
                             text=True)
    first = (noticed.stdout + noticed.stderr).strip().splitlines()
    screen.line('one "denied" made "allowed", in a copy', first[0] if first else "",
                good=noticed.returncode != 0)


def main() -> int:
    cordon = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/cordon").resolve())
    if not os.access(cordon, os.X_OK):
        print(f"demo: {cordon} is not there; run make build", file=sys.stderr)
        return 2
    screen = Screen(sys.stdout)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="cordon-demo-"))
    try:
        project = build_scene(scratch)
        env = environment(scratch)
        with Conversation(cordon, project, env) as agent:
            work.show(screen, agent)
            escapes.show(screen, agent, project)
            race.show(screen, agent, project, scratch)
        show_log(screen, cordon, env, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return screen.verdict()


if __name__ == "__main__":
    sys.exit(main())
