// Sandboxes: what they are, what they use, and what goes on in them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  served = await new Served().start();
  browser = await openBrowser();
  sandbox = await served.sandbox('Fix the flaky parser test');
  visitor = await Visitor.come(browser, served);
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
});

test('the list has status and the isolation that was read back', async () => {
  await served.ask('POST', '/v1/conversations', { title: 'Docs', sandbox: { isolation: 'kernel-line' } });
  await visitor.go('sandboxes');
  const row = visitor.page.getByRole('row').filter({ hasText: 'Docs' });
  await row.getByText('ready', { exact: true }).waitFor();
  await row.getByText('at least Kernel line was requested').waitFor();
  await visitor.page.getByRole('row').filter({ hasText: 'no minimum was requested' }).waitFor();
  await visitor.checkAccess('sandboxes');
  await visitor.shoot('sandboxes');
});

test('one that ends is gone from the list, and there among the ended', async () => {
  const id = await served.sandbox('Short');
  const row = visitor.page.getByRole('row').filter({ hasText: id.slice(0, 8) });
  await row.waitFor();
  await served.ask('DELETE', `/v1/sandboxes/${id}`);
  await row.waitFor({ state: 'detached' });
  await visitor.page.getByLabel('Show ended').check();
  await row.getByText('terminated', { exact: true }).waitFor();
});

test('one is made with a button', async () => {
  await visitor.page.getByRole('button', { name: 'New sandbox' }).click();
  await visitor.page.waitForURL(/#\/sandboxes\/[a-z2-7]{26}$/);
  await visitor.page.getByText('ready', { exact: true }).waitFor();
  await visitor.page.getByRole('button', { name: 'End…' }).click();
  await visitor.page.getByRole('button', { name: 'End it and lose its files' }).click();
  await visitor.page.waitForURL(/#\/sandboxes$/);
});

test('without a server inside there is no port, and what limits it is named', async () => {
  await visitor.go(`sandboxes/${sandbox}`);
  await visitor.page.getByRole('region', { name: 'Ports' }).getByText('Nothing listens inside.').waitFor();
  await visitor.page.getByText('10 GiB disk (watched)').waitFor();
});

test('its resources are plotted, and ports and processes named', async () => {
  await served.exec(sandbox, '(python3 -m http.server 5173 >/dev/null 2>&1 &); sleep 0.5');
  await visitor.go(`sandboxes/${sandbox}`);
  await visitor.page.getByRole('img', { name: /^Memory: now [1-9].* at most/ }).waitFor();
  await visitor.page.getByRole('img', { name: /^CPU, cores: now \d/ }).waitFor();
  const ports = visitor.page.getByRole('region', { name: 'Ports' });
  await ports.getByText('5173', { exact: true }).waitFor();
  await visitor.page.getByRole('cell', { name: 'python3 -m http.server 5173' }).waitFor();
  await visitor.page.getByText('landlock', { exact: false }).first().waitFor();
  // Enough of a line to look at.
  await served.exec(sandbox, 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done');
  await visitor.page.waitForTimeout(5000);
  await visitor.checkAccess('sandbox');
  await visitor.shoot('sandbox-overview');
});

test('a terminal runs a shell, and another tab sees the same', async () => {
  await visitor.go(`sandboxes/${sandbox}/terminal`);
  await visitor.page.getByText('connected').waitFor();
  await visitor.page.keyboard.type('echo "six times seven is $((6*7))"; ls -l --color=always /\n');
  const screen = visitor.page.locator('.xterm-rows');
  await screen.getByText('six times seven is 42').waitFor();
  await visitor.checkAccess('terminal');
  await visitor.shoot('sandbox-terminal');
  const tab = await visitor.context.newPage();
  await tab.goto(`${served.url}/#/sandboxes/${sandbox}/terminal`);
  await tab.locator('.xterm-rows').getByText('six times seven is 42').waitFor();
  await tab.close();
  // Colours arrive although nothing inline is allowed.
  const colour = await screen.evaluate((rows) => getComputedStyle(rows).color);
  assert.equal(colour, 'rgb(221, 230, 227)');
});

test('its logs are shown', async () => {
  await visitor.go(`sandboxes/${sandbox}/logs`);
  await visitor.page.getByRole('heading', { name: 'Last lines of its log' }).waitFor();
  await visitor.page.getByText('Nothing was logged yet.').waitFor();
  const command = 'echo compiling parser.ts; echo "ready in 312 ms"; echo "warning: unused variable" >&2';
  await served.ask('POST', `/v1/sandboxes/${sandbox}/exec`, { command, detached: true });
  await visitor.page.getByText('ready in 312 ms').waitFor();
  await visitor.checkAccess('logs');
  await visitor.shoot('sandbox-logs');
});

test('it is paused and goes on', async () => {
  await visitor.go(`sandboxes/${sandbox}`);
  await visitor.page.getByRole('button', { name: 'Pause' }).click();
  await visitor.page.getByText('paused', { exact: true }).waitFor();
  await visitor.page.getByRole('button', { name: 'Resume' }).click();
  await visitor.page.getByText('ready', { exact: true }).waitFor();
});

test('one that is not there is said not to be', async () => {
  visitor.expected = /404/;
  await visitor.go(`sandboxes/${'a'.repeat(26)}`);
  await visitor.page.getByText('There is no such sandbox.').waitFor();
});
