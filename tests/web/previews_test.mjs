// What servers inside show, beside the facts of their sandbox.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  served = await new Served().start();
  browser = await openBrowser();
  sandbox = await served.sandbox('Shop');
  visitor = await Visitor.come(browser, served, { previews: true });
  await visitor.signIn();
});
after(async () => {
  await endAll({ visitor, browser, served });
});

const ports = () => visitor.page.getByRole('region', { name: 'Ports' });
const page = (title) =>
  `<!doctype html><title>${title}</title><style>body{font:16px sans-serif;margin:2em}</style>` +
  `<h1>${title}</h1><script>document.body.append('and its script runs')</script>`;

// As anybody else: no cookie, no token.
async function seenByAnybody(url) {
  const context = await browser.newContext();
  try {
    const tab = await context.newPage();
    const answer = await tab.goto(url);
    return { status: answer.status(), text: await tab.textContent('body') };
  } finally {
    await context.close();
  }
}

test('each port has an address, and is private', async () => {
  await served.tool(sandbox, 'write_file', { path: 'shop/index.html', content: page('The shop') });
  await served.tool(sandbox, 'write_file', { path: 'admin/index.html', content: page('Its office') });
  await served.exec(
    sandbox,
    '(python3 -m http.server 5173 -d shop >/dev/null 2>&1 &); (python3 -m http.server 8080 -d admin >/dev/null 2>&1 &); sleep 0.5',
  );
  await visitor.go(`sandboxes/${sandbox}`);
  await ports().getByText('private', { exact: true }).waitFor();
  const { ports: listed } = await served.ask('GET', `/v1/sandboxes/${sandbox}/ports`);
  assert.deepEqual(listed.map((one) => one.port).sort(), [5173, 8080]);
  for (const one of listed) {
    await ports().getByText(one.url, { exact: true }).waitFor();
    assert.equal((await seenByAnybody(one.url)).status, 404);
  }
});

test('it is shown in a frame, though it is private', async () => {
  for (const [port, title] of [[5173, 'The shop'], [8080, 'Its office']]) {
    await ports().getByRole('button', { name: `Show here, port ${port}` }).click();
    const frame = visitor.page.frameLocator(`iframe[title="Preview of port ${port}"]`);
    await frame.getByRole('heading', { name: title }).waitFor();
    await frame.getByText('and its script runs').waitFor();
  }
  assert.equal(await visitor.page.locator('iframe').count(), 1);
  await visitor.checkAccess('a preview');
  // What a frame shows is drawn only where somebody would see it.
  await visitor.page.setViewportSize({ width: 1280, height: 1700 });
  await visitor.page.locator('iframe').scrollIntoViewIfNeeded();
  await visitor.shoot('sandbox-preview');
  await visitor.page.setViewportSize({ width: 1280, height: 860 });
  await ports().getByRole('button', { name: 'Hide, port 8080' }).click();
  await visitor.page.locator('iframe').waitFor({ state: 'detached' });
});

test('a page in the frame cannot lead the dashboard elsewhere', async () => {
  const content = page('Bad') + '<script>try { top.location = "https://example.org/" } catch { document.title = "held" }</script>';
  await served.tool(sandbox, 'write_file', { path: 'shop/index.html', content });
  visitor.expected = /Unsafe attempt to initiate navigation|sandboxed/;
  await ports().getByRole('button', { name: 'Show here, port 5173' }).click();
  await visitor.page.frameLocator('iframe').getByRole('heading', { name: 'Bad' }).waitFor();
  await visitor.page.waitForTimeout(500);
  assert.ok(visitor.page.url().startsWith(served.url));
  await ports().getByRole('button', { name: 'Hide, port 5173' }).click();
  visitor.expected = undefined;
});

test('a signed link opens it for whoever has the link', async () => {
  await ports().getByRole('button', { name: 'Signed link, port 8080' }).click();
  const field = ports().getByRole('textbox', { name: 'Signed link to port 8080' });
  const link = await field.inputValue();
  assert.match(link, /\/\.cordon\/enter\?/);
  await ports().getByText(/opens until \d\d:\d\d:\d\d/).waitFor();
  await visitor.checkAccess('a signed link');
  await visitor.shoot('sandbox-signed-link');
  const seen = await seenByAnybody(link);
  assert.equal(seen.status, 200);
  assert.match(seen.text, /Its office/);
});

test('it opens in a tab of its own', async () => {
  const opened = visitor.context.waitForEvent('page');
  await ports().getByRole('button', { name: 'Open in a tab, port 8080' }).click();
  const tab = await opened;
  await tab.getByRole('heading', { name: 'Its office' }).waitFor();
  assert.equal(await tab.evaluate(() => window.opener), null);
  await tab.close();
});

test('it is made public, once that is confirmed, and private again', async () => {
  const { ports: listed } = await served.ask('GET', `/v1/sandboxes/${sandbox}/ports`);
  const { url } = listed.find((one) => one.port === 8080);
  await ports().getByRole('button', { name: 'Make public…' }).click();
  assert.equal((await seenByAnybody(url)).status, 404);
  await ports().getByRole('button', { name: 'Show all ports to everybody' }).click();
  await ports().getByText('public', { exact: true }).waitFor();
  await ports().getByRole('link', { name: url }).waitFor();
  await visitor.checkAccess('a public preview');
  await visitor.shoot('sandbox-public');
  assert.match((await seenByAnybody(url)).text, /Its office/);
  await ports().getByRole('button', { name: 'Make private' }).click();
  await ports().getByText('private', { exact: true }).waitFor();
  assert.equal((await seenByAnybody(url)).status, 404);
});

test('all of it is in the audit log', async () => {
  await visitor.go(`audit?sandbox=${sandbox}&text=preview.`);
  await visitor.page.getByRole('cell', { name: 'public' }).first().waitFor();
  await visitor.page.getByRole('cell', { name: /port 8080 until/ }).first().waitFor();
  await visitor.shoot('audit-previews');
});
