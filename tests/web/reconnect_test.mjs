// The server goes and comes back on the same state.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  served = await new Served(['--ask', 'shell']).start();
  browser = await openBrowser();
  sandbox = await served.sandbox('goes on');
  visitor = await Visitor.come(browser, served, { expected: /ERR_|Failed to load|WebSocket/ });
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
});

test('approvals are live again after a restart, and what waited is over', async () => {
  const lost = served.tool(sandbox, 'bash', { command: 'echo before' }).catch(() => undefined);
  await visitor.page.getByRole('article').filter({ hasText: 'echo before' }).waitFor();
  await served.stop('SIGKILL');
  await lost;
  await visitor.page.getByText('Reconnecting…').or(visitor.page.getByText('Connecting…')).waitFor();
  await visitor.shoot('reconnecting');
  await served.start();
  await visitor.page.getByText('Live', { exact: true }).waitFor({ timeout: 20000 });
  await visitor.page.getByRole('article').filter({ hasText: 'echo before' }).waitFor({ state: 'detached' });
  const called = served.tool(sandbox, 'bash', { command: 'echo after' });
  await visitor.page.getByRole('article').getByRole('button', { name: 'Allow once' }).click();
  assert.equal((await called).success, true);
});

test('the audit table goes on where it was', async () => {
  await visitor.go('audit');
  await visitor.page.getByText('following').waitFor();
  await served.stop();
  await served.start();
  await visitor.page.getByText('following').waitFor({ timeout: 20000 });
  await served.tool(sandbox, 'read_file', { path: '/etc/after-restart' });
  await visitor.page.getByRole('row').filter({ hasText: '/etc/after-restart' }).waitFor({ timeout: 15000 });
});

test('a terminal says that it is gone, and another shell can be had', async () => {
  await visitor.go(`sandboxes/${sandbox}/terminal`);
  await visitor.page.getByText('connected').waitFor();
  // One that ends in order may still tell that it ends the shell.
  await served.stop('SIGKILL');
  await visitor.page.locator('.badge', { hasText: 'reconnecting…' }).waitFor();
  await served.start();
  await visitor.page.getByText('the terminal is gone').waitFor({ timeout: 20000 });
  await visitor.page.getByRole('button', { name: 'New shell' }).click();
  await visitor.page.getByText('connected').waitFor();
});
