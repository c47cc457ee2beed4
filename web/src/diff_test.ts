import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeDiff, parseDiff } from './diff.ts';

test('lines are numbered on both sides', () => {
  const lines = parseDiff('--- a\n+++ a\n@@ -3,3 +3,2 @@\n same\n-old\n-older\n+new\n');
  assert.deepEqual(
    lines.map((one) => [one.kind, one.text, one.before, one.after]),
    [
      ['file', '--- a', undefined, undefined],
      ['file', '+++ a', undefined, undefined],
      ['hunk', '@@ -3,3 +3,2 @@', undefined, undefined],
      ['same', 'same', 3, 3],
      ['removed', 'old', 4, undefined],
      ['removed', 'older', 5, undefined],
      ['added', 'new', undefined, 4],
    ],
  );
});

test('a removed line that looks like a head is a removed line', () => {
  const lines = parseDiff('@@ -1,2 +1 @@\n--- x\n keep\n');
  assert.deepEqual(
    lines.map((one) => [one.kind, one.text]),
    [
      ['hunk', '@@ -1,2 +1 @@'],
      ['removed', '-- x'],
      ['same', 'keep'],
    ],
  );
});

test('what follows the last hunk is a note', () => {
  const lines = parseDiff('@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n');
  assert.equal(lines.at(-1)?.kind, 'note');
});

test('a plain preview is no diff', () => {
  assert.equal(looksLikeDiff('export const a = 1;\n'), false);
  assert.equal(looksLikeDiff('--- a\n+++ b\n@@ -1 +1 @@\n'), true);
});
