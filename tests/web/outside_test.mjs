// Tools that want to leave the workspace for this machine's files, and the owner who is asked.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor, outside;
before(async () => {
  outside = mkdtempSync('/var/tmp/cordon-outside-');
  mkdirSync(`${outside}/notes/deep`, { recursive: true });
  writeFileSync(`${outside}/notes/a.txt`, 'first note\n');
  writeFileSync(`${outside}/notes/deep/b.txt`, 'second note\n');
  writeFileSync(`${outside}/notes/.env`, 'SECRET=1\n');
  writeFileSync(`${outside}/other.txt`, 'elsewhere\n');
  served = await new Served(['--profile', 'interactive']).start();
  browser = await openBrowser();
  sandbox = await served.sandbox('Sort my notes');
  visitor = await Visitor.come(browser, served);
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
  rmSync(outside, { recursive: true, force: true });
});

const question = (text) => visitor.page.getByRole('article').filter({ hasText: text });
const read = (path, id = sandbox) => served.tool(id, 'read_file', { path });

test('a path outside is asked about, and its directory may be allowed', async () => {
  const called = read(`${outside}/notes/a.txt`);
  const asked = question('notes/a.txt');
  await asked.getByText('The path is outside the workspace.').waitFor();
  const choice = asked.getByRole('button', { name: `Allow directory ${outside}/notes` });
  await choice.waitFor();
  await visitor.checkAccess('a question about a directory');
  await visitor.shoot('approvals-directory');
  await choice.click();
  const result = await called;
  assert.equal(result.success, true, JSON.stringify(result));
  assert.match(result.text, /first note/);
  await visitor.page.getByText('You: allowed for the directory').waitFor();
});

test('what is below it is not asked about again', async () => {
  assert.match((await read(`${outside}/notes/deep/b.txt`)).text, /second note/);
  const written = await served.tool(sandbox, 'write_file', { path: `${outside}/notes/new.txt`, content: 'new\n' });
  assert.equal(written.success, true, JSON.stringify(written));
  assert.equal(readFileSync(`${outside}/notes/new.txt`, 'utf8'), 'new\n');
});

test('what is beside it is, and is denied', async () => {
  const called = read(`${outside}/other.txt`);
  await question('other.txt').getByRole('button', { name: 'Deny' }).click();
  assert.equal((await called).error.code, 'CONSENT_DENIED');
});

test('a way out by a link or by dots is refused, and nobody asked', async () => {
  await served.exec(sandbox, `ln -s ${outside}/other.txt link`);
  for (const path of ['link', '../../../../../other.txt']) {
    assert.equal((await read(path)).error.code, 'PATH_OUTSIDE_PROJECT', path);
  }
  assert.equal((await served.ask('GET', '/v1/approvals')).approvals.length, 0);
});

test('no answer gives away secrets, or what is Cordon’s own', async () => {
  const other = await served.sandbox('other');
  for (const path of [
    `${outside}/notes/.env`,
    `${served.state}/token`,
    `${served.state}/audit.key`,
    `${served.state}/sandboxes/${other}/workspace`,
  ]) {
    const result = await read(path);
    assert.equal(result.success, false, path);
    assert.equal(result.error.code, 'PATH_OUTSIDE_PROJECT', JSON.stringify(result));
  }
  assert.equal((await served.ask('GET', '/v1/approvals')).approvals.length, 0);
});

test('nobody but the server’s owner is asked', async () => {
  const user = await served.ask('POST', '/v1/users', { name: 'guest' });
  const { secret } = await served.ask('POST', '/v1/tokens', {
    userId: user.id,
    scopes: ['sandboxes:read', 'sandboxes:write', 'approvals'],
  });
  const as = async (method, path, body) => {
    const response = await fetch(served.url + path, {
      method,
      headers: { Authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });
    return response.status === 204 ? undefined : response.json();
  };
  const { sandboxId } = await as('POST', '/v1/conversations', { title: 'guest' });
  const result = await as('POST', `/v1/sandboxes/${sandboxId}/tools/read_file`, { path: `${outside}/notes/a.txt` });
  assert.equal(result.error.code, 'PATH_OUTSIDE_PROJECT', JSON.stringify(result));
  await as('DELETE', `/v1/sandboxes/${sandboxId}`);
});

test('a command in the sandbox gets nothing of what tools were allowed', async () => {
  const called = served.tool(sandbox, 'bash', { command: `cat ${outside}/notes/a.txt` });
  await question('cat ').getByRole('button', { name: 'Allow once' }).click();
  const result = await called;
  assert.doesNotMatch(JSON.stringify(result), /first note/);
});
