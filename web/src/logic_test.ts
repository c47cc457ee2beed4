import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRecord } from './api.ts';
import { addressOf, apiQuery, matches, merge, readFilter } from './audit_filter.ts';
import { actorName, bytes, countdown, insidePath, span } from './format.ts';
import { parsePlace } from './router.ts';
import { areaPath, points, roundUp, roundUpCount } from './scale.ts';
import { noUsage, withStats } from './usage.ts';

const id = 'abcdefghijklmnopqrstuvwxyz';

test('places are found by the address', () => {
  assert.deepEqual(parsePlace(''), { view: 'approvals' });
  assert.deepEqual(parsePlace('#/sandboxes'), { view: 'sandboxes' });
  assert.deepEqual(parsePlace(`#/sandboxes/${id}`), { view: 'sandbox', id, tab: 'overview' });
  assert.deepEqual(parsePlace(`#/sandboxes/${id}/logs`), { view: 'sandbox', id, tab: 'logs' });
  assert.deepEqual(parsePlace(`#/sandboxes/${id}/none`), { view: 'sandbox', id, tab: 'overview' });
  assert.deepEqual(parsePlace('#/sandboxes/../x'), { view: 'sandboxes' });
});

test('a filter goes into the address and comes back', () => {
  const filter = { ...readFilter(new URLSearchParams()), decision: 'denied', text: 'a&b', all: true };
  const place = parsePlace(addressOf(filter));
  assert.equal(place.view, 'audit');
  assert.deepEqual(place.view === 'audit' && readFilter(place.filter), filter);
  assert.equal(apiQuery(filter, { last: '5' }), 'last=5&decision=denied&all=true');
});

const record = (seq: number, more: Partial<AuditRecord> = {}): AuditRecord => ({
  seq,
  time: '',
  event: 'file.read',
  ...more,
});

test('records are kept once, the newest first, and not without end', () => {
  const list = merge([record(2)], [record(3), record(2), record(1)], 2);
  assert.deepEqual(list.map((one) => one.seq), [3, 2]);
});

test('text is looked for in all that a record says', () => {
  assert.ok(matches(record(1, { path: { asked: '/etc/Passwd' } }), 'passwd'));
  assert.ok(matches(record(1), 'file.'));
  assert.ok(!matches(record(1), 'passwd'));
});

test('numbers as people read them', () => {
  assert.deepEqual([0, 1023, 1536, 20 << 20].map(bytes), ['0 B', '1023 B', '1.5 KiB', '20 MiB']);
  assert.deepEqual([0, 61_000, 7_200_000, 259_200_000].map(span), ['0 s', '1 min', '2 h', '3 d']);
  assert.deepEqual([-5, 1, 299_001].map(countdown), ['0:00', '0:01', '5:00']);
});

test('paths of the host are told as they are inside', () => {
  assert.equal(insidePath('/var/s/abc/workspace/x', 'abc'), '/workspace/x');
  assert.equal(insidePath('/var/s/abc/workspace', 'abc'), '/workspace');
  assert.equal(insidePath('/var/s/abc/workspace2/x', 'abc'), '/var/s/abc/workspace2/x');
  assert.equal(insidePath('/etc/hosts', 'abc'), '/etc/hosts');
});

test('who asks is told by what they call themselves, if it is one of ours', () => {
  assert.equal(actorName('usr_1 (claude-code 2.1)', 'usr_1'), 'claude-code 2.1');
  assert.equal(actorName('usr_1', 'usr_1'), 'A client of the API');
  assert.equal(actorName('usr_2 (usr_1)', 'usr_1'), 'usr_2 (usr_1)');
});

test('axes end at round numbers', () => {
  assert.deepEqual([0, 0.7, 3, 26, 99].map((one) => roundUp(one)), [1, 1, 5, 50, 100]);
  assert.equal(roundUp(31 * 1024 ** 2, true), 50 * 1024 ** 2);
  assert.deepEqual([0, 2, 2.1, 3, 26].map((one) => roundUpCount(one)), [2, 2, 4, 6, 50]);
});

test('points lie in their frame', () => {
  const frame = { width: 100, height: 50, from: 0, to: 10, top: 4 };
  const samples = [-1, 0, 5, 10].map((time) => ({ time, value: time }));
  assert.deepEqual(points(samples, frame), [
    [0, 50],
    [50, 0],
    [100, 0],
  ]);
  assert.equal(areaPath([], 50), '');
});

test('cores follow from two readings', () => {
  const stats = { cpuSeconds: 1, memory: 5, peakMemory: 5, disk: 0, processes: 1, ports: [] };
  let usage = withStats(noUsage(), stats, 1000);
  assert.deepEqual(usage.cpu, []);
  usage = withStats(usage, { ...stats, cpuSeconds: 2 }, 3000);
  assert.deepEqual(usage.cpu, [{ time: 3000, value: 0.5 }]);
  // Started anew: no core has run backwards.
  assert.equal(withStats(usage, { ...stats, cpuSeconds: 0 }, 5000).cpu.length, 1);
});
