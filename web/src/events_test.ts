import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from './events.ts';

const text = ':\n\nid: 7\nevent: record\ndata: {"seq": 7}\n\nevent: settled\ndata: {}\n\n';

test('events are the same wherever the pieces were cut', () => {
  const whole = new EventParser().take(text);
  assert.deepEqual(whole, [
    { name: 'record', data: '{"seq": 7}', id: '7' },
    { name: 'settled', data: '{}', id: '' },
  ]);
  for (let cut = 1; cut < text.length; ++cut) {
    const parser = new EventParser();
    assert.deepEqual([...parser.take(text.slice(0, cut)), ...parser.take(text.slice(cut))], whole);
  }
});

test('an event that has not ended is not given', () => {
  const parser = new EventParser();
  assert.deepEqual(parser.take('event: asked\ndata: {"a"'), []);
  assert.deepEqual(parser.take(': 1}\n\n'), [{ name: 'asked', data: '{"a": 1}', id: '' }]);
});
