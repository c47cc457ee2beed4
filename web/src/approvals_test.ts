import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval } from './api.ts';
import { asked, forgetUnless, settle, settledWords } from './approvals.ts';

const question = (id: string): Approval => ({
  id,
  sandboxId: 's',
  tool: 'bash',
  operation: 'list',
  reason: 'tool',
  path: '/w',
  asked: '.',
  state: '',
  choices: ['deny', 'once'],
  askedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-01T00:05:00Z',
});
const none = { waiting: [], over: [] };

test('a question that is told twice waits once', () => {
  const one = asked(none, question('a'));
  assert.equal(asked(one, question('a')), one);
  assert.equal(asked(one, question('b')).waiting.length, 2);
});

test('what is settled is over, with its outcome', () => {
  const state = settle(asked(none, question('a')), 'a', 'You: denied', 5);
  assert.deepEqual(state.waiting, []);
  assert.equal(state.over[0]?.outcome, 'You: denied');
  assert.equal(settle(state, 'a', 'again', 6), state);
});

test('after a reconnect only what was told again waits', () => {
  const state = asked(asked(none, question('a')), question('b'));
  const left = forgetUnless(state, new Set(['b']), 9);
  assert.deepEqual(left.waiting.map((one) => one.id), ['b']);
  assert.equal(left.over.length, 1);
});

test('the one who lost is not told that it was them', () => {
  const settled = { id: 'a', sandboxId: 's', outcome: 'answered', choice: 'once' } as const;
  assert.equal(settledWords(settled, 'once'), 'You: allowed once');
  assert.equal(settledWords(settled, 'deny'), 'Answered by somebody else: allowed once');
  assert.equal(settledWords(settled, undefined), 'Answered by somebody else: allowed once');
  assert.match(settledWords({ id: 'a', sandboxId: 's', outcome: 'timeout' }, undefined), /denied/);
});
