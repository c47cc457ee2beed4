import { type DiffLine, looksLikeDiff, parseDiff } from './diff.ts';

const signs: Partial<Record<DiffLine['kind'], string>> = { added: '+', removed: '−' };
const spoken: Partial<Record<DiffLine['kind'], string>> = { added: 'added: ', removed: 'removed: ' };
const most = 2000; // lines; more is told, not shown

function Line({ line }: { line: DiffLine }) {
  if (line.kind === 'hunk' || line.kind === 'file' || line.kind === 'note') {
    return (
      <tr class={line.kind}>
        <td colSpan={4}>{line.text}</td>
      </tr>
    );
  }
  return (
    <tr class={line.kind}>
      <td class="no">{line.before ?? ''}</td>
      <td class="no">{line.after ?? ''}</td>
      <td class="sign" aria-hidden="true">
        {signs[line.kind] ?? ' '}
      </td>
      <td>
        {spoken[line.kind] && <span class="sr-only">{spoken[line.kind]}</span>}
        {line.text}
      </td>
    </tr>
  );
}

export function DiffView({ text, label }: { text: string; label: string }) {
  if (!looksLikeDiff(text)) {
    return (
      <pre class="command" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    );
  }
  const lines = parseDiff(text);
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={label}>
      <table>
        <tbody>
          {lines.slice(0, most).map((line, index) => (
            <Line key={index} line={line} />
          ))}
        </tbody>
      </table>
      {lines.length > most && <p class="hint">{lines.length - most} more lines are not shown.</p>}
    </div>
  );
}
