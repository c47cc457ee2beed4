// Unified diffs, line by line.

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'hunk' | 'file' | 'note';
  text: string;
  before?: number;
  after?: number;
}

const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export const looksLikeDiff = (text: string): boolean => /^@@ -\d/m.test(text);

// Lines are counted out by the hunk's head, so that a removed line "-- x" is no file's head.
export function parseDiff(text: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let leftBefore = 0;
  let leftAfter = 0;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const head = hunk.exec(line);
    if (head && leftBefore <= 0 && leftAfter <= 0) {
      before = Number(head[1]);
      after = Number(head[3]);
      leftBefore = Number(head[2] ?? 1);
      leftAfter = Number(head[4] ?? 1);
      lines.push({ kind: 'hunk', text: line });
    } else if (leftBefore > 0 || leftAfter > 0) {
      const rest = line.slice(1);
      if (line.startsWith('+')) {
        lines.push({ kind: 'added', text: rest, after: after++ });
        leftAfter--;
      } else if (line.startsWith('-')) {
        lines.push({ kind: 'removed', text: rest, before: before++ });
        leftBefore--;
      } else if (line.startsWith('\\')) {
        lines.push({ kind: 'note', text: line.slice(2) });
      } else {
        lines.push({ kind: 'same', text: rest, before: before++, after: after++ });
        leftBefore--;
        leftAfter--;
      }
    } else if (line.startsWith('--- ') || line.startsWith('+++ ')) {
      lines.push({ kind: 'file', text: line });
    } else if (line !== '') {
      lines.push({ kind: 'note', text: line.startsWith('\\') ? line.slice(2) : line });
    }
  }
  return lines;
}
