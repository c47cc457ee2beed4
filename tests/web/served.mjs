// A running `cordon serve` with the local driver, and agents that work in it over the API.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const cordon = process.env.CORDON_BINARY;

export class Served {
  // `state` outlives a stop, so that it can be started again on the same address.
  constructor(flags = []) {
    this.flags = flags;
    this.scratch = mkdtempSync('/var/tmp/cordon-web-');
    this.state = `${this.scratch}/state`;
    this.address = '127.0.0.1:0';
  }

  async start() {
    this.process = spawn(
      cordon,
      ['serve', '--listen', this.address, '--state', this.state, ...this.flags],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const said = createInterface({ input: this.process.stderr });
    const link = new Promise((found) => {
      said.on('line', (line) => {
        const there = /dashboard.*(http:\S+)/.exec(line);
        if (there) found(there[1]);
      });
    });
    const lines = createInterface({ input: this.process.stdout });
    const [url] = await Promise.race([
      once(lines, 'line'),
      once(this.process, 'exit').then(() => {
        throw new Error('cordon serve has ended');
      }),
    ]);
    this.url = url;
    this.address = url.replace('http://', '');
    this.link = await link;
    this.token = readFileSync(`${this.state}/token`, 'utf8').trim();
    return this;
  }

  async stop(signal = 'SIGTERM') {
    if (this.process.exitCode !== null || this.process.signalCode) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }

  // Ends what is left and forgets all of it.
  async destroy() {
    if (this.process.exitCode !== null || this.process.signalCode) await this.start();
    const { sandboxes } = await this.ask('GET', '/v1/sandboxes?state=ready,paused,pending');
    for (const one of sandboxes) await this.ask('DELETE', `/v1/sandboxes/${one.id}`);
    await this.stop();
    rmSync(this.scratch, { recursive: true, force: true });
  }

  async raw(method, path, body, headers = {}) {
    return fetch(this.url + path, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async ask(method, path, body) {
    const response = await this.raw(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  // The id of a sandbox of its own conversation.
  async sandbox(title) {
    return (await this.ask('POST', '/v1/conversations', { title })).sandboxId;
  }

  // What an agent does; not waited for where a person has to agree.
  tool(sandbox, name, body) {
    return this.ask('POST', `/v1/sandboxes/${sandbox}/tools/${name}`, body);
  }

  exec(sandbox, command) {
    return this.ask('POST', `/v1/sandboxes/${sandbox}/exec`, { command });
  }
}
