// How one gets in, and what does not get in.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser;
before(async () => {
  served = await new Served().start();
  browser = await openBrowser();
});
after(async () => {
  await endAll({ browser, served });
});

// Of a page that is signed in: the two halves of its secret.
async function halves(visitor) {
  const key = await visitor.page.evaluate(() => localStorage.getItem('cordon.key'));
  const cookies = await visitor.context.cookies(`${served.url}/v1/session`);
  return { key, cookie: cookies.find((one) => one.name === `cordon_${key.split('.')[0]}`) };
}

// Not fetch, which keeps Origin and Cookie to itself.
function status(path, headers) {
  return new Promise((done, failed) => {
    http
      .get(served.url + path, { headers }, (answer) => (answer.resume(), done(answer.statusCode)))
      .on('upgrade', (answer, socket) => (socket.destroy(), done(answer.statusCode)))
      .on('error', failed);
  });
}

test('the link of the start signs in once', async () => {
  const first = await Visitor.come(browser, served);
  await first.page.goto(served.link);
  await first.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  assert.ok(!first.page.url().includes('code='), 'the code stays in the address');
  const second = await Visitor.come(browser, served, { expected: /401/ });
  await second.page.goto(served.link);
  await second.page.getByText('This link was used before or is too old').waitFor();
  await second.shoot('sign-in-refused');
  await second.leave();
  // It is known again when the page is loaded again, and in another tab.
  await first.page.reload();
  await first.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  const tab = await first.context.newPage();
  await tab.goto(served.url);
  await tab.getByRole('heading', { name: 'Approvals' }).waitFor();
  await first.leave();
});

test('a token signs in, a wrong one does not, and signing out ends the session', async () => {
  const visitor = await Visitor.come(browser, served, { expected: /401/ });
  await visitor.page.goto(served.url);
  await visitor.page.getByLabel('API token').fill('cordon_0123456789');
  await visitor.page.getByRole('button', { name: 'Sign in' }).click();
  await visitor.page.getByText('This token opens nothing here.').waitFor();
  await visitor.page.getByLabel('API token').fill(served.token);
  await visitor.page.getByRole('button', { name: 'Sign in' }).click();
  await visitor.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  const { key, cookie } = await halves(visitor);
  await visitor.page.getByRole('button', { name: 'Sign out' }).click();
  await visitor.page.getByLabel('API token').waitFor();
  assert.equal(await visitor.page.evaluate(() => localStorage.getItem('cordon.key')), null);
  const sent = { 'Cordon-Key': key, Cookie: `${cookie.name}=${cookie.value}` };
  assert.equal(await status('/v1/session', sent), 401);
  await visitor.leave();
});

test('one half of a session opens nothing, nor do both from another site', async () => {
  const visitor = await Visitor.come(browser, served);
  await visitor.signIn();
  const { key, cookie } = await halves(visitor);
  assert.deepEqual(
    [cookie.httpOnly, cookie.sameSite, cookie.path],
    [true, 'Strict', '/v1'],
  );
  const Cookie = `${cookie.name}=${cookie.value}`;
  const both = { 'Cordon-Key': key, Cookie };
  assert.equal(await status('/v1/session', both), 200);
  assert.equal(await status('/v1/session', { ...both, Origin: served.url }), 200);
  assert.equal(await status('/v1/session', { Cookie }), 401);
  assert.equal(await status('/v1/session', { 'Cordon-Key': key }), 401);
  assert.equal(await status('/v1/session', { ...both, Cookie: `${Cookie}; ${Cookie}x` }), 401);
  assert.equal(await status('/v1/session', { ...both, Origin: 'http://localhost:30001' }), 401);
  assert.equal(await status('/v1/session', { ...both, 'Sec-Fetch-Site': 'same-site' }), 401);
  await visitor.leave();
});

test('a terminal is given to our own page alone', async () => {
  const id = await served.sandbox('terminal');
  const visitor = await Visitor.come(browser, served);
  await visitor.signIn();
  const { key, cookie } = await halves(visitor);
  const made = await served.ask('POST', `/v1/sandboxes/${id}/terminals`, { command: 'cat' });
  const path = `/v1/sandboxes/${id}/terminals/${made.id}/ws`;
  const upgrade = (more) =>
    status(path, {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Protocol': `cordon.terminal.v1, cordon.key.${key}`,
      Cookie: `${cookie.name}=${cookie.value}`,
      ...more,
    });
  assert.equal(await upgrade({ Origin: served.url }), 101);
  assert.equal(await upgrade({ Origin: 'http://evil.example' }), 401);
  assert.equal(await upgrade({}), 401);
  assert.equal(await upgrade({ Origin: served.url, 'Sec-WebSocket-Protocol': 'cordon.terminal.v1' }), 401);
  await visitor.leave();
});

test('a session ends with the token it was opened with', async () => {
  const token = await served.ask('POST', '/v1/tokens', { scopes: ['approvals'] });
  const opened = await fetch(`${served.url}/v1/session`, {
    method: 'POST',
    body: JSON.stringify({ token: token.secret }),
  });
  assert.equal(opened.status, 201);
  const { key, scopes } = await opened.json();
  assert.deepEqual(scopes, ['approvals']);
  const sent = { 'Cordon-Key': key, Cookie: opened.headers.get('set-cookie').split(';')[0] };
  assert.equal(await status('/v1/session', sent), 200);
  assert.equal(await status('/v1/audit', sent), 403);
  await served.ask('DELETE', `/v1/tokens/${token.id}`);
  assert.equal(await status('/v1/session', sent), 401);
});

test('strangers cannot send much', async () => {
  const long = await fetch(`${served.url}/v1/session`, { method: 'POST', body: 'x'.repeat(5000) });
  assert.equal(long.status, 413);
});

test('the page is guarded, compressed and kept', async () => {
  const page = await fetch(served.url);
  const policy = page.headers.get('content-security-policy');
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), part);
  }
  assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const script = /src="(\/assets\/main-[^"]+)"/.exec(await page.text())[1];
  const asset = await fetch(served.url + script);
  assert.match(asset.headers.get('cache-control'), /immutable/);
  assert.equal(asset.headers.get('content-encoding'), 'gzip');
  const etag = asset.headers.get('etag');
  assert.equal(await status(script, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip' }), 304);
  assert.equal((await fetch(`${served.url}/assets/none.js`)).status, 404);
});
