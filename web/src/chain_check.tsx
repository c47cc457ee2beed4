// Whether the log is as it was written.
import { useState } from 'preact/hooks';
import type { ChainCheck as ChainObject } from './api.ts';
import { count, dateTime } from './format.ts';
import { Badge, Notice, usePolling } from './parts.tsx';
import { get } from './session.ts';

export function ChainCheck() {
  const [result, setResult] = useState<ChainObject>();
  const [failed, setFailed] = useState<string>();
  const [round, setRound] = useState(0);
  usePolling(
    async (signal) => {
      try {
        setResult(await get<ChainObject>('/v1/audit/verification', signal));
        setFailed(undefined);
      } catch (error) {
        if (!signal.aborted) setFailed((error as Error).message);
      }
    },
    15000,
    [round],
  );
  return (
    <section class="card" aria-labelledby="chain">
      <h2 id="chain">Chain check</h2>
      <div class="card-body">
        {failed && <Notice tone="bad">{failed}</Notice>}
        {!result && !failed && <p role="status">Checking…</p>}
        {result && (
          <>
            <p class="chain">
              <Badge tone={result.intact ? 'good' : 'bad'}>
                {result.intact ? 'intact' : (result.damage?.kind ?? 'damaged')}
              </Badge>
              <span>{count(result.records, 'record')}</span>
              <button
                class="button button-small"
                type="button"
                onClick={() => setRound(round + 1)}
              >
                Check again
              </button>
            </p>
            {result.damage && (
              <Notice tone="bad">
                {result.damage.detail} ({result.damage.file}
                {result.damage.line > 0 && `, line ${result.damage.line}`}, record{' '}
                {result.damage.seq})
              </Notice>
            )}
            <dl class="facts">
              <dt>Last record</dt>
              <dd>{result.last}</dd>
              <dt>Its hash</dt>
              <dd>
                <code>{result.head.slice(0, 32)}…</code>
              </dd>
              <dt>Checked</dt>
              <dd>{dateTime(result.checkedAt)}</dd>
            </dl>
            {result.notes.map((note) => (
              <p key={note} class="sub">
                {note}
              </p>
            ))}
          </>
        )}
      </div>
    </section>
  );
}
