// run.mjs KIND CORDON stdio|http: every scenario with one real client, one line each.
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { connect } from "./connect.mjs";
import { scenarios } from "./scenarios.mjs";

const [kind, cordon, transport] = process.argv.slice(2);

function stage() {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cordon-mcp-")));
  const work = path.join(base, "work");
  const outside = path.join(base, "outside");
  for (const directory of [work, outside, path.join(work, "many"), path.join(work, "long"), path.join(base, "state")]) fs.mkdirSync(directory);
  fs.writeFileSync(path.join(work, "hello.txt"), "hello\n");
  fs.writeFileSync(path.join(work, ".env"), "TOKEN=x\n");
  fs.writeFileSync(path.join(outside, "secret.txt"), "the outside secret\n");
  fs.writeFileSync(path.join(outside, "other.txt"), "other\n");
  fs.writeFileSync(path.join(outside, ".env"), "TOKEN=y\n");
  for (let i = 0; i < 300; i += 1) fs.writeFileSync(path.join(work, "many", `${i}.txt`), `abcdef${i}\n`.repeat(200));
  for (let i = 0; i < 8; i += 1) fs.writeFileSync(path.join(work, "long", `${i}.txt`), `${"abcdefedcb".repeat(400)}\n`.repeat(2500));
  return { base, work, outside };
}

async function targetOf({ base, work }) {
  const env = { ...process.env, XDG_STATE_HOME: path.join(base, "state"), XDG_CONFIG_HOME: path.join(base, "config") };
  const args = ["mcp", "--profile", "interactive", "--ask", "none", work];
  if (transport === "stdio") return { target: { command: cordon, args, env }, stop: async () => {} };
  const token = crypto.randomBytes(24).toString("hex");
  const tokenFile = path.join(base, "token");
  fs.writeFileSync(tokenFile, token, { mode: 0o600 });
  const server = spawn(cordon, [...args, "--http", "127.0.0.1:0", "--token-file", tokenFile],
    { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const stop = async () => { server.kill("SIGTERM"); await ended; };
  const [url] = await Promise.race([once(readline.createInterface({ input: server.stdout }), "line"),
    ended.then((status) => { throw new Error(`the server ended with ${status}`); })]);
  return { target: { url, token }, stop };
}

const set = stage();
let failed = 0;
let stop = async () => {};
try {
  const server = await targetOf(set);
  stop = server.stop;
  const answers = { next: () => ({ action: "cancel" }), roots: [] };
  const peer = await connect(kind, server.target, answers);
  for (const [name, scenario] of Object.entries(scenarios)) {
    try {
      await scenario({ peer, answers, kind, ...set });
      console.log(`ok ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${error.stack}`);
    }
  }
  await peer.close();
} finally {
  await stop();
  fs.rmSync(set.base, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
