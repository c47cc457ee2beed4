"""An agent's side of MCP over standard input and output, with a person who answers its questions."""

import json
import pathlib
import subprocess
from dataclasses import dataclass
from typing import Any

RUN = "Tool wants to run:"


@dataclass
class Reply:
    text: str
    data: dict[str, Any]
    failed: bool
    asked: list[str]  # what the person was asked, first lines

    @property
    def said_no(self) -> bool:
        """To something else than running a command at all."""
        return any(not one.startswith(RUN) for one in self.asked)

    @property
    def refusal(self) -> str:
        """What stopped it, for one line: the first that says so."""
        for line in self.text.splitlines():
            if line.startswith("refused: "):
                return line.removeprefix("refused: ")
        return self.text.splitlines()[0] if self.failed and self.text else ""


class Conversation:
    """Ends the server when it is left. The person lets commands run, trusts writing inside the
    project for the session, and says no to everything else."""

    def __init__(self, cordon: str, project: pathlib.Path, env: dict[str, str]):
        self._cordon, self._env = cordon, env
        self._server = subprocess.Popen(
            [cordon, "mcp", "--profile", "interactive", str(project)], env=env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project)
        self._last = 0
        self.request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {"form": {}}},
            "clientInfo": {"name": "demo", "version": "1"}})
        self._send({"method": "notifications/initialized"})

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stdin.close()
        self._server.wait(timeout=30)
        self._server.stdout.close()

    @staticmethod
    def _answer(question: dict[str, Any]) -> str:
        offered = [one["const"]
                   for one in question["requestedSchema"]["properties"]["decision"]["oneOf"]]
        if question["message"].startswith(RUN):
            return "once"
        return "tool" if "tool" in offered else "deny"

    def _send(self, message: dict[str, Any]) -> None:
        self._server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._server.stdin.flush()

    def request(self, method: str, params: dict[str, Any], asked: list[str] | None = None) -> Any:
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while line := self._server.stdout.readline():
            message = json.loads(line)
            if message.get("method") == "elicitation/create":
                if asked is not None:
                    asked.append(message["params"]["message"].splitlines()[0])
                self._send({"id": message["id"], "result": {
                    "action": "accept", "content": {"decision": self._answer(message["params"])}}})
            elif message.get("id") == self._last and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return message["result"]
        raise RuntimeError("the server is gone")

    def call(self, tool: str, **arguments: Any) -> Reply:
        asked: list[str] = []
        result = self.request("tools/call", {"name": tool, "arguments": arguments}, asked)
        text = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
        return Reply(text, result.get("structuredContent", {}), bool(result.get("isError")), asked)

    def records(self) -> list[dict[str, Any]]:
        told = subprocess.run([self._cordon, "audit", "query", "--json"], env=self._env, check=True,
                              capture_output=True, text=True)
        return [json.loads(line) for line in told.stdout.splitlines()]

    def refusal_after(self, seq: int) -> int | None:
        """The number of the last record of a refusal behind `seq`."""
        denied = [one["seq"] for one in self.records()
                  if one["seq"] > seq and (one.get("decision") == "denied" or one.get("error"))]
        return denied[-1] if denied else None
