import { useState } from 'preact/hooks';
import { Notice, usePolling } from './parts.tsx';
import { get } from './session.ts';

export function Logs({ id }: { id: string }) {
  const [lines, setLines] = useState<string>();
  const [failed, setFailed] = useState<string>();
  usePolling(
    async (signal) => {
      try {
        setLines((await get<{ lines: string }>(`/v1/sandboxes/${id}/logs`, signal)).lines);
        setFailed(undefined);
      } catch (error) {
        if (!signal.aborted) setFailed((error as Error).message);
      }
    },
    2000,
    [id],
  );
  return (
    <section class="card" aria-labelledby="log">
      <h2 id="log">Last lines of its log</h2>
      {failed && <Notice tone="bad">{failed}</Notice>}
      <pre class="log" tabIndex={0} aria-labelledby="log">
        {lines === undefined ? 'Loading…' : lines || 'Nothing was logged yet.'}
      </pre>
    </section>
  );
}
