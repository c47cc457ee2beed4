// What agents changed, as diffs, and the way back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  // Writes ask; who may answer is not asked about an undo of theirs.
  served = await new Served(['--ask', 'delete']).start();
  browser = await openBrowser();
  sandbox = await served.sandbox('changed');
  visitor = await Visitor.come(browser, served, { expected: /409/ });
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
});

const content = async (path) => (await served.raw('GET', `/v1/sandboxes/${sandbox}/files/${path}`)).text();
const entries = () => visitor.page.getByRole('list', { name: 'Changes, the newest first' });

test('nothing was changed yet', async () => {
  await visitor.go(`sandboxes/${sandbox}/changes`);
  await visitor.page.getByText('No file was changed yet').waitFor();
});

test('a change is shown as a diff', async () => {
  const lines = Array.from({ length: 40 }, (_, i) => `export const value${i} = ${i};`);
  await served.tool(sandbox, 'write_file', { path: 'values.ts', content: lines.join('\n') + '\n' });
  lines[20] = 'export const value20 = 42; // the answer';
  lines.splice(30, 2);
  await served.tool(sandbox, 'write_file', { path: 'values.ts', content: lines.join('\n') + '\n' });
  await entries().getByRole('button').nth(1).waitFor();
  const diff = visitor.page.getByRole('region', { name: 'Change of values.ts' });
  await diff.getByText('the answer').waitFor();
  assert.equal(await diff.locator('tr.removed').count(), 3);
  assert.equal(await diff.locator('tr.added').count(), 1);
  await visitor.checkAccess('changes');
  await visitor.shoot('changes');
});

test('it is undone', async () => {
  await visitor.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await visitor.page.getByText(/undone by #/).first().waitFor();
  assert.match(await content('values.ts'), /value20 = 20;/);
  await entries().getByText(/undo of #/).waitFor();
  await visitor.shoot('changes-undone');
});

test('the first change is a new file, and undoing it would remove it, unasked', async () => {
  await served.tool(sandbox, 'write_file', { path: 'fresh.txt', content: 'new\n' });
  await entries().getByRole('button', { name: /fresh.txt/ }).click();
  await visitor.page.getByRole('region', { name: 'Change of fresh.txt' }).getByText('new').waitFor();
  await visitor.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await visitor.page.getByText(/undone by #/).first().waitFor();
  assert.equal((await served.raw('GET', `/v1/sandboxes/${sandbox}/files/fresh.txt`)).status, 404);
});

test('what somebody else changed since stays as it is', async () => {
  await served.tool(sandbox, 'write_file', { path: 'mine.txt', content: 'by the agent\n' });
  await served.exec(sandbox, 'echo by hand > mine.txt');
  await entries().getByRole('button', { name: /mine.txt/ }).click();
  await visitor.page.getByRole('heading', { name: /write/, level: 2 }).first().waitFor();
  await visitor.page.getByRole('button', { name: 'Undo', exact: true }).click();
  await visitor.page.getByText(/this was changed since operation/).first().waitFor();
  assert.equal(await content('mine.txt'), 'by hand\n');
  await visitor.shoot('changes-stale');
});

test('another user sees none of it', async () => {
  const user = await served.ask('POST', '/v1/users', { name: 'other' });
  const token = await served.ask('POST', '/v1/tokens', { userId: user.id, scopes: ['sandboxes:write', 'sandboxes:read'] });
  for (const [method, path] of [
    ['GET', 'changes'],
    ['GET', 'changes/1'],
    ['POST', 'changes/1/undo'],
  ]) {
    const answer = await fetch(`${served.url}/v1/sandboxes/${sandbox}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token.secret}` },
    });
    assert.equal(answer.status, 404, path);
  }
});
