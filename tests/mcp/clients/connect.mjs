// The real clients, behind one face: connect(kind, target, answers) -> Peer.
//   kind: "sdk" (@modelcontextprotocol/sdk), "client-legacy", "client-modern"
//         (@modelcontextprotocol/client)
//   target: {command, args, env} for stdio, {url, token} for HTTP
// A Peer has list(), call(name, args, options), resources(), read(uri), complete(...),
// watch(uri, changed) and close(). Questions go to `answers.next`, a function. callLong(name, args)
// calls as a task, where the client can; `seen` are then the statuses it was told.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const packages = process.env.CORDON_PACKAGES;
const require = createRequire(path.join(packages, "anchor.cjs"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

async function connectSdk(target, answers) {
  const { Client } = await load("@modelcontextprotocol/sdk/client/index.js");
  const types = await load("@modelcontextprotocol/sdk/types.js");
  const client = new Client({ name: "test-sdk", version: "1" },
    { capabilities: { elicitation: {}, roots: { listChanged: true } } });
  const peer = { asked: 0, notices: [] };
  client.setRequestHandler(types.ElicitRequestSchema, async (request) => {
    peer.asked += 1;
    return answers.next(request.params);
  });
  client.setRequestHandler(types.ListRootsRequestSchema, async () => ({ roots: answers.roots ?? [] }));
  let changed = () => {};
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, (note) => changed(note.params.uri));
  let transport;
  if (target.url) {
    const { StreamableHTTPClientTransport } = await load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    transport = new StreamableHTTPClientTransport(new URL(target.url),
      { requestInit: { headers: { Authorization: `Bearer ${target.token}` } } });
  } else {
    const { StdioClientTransport } = await load("@modelcontextprotocol/sdk/client/stdio.js");
    transport = new StdioClientTransport({ command: target.command, args: target.args, env: target.env, stderr: "ignore" });
  }
  await client.connect(transport);
  return Object.assign(peer, common(client), {
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    callLong: async (name, args) => {
      peer.seen = [];
      const stream = client.experimental.tasks.callToolStream({ name, arguments: args },
        types.CallToolResultSchema, { task: { ttl: 60000 } });
      for await (const message of stream) {
        if (message.type === "taskCreated" || message.type === "taskStatus") peer.seen.push(message.task.status);
        if (message.type === "result") return message.result;
        if (message.type === "error") throw message.error;
      }
      throw new Error("the task came to no end");
    },
    rootsChanged: () => client.sendRootsListChanged(),
    watch: async (uri, then) => {
      changed = then;
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    close: () => client.close(),
  });
}

async function connectClient(mode, target, answers) {
  const { Client, StreamableHTTPClientTransport } = await load("@modelcontextprotocol/client");
  const client = new Client({ name: "test-client", version: "1" }, {
    capabilities: { elicitation: { form: {} }, roots: { listChanged: true } },
    versionNegotiation: { mode: mode === "modern" ? { pin: "2026-07-28" } : "legacy" },
  });
  const peer = { asked: 0, notices: [] };
  client.setRequestHandler("elicitation/create", async (request) => {
    peer.asked += 1;
    return answers.next(request.params);
  });
  client.setRequestHandler("roots/list", async () => ({ roots: answers.roots ?? [] }));
  let changed = () => {};
  client.setNotificationHandler("notifications/resources/updated", (note) => changed(note.params.uri));
  let transport;
  if (target.url) {
    transport = new StreamableHTTPClientTransport(new URL(target.url),
      { requestInit: { headers: { Authorization: `Bearer ${target.token}` } } });
  } else {
    const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");
    transport = new StdioClientTransport({ command: target.command, args: target.args, env: target.env, stderr: "ignore" });
  }
  await client.connect(transport);
  return Object.assign(peer, common(client), {
    era: () => client.getProtocolEra(),
    callLong: (name, args) => client.callTool({ name, arguments: args }),
    call: (name, args, options) => client.callTool({ name, arguments: args }, options),
    rootsChanged: () => client.sendRootsListChanged(),
    watch: async (uri, then) => {
      changed = then;
      if (mode === "modern") {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    close: () => client.close(),
  });
}

function common(client) {
  return {
    list: async () => {
      const tools = [];
      let cursor;
      do {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        tools.push(...page.tools);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return tools;
    },
    resources: () => client.listResources(),
    templates: () => client.listResourceTemplates(),
    read: (uri) => client.readResource({ uri }),
    complete: (params) => client.complete(params),
  };
}

export async function connect(kind, target, answers) {
  if (kind === "sdk") return connectSdk(target, answers);
  return connectClient(kind === "client-modern" ? "modern" : "legacy", target, answers);
}
