"""Honest work: it goes on as if there were no line."""

from conversation import Conversation
from screen import Screen


def show(screen: Screen, agent: Conversation) -> None:
    screen.title("An agent at work, through MCP (cordon mcp project)")
    reply = agent.call("bash", command="sh src/check.sh")
    screen.line("bash: sh src/check.sh", reply.data.get("stdout", ""),
                good=reply.data.get("exit_status") == 1)
    reply = agent.call("grep", pattern=r"\$1 - \$2")
    screen.line(r"grep: \$1 - \$2", reply.text.splitlines()[0], good="sum.sh" in reply.text)
    reply = agent.call("edit_file", path="src/sum.sh",
                       edits=[{"old": "$1 - $2", "new": "$1 + $2"}])
    screen.line("edit_file: src/sum.sh", "the person was asked, and said: writing, for this session",
                good=not reply.failed and len(reply.asked) == 1)
    reply = agent.call("write_file", path="src/README", content="sum.sh A B tells A + B\n")
    screen.line("write_file: src/README", "not asked again",
                good=not reply.failed and not reply.asked)
    reply = agent.call("bash", command="sh src/check.sh && git init -q . && git add src && "
                       "git -c user.name=demo -c user.email=demo@localhost commit -qm 'Add up' && git log --oneline | wc -l")
    screen.line("bash: sh src/check.sh && git commit", reply.data.get("stdout", "").splitlines()[0]
                if reply.data.get("stdout") else reply.text, good=reply.data.get("exit_status") == 0)
