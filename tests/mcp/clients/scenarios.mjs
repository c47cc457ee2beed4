// What every real client must be able to do with `cordon mcp`. Each scenario gets a
// stage: {peer, answers, work, outside, kind}; it throws when something is not as it
// should be.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const textOf = (result) => result.content.filter((block) => block.type === "text").map((block) => block.text).join("\n");
const done = (result) => { assert.ok(!result.isError, textOf(result)); return result; };
const refused = (result) => { assert.equal(result.isError, true, textOf(result)); return textOf(result); };
const accept = (decision) => () => ({ action: "accept", content: { decision } });

export const scenarios = {
  async lists({ peer }) {
    const tools = await peer.list();
    assert.ok(tools.length >= 18, `${tools.length} tools`);
    for (const tool of tools) {
      assert.ok(tool.title && tool.description && tool.annotations, tool.name);
      assert.equal(tool.inputSchema.type, "object");
      assert.equal(tool.outputSchema.type, "object", tool.name);
    }
    assert.deepEqual((await peer.list()).map((tool) => tool.name), tools.map((tool) => tool.name));
  },

  // Every tool there is, with arguments that make it do something; clients check what
  // comes back against the declared output schema.
  async callsEveryTool({ peer, answers, work }) {
    answers.next = accept("once");  // changes ask in this profile
    const calls = {
      list_roots: {},
      create_directory: { path: "made" },
      write_file: { path: "made/a.txt", content: "one\ntwo\nthree\n" },
      append_file: { path: "made/a.txt", content: "four\n" },
      insert_lines: { path: "made/a.txt", line: 0, content: "zero\n" },
      read_file: { path: "made/a.txt", line_numbers: true },
      read_files: { paths: ["made/a.txt"] },
      edit_file: { path: "made/a.txt", edits: [{ old: "two", new: "2" }] },
      replace: { path: "made/a.txt", old_string: "three", new_string: "3" },
      apply_patch: { patch: "*** Begin Patch\n*** Add File: made/b.txt\n+new\n*** End Patch\n" },
      copy_path: { from: "made/a.txt", to: "made/c.txt" },
      move_path: { from: "made/c.txt", to: "made/d.txt" },
      file_info: { path: "made/a.txt" },
      list_directory: { path: "made" },
      glob: { pattern: "**/*.txt" },
      grep: { pattern: "zero", path: "made" },
      history: {},
      undo: { steps: 1 },
      delete_path: { path: "made/b.txt" },
      bash: { command: "echo out; sleep 60", background: true },
      bash_output: () => ({ handle, wait: 1 }),
      bash_stop: () => ({ handle }),
    };
    let handle;  // of the command
    const names = (await peer.list()).map((tool) => tool.name);
    assert.deepEqual([...names].sort(), Object.keys(calls).sort());
    for (const [name, args] of Object.entries(calls)) {
      const result = await peer.call(name, typeof args === "function" ? args() : args);
      assert.ok(!result.isError, `${name}: ${textOf(result)}`);
      assert.equal(typeof result.structuredContent, "object", name);
      handle ??= result.structuredContent.handle;
    }
    assert.equal(fs.readFileSync(path.join(work, "made/a.txt"), "utf8"), "zero\none\n2\n3\nfour\n");
    assert.ok(!fs.existsSync(path.join(work, "made/d.txt")), "the move was undone");
  },

  // Only one of the clients has tasks of its own; the others run the command all the same.
  async runsACommandThatTakesLong({ peer, answers }) {
    answers.next = accept("once");
    const result = await peer.callLong("bash", { command: "sleep 2; echo later" });
    assert.match(textOf(done(result)), /later/);
    if (peer.seen) assert.ok(peer.seen.includes("working") && peer.seen.includes("input_required"), `${peer.seen}`);
  },

  async tellsWhatAModelCanMend({ peer }) {
    assert.match(refused(await peer.call("read_file", { path: "missing.txt" })), /missing\.txt/);
    assert.match(refused(await peer.call("read_file", { path: "a", colour: 1 })), /colour/);
    refused(await peer.call("read_file", { path: ".env" }));
    await assert.rejects(peer.call("no_such_tool", {}));
  },

  async asksAndMeansIt({ peer, answers, outside }) {
    const secret = path.join(outside, "secret.txt");
    const before = peer.asked;
    answers.next = accept("deny");
    refused(await peer.call("read_file", { path: secret }));
    answers.next = () => ({ action: "decline" });
    refused(await peer.call("read_file", { path: secret }));
    answers.next = () => ({ action: "cancel" });
    refused(await peer.call("read_file", { path: secret }));
    let shown;
    answers.next = (question) => { shown = question; return accept("once")(); };
    assert.match(textOf(done(await peer.call("read_file", { path: secret }))), /the outside secret/);
    assert.match(shown.message, /secret\.txt/);
    assert.ok(shown.requestedSchema.properties.decision);
    answers.next = accept("deny");
    refused(await peer.call("read_file", { path: secret }));  // once was once
    assert.equal(peer.asked - before, 5);
    answers.next = accept("directory");
    done(await peer.call("read_file", { path: secret }));
    answers.next = () => assert.fail("the directory was granted");
    done(await peer.call("read_file", { path: path.join(outside, "other.txt") }));
    // A deny rule beats every answer.
    answers.next = accept("once");
    refused(await peer.call("read_file", { path: path.join(outside, ".env") }));
  },

  async cancels({ peer }) {
    const stop = new AbortController();
    const call = peer.call("grep", { pattern: "(a.{100}|b.{150}|c.{90})[X-Z]", path: "long" }, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 100);
    await assert.rejects(call);
    done(await peer.call("read_file", { path: "hello.txt" }));
  },

  async reportsProgress({ peer }) {
    // Counted repetition is the slowest thing there is for an engine in linear time.
    const slow = { pattern: "(a.{100}|b.{150}|c.{90})[X-Z]", path: "long" };
    const seen = [];
    done(await peer.call("grep", slow,
      { onprogress: (progress) => seen.push(progress.progress) }));
    assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
    assert.ok(seen.length > 0, "no progress was told");
  },

  async readsResources({ peer, answers, work }) {
    answers.next = accept("deny");
    const uri = pathToFileURL(path.join(work, "hello.txt")).href;
    const listed = await peer.resources();
    assert.ok(listed.resources.some((resource) => resource.uri === uri), "hello.txt is listed");
    const { contents } = await peer.read(uri);
    assert.equal(contents[0].text, "hello\n");
    assert.equal((await peer.templates()).resourceTemplates.length, 1);
    await assert.rejects(peer.read(pathToFileURL(path.join(work, "missing")).href));
    await assert.rejects(peer.read(pathToFileURL(path.join(work, ".env")).href));
    await assert.rejects(peer.read("file:///etc/../etc/shadow"));
    await assert.rejects(peer.read("http://example.com/"));
  },

  async completesPaths({ peer, work }) {
    const reference = { type: "ref/resource", uri: (await peer.templates()).resourceTemplates[0].uriTemplate };
    const found = await peer.complete({ ref: reference, argument: { name: "path", value: path.join(work, "hel").slice(1) } });
    assert.ok(found.completion.values.some((value) => value.endsWith("hello.txt")), JSON.stringify(found));
    const outside = await peer.complete({ ref: reference, argument: { name: "path", value: "etc/pass" } });
    assert.deepEqual(outside.completion.values, []);
  },

  async subscribes({ peer, work }) {
    const file = path.join(work, "watched.txt");
    fs.writeFileSync(file, "1\n");
    const uri = pathToFileURL(file).href;
    let resolve;
    const changed = new Promise((then) => { resolve = then; });
    const end = await peer.watch(uri, resolve);
    fs.writeFileSync(file, "2\n");
    const told = await Promise.race([changed, new Promise((_, fail) => setTimeout(() => fail(new Error("no change was told")), 5000))]);
    assert.equal(told, uri);
    await end();
  },

  async narrowsToTheClientsRoots({ peer, answers, work, outside, kind }) {
    if (kind === "client-modern") return;  // that era has no roots to tell
    answers.next = accept("deny");
    answers.roots = [{ uri: pathToFileURL(path.join(work, "many")).href }, { uri: pathToFileURL(outside).href }];
    await peer.rootsChanged();
    done(await peer.call("list_directory", { path: path.join(work, "many") }));
    refused(await peer.call("read_file", { path: path.join(work, "hello.txt") }));
    refused(await peer.call("read_file", { path: path.join(outside, "secret.txt") }));  // never wider
    answers.roots = [];
    await peer.rootsChanged();
    done(await peer.call("read_file", { path: path.join(work, "hello.txt") }));
  },
};
