// The audit log: live, filtered, charted, checked.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  served = await new Served().start();
  browser = await openBrowser();
  sandbox = await served.sandbox('audited');
  visitor = await Visitor.come(browser, served);
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
});

const cells = (text) => visitor.page.getByRole('row').filter({ hasText: text });

test('records appear as they are written', async () => {
  await visitor.go('audit');
  await visitor.page.getByText('following').waitFor();
  await served.tool(sandbox, 'write_file', { path: 'notes.md', content: 'hello\n' });
  await cells('notes.md').first().waitFor();
  await served.tool(sandbox, 'read_file', { path: '/etc/passwd' });
  await cells('/etc/passwd').getByText('denied').waitFor();
  await served.tool(sandbox, 'read_file', { path: '../../secret' });
  await cells('../../secret').getByText('denied').waitFor();
});

test('the timeline counts operations and refusals', async () => {
  await visitor.page
    .getByRole('img', { name: /: [1-9]\d* allowed, 0 asked, 2 refused\./ })
    .waitFor({ timeout: 15000 });
});

test('the chain is checked', async () => {
  const chain = visitor.page.getByRole('region', { name: 'Chain check' });
  await chain.getByText('intact').waitFor();
  const before = await chain.getByText(/^\d+ records?$/).textContent();
  await served.tool(sandbox, 'read_file', { path: 'notes.md' });
  await visitor.page.waitForTimeout(1100);
  await chain.getByRole('button', { name: 'Check again' }).click();
  await visitor.page.waitForFunction(
    (old) => !document.querySelector('.chain')?.textContent?.includes(`${old}`),
    before,
  );
  await chain.getByText('intact').waitFor();
  await visitor.checkAccess('audit');
  await visitor.shoot('audit');
});

test('filters narrow it, and stand in the address', async () => {
  await visitor.page.getByLabel('Decision').selectOption('denied');
  await cells('notes.md').first().waitFor({ state: 'detached' });
  await cells('/etc/passwd').waitFor();
  assert.match(visitor.page.url(), /decision=denied/);
  await visitor.page.getByLabel('Text').fill('secret');
  await cells('/etc/passwd').waitFor({ state: 'detached' });
  await cells('../../secret').waitFor();
  // What comes later is filtered, too.
  await served.tool(sandbox, 'read_file', { path: '/root/secret' });
  await served.tool(sandbox, 'read_file', { path: 'notes.md' });
  await cells('/root/secret').waitFor();
  assert.equal(await cells('notes.md').count(), 0);
  await visitor.page.reload();
  await cells('/root/secret').waitFor();
  await visitor.shoot('audit-filtered');
});

test('a record opens to all it holds', async () => {
  await cells('/root/secret').getByRole('button').click();
  await visitor.page.getByText('"violation": "absolute"').waitFor();
});

test('a log that somebody changed is found out', async () => {
  const log = `${served.state}/audit.jsonl`;
  const text = readFileSync(log, 'utf8');
  writeFileSync(log, text.replace('/etc/passwd', '/etc/passwe'));
  // All of it is looked at again after half a minute.
  await visitor.go('audit');
  const chain = visitor.page.getByRole('region', { name: 'Chain check' });
  await chain.getByText('changed', { exact: true }).waitFor({ timeout: 60000 });
  await visitor.checkAccess('damage');
  await visitor.shoot('audit-damaged');
  writeFileSync(log, text);
});
