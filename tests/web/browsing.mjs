// A browser that holds the page to its word: no violation of the Content-Security-Policy, no error,
// no request to anything but the server.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const shots = process.env.CORDON_SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CORDON_CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-prefers-reduced-motion'],
  });
}

// Whatever has failed, nothing is left running.
export async function endAll({ visitor, browser, served }) {
  try {
    await visitor?.leave();
  } finally {
    await browser?.close();
    await served?.destroy();
  }
}

export class Visitor {
  constructor(context, page, served) {
    this.context = context;
    this.page = page;
    this.served = served;
    this.complaints = [];
    this.expected = undefined;
  }

  // `expected`: what may stand in the console, as while the server is away. `previews`: frames may
  // show them, from hosts of theirs.
  static async come(browser, served, { size = [1280, 860], scheme = 'light', expected, previews = false } = {}) {
    const context = await browser.newContext({
      viewport: { width: size[0], height: size[1] },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const visitor = new Visitor(context, page, served);
    visitor.expected = expected;
    visitor.scheme = scheme;
    page.setDefaultTimeout(30_000); // the machine may be busy
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    page.on('console', (message) => {
      const text = message.text();
      if (message.type() === 'error' && !visitor.expected?.test(text)) visitor.complaints.push(text);
    });
    page.on('pageerror', (error) => visitor.complaints.push(String(error)));
    page.on('request', (request) => {
      const { origin, protocol, hostname } = new URL(request.url());
      const framed = request.frame() !== page.mainFrame();
      if (previews && framed && /^(.+\.)?localhost$/.test(hostname)) return;
      if (protocol !== 'data:' && origin !== served.url) visitor.complaints.push(`left for ${origin}`);
    });
    page.on('websocket', (socket) => {
      if (new URL(socket.url()).host !== served.address) visitor.complaints.push(`left for ${socket.url()}`);
    });
    return visitor;
  }

  async signIn() {
    const { code } = await this.served.ask('POST', '/v1/session/codes');
    await this.page.goto(`${this.served.url}/#code=${code}`);
    await this.page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    await this.page.getByText('Live', { exact: true }).waitFor();
  }

  go(place) {
    return this.page.goto(`${this.served.url}/#/${place}`);
  }

  // Light, and the same in the dark; of who sits there already, once.
  async shoot(name) {
    if (!shots) return;
    mkdirSync(shots, { recursive: true });
    await this.page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
    if (this.scheme === 'dark') return;
    await this.page.emulateMedia({ colorScheme: 'dark' });
    await this.page.screenshot({ path: `${shots}/${name}-dark.png`, fullPage: true });
    await this.page.emulateMedia({ colorScheme: 'light' });
  }

  // By axe-core, WCAG 2.1 A and AA and its best practices.
  async checkAccess(what) {
    await this.page.evaluate(axe);
    const found = await this.page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { exclude: [['.xterm']] });
      return violations.map(
        (one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).join(' | ').slice(0, 600)}`,
      );
    });
    assert.deepEqual(found, [], what);
  }

  // Nothing sticks out to the right.
  async checkWidth(what) {
    const [wide, shown] = await this.page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(wide <= shown, `${what}: ${wide} px in ${shown} px`);
  }

  async leave() {
    await this.context.close();
    assert.deepEqual(this.complaints, []);
  }
}
