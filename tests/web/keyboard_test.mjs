// Everything without a mouse.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { endAll, openBrowser, Visitor } from './browsing.mjs';
import { Served } from './served.mjs';

let served, browser, sandbox, visitor;
before(async () => {
  served = await new Served(['--ask', 'shell']).start();
  browser = await openBrowser();
  sandbox = await served.sandbox('by keys');
  visitor = await Visitor.come(browser, served);
});
after(async () => {
  await endAll({ visitor, browser, served });
});

// What has the focus is asked once, name and outline together: a view that arrives may move it.
const focus = () =>
  visitor.page.evaluate(() => {
    const one = document.activeElement;
    return {
      name: (one?.getAttribute('aria-label') ?? one?.textContent ?? '').trim(),
      outline: one ? getComputedStyle(one).outlineStyle : 'none',
    };
  });
const focused = async () => (await focus()).name;

// Presses Tab until what has the focus is called so; it must be seen to have it.
async function tabTo(name, key = 'Tab', most = 60) {
  for (let presses = 0; presses < most; ++presses) {
    await visitor.page.keyboard.press(key);
    const now = await focus();
    if (typeof name === 'string' ? now.name === name : name.test(now.name)) {
      assert.notEqual(now.outline, 'none', `${name} has no visible focus`);
      return;
    }
  }
  assert.fail(`${name} is not reached by Tab; the last was ${await focused()}`);
}

test('sign in', async () => {
  await visitor.page.goto(served.url);
  await visitor.page.getByLabel('API token').waitFor();
  await visitor.page.keyboard.type(served.token);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  assert.equal(await focused(), 'Approvals');
});

test('answer a question, and the focus goes on', async () => {
  const first = served.tool(sandbox, 'bash', { command: 'echo one' });
  await visitor.page.getByRole('article').waitFor();
  await tabTo('Allow once');
  await visitor.page.keyboard.press('Enter');
  assert.equal((await first).success, true);
  await visitor.page.getByRole('article').waitFor({ state: 'detached' });
  await visitor.page.waitForFunction(() => document.activeElement?.tagName === 'H1');
});

test('the content is reached past the bar', async () => {
  await visitor.page.reload();
  await visitor.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  await visitor.page.evaluate(() => document.activeElement?.blur());
  await visitor.page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to content');
  await visitor.page.keyboard.press('Enter');
  assert.equal(await visitor.page.evaluate(() => document.activeElement?.tagName), 'MAIN');
});

test('go to a sandbox, into its terminal and out again', async () => {
  await visitor.page.reload();
  await visitor.page.getByRole('heading', { name: 'Approvals' }).waitFor();
  await tabTo('Sandboxes');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('by keys').waitFor();
  await tabTo(sandbox.slice(0, 8));
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByRole('link', { name: 'Terminal' }).waitFor();
  await tabTo('Terminal');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('connected').waitFor();
  await visitor.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await visitor.page.keyboard.type('echo k$((1+1))\n');
  await visitor.page.locator('.xterm-rows').getByText('k2', { exact: true }).waitFor();
  await visitor.page.keyboard.press('Shift+Escape');
  assert.equal(await focused(), 'New shell');
});

test('filter the audit log and open a record', async () => {
  await served.tool(sandbox, 'read_file', { path: '/etc/shadow' });
  await tabTo('Audit', 'Shift+Tab');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('/etc/shadow').first().waitFor();
  await tabTo(/^anyallowedaskeddenied/);
  await visitor.page.keyboard.press('d');
  await visitor.page.waitForURL(/decision=denied/);
  await tabTo(/^\d+$/);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText('"error": "PATH_OUTSIDE_PROJECT"').waitFor();
});
