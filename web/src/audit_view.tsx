import { useEffect, useState } from 'preact/hooks';
import type { AuditRecord } from './api.ts';
import {
  addressOf,
  apiQuery,
  type AuditFilter,
  matches,
  merge,
  readFilter,
} from './audit_filter.ts';
import { ChainCheck } from './chain_check.tsx';
import { follow, type StreamState } from './events.ts';
import { clock, count, dateTime, shortId } from './format.ts';
import { useLive } from './live.ts';
import { Badge, Empty, Notice, Title, type Tone } from './parts.tsx';
import { get, session } from './session.ts';
import { Timeline } from './timeline.tsx';

const most = 500;
const decisionTones: Record<string, Tone> = { allowed: 'good', asked: 'wait', denied: 'bad' };

// The newest records, then those to come; each connection goes on where the last one ended.
function useRecords(filter: AuditFilter) {
  const [records, setRecords] = useState<AuditRecord[]>();
  const [state, setState] = useState<StreamState>('connecting');
  const [failed, setFailed] = useState<string>();
  const query = apiQuery(filter);
  useEffect(() => {
    let last = 0;
    let stop: (() => void) | undefined;
    const leave = new AbortController();
    const take = (more: AuditRecord[]) => {
      for (const one of more) last = Math.max(last, one.seq);
      setRecords((list) => merge(list ?? [], more, most));
    };
    const begin = async () => {
      const page = await get<{ records: AuditRecord[] }>(
        `/v1/audit?${apiQuery(filter, { last: '200' })}`,
        leave.signal,
      );
      setRecords([]);
      take(page.records);
      stop = follow({
        path: () => `/v1/audit/stream?${apiQuery(filter, { after: String(last) })}`,
        event: (event) => take([JSON.parse(event.data) as AuditRecord]),
        state: setState,
      });
    };
    setFailed(undefined);
    begin().catch((error: Error) => {
      if (!leave.signal.aborted) setFailed(error.message);
    });
    return () => {
      leave.abort();
      stop?.();
    };
  }, [query]);
  return { records, state, failed };
}

function Filters({ filter }: { filter: AuditFilter }) {
  const now = useLive(session);
  const admin = now.state === 'in' && now.info.scopes.includes('admin');
  const set = (change: Partial<AuditFilter>) => {
    location.replace(addressOf({ ...filter, ...change }));
  };
  return (
    <form class="filters" role="search" aria-label="Records" onSubmit={(event) => event.preventDefault()}>
      <label>
        Decision
        <select value={filter.decision} onChange={(event) => set({ decision: event.currentTarget.value })}>
          <option value="">any</option>
          <option value="allowed">allowed</option>
          <option value="asked">asked</option>
          <option value="denied">denied</option>
        </select>
      </label>
      <label>
        Event
        <input
          value={filter.event}
          placeholder="file.write"
          onChange={(event) => set({ event: event.currentTarget.value.trim() })}
        />
      </label>
      <label>
        Sandbox
        <input
          value={filter.sandbox}
          onChange={(event) => set({ sandbox: event.currentTarget.value.trim() })}
        />
      </label>
      <label>
        Conversation
        <input
          value={filter.conversation}
          onChange={(event) => set({ conversation: event.currentTarget.value.trim() })}
        />
      </label>
      <label>
        Text
        <input
          type="search"
          value={filter.text}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
      </label>
      {admin && (
        <label class="check">
          <input
            type="checkbox"
            checked={filter.all}
            onChange={(event) => set({ all: event.currentTarget.checked })}
          />
          Everybody’s
        </label>
      )}
    </form>
  );
}

function Row({ one, open, toggle }: { one: AuditRecord; open: boolean; toggle: () => void }) {
  const about = one.event === 'command.exec' ? one.target : (one.path?.asked ?? one.target);
  return (
    <>
      <tr>
        <td class="number" data-label="Record">
          <button class="row-button" type="button" aria-expanded={open} onClick={toggle}>
            {one.seq}
          </button>
        </td>
        <td data-label="Time">
          <time dateTime={one.time} title={dateTime(one.time)}>
            {clock(one.time)}
          </time>
        </td>
        <td data-label="Event">
          <span>
            {one.event}
            {one.phase && <span class="dim"> {one.phase}</span>}
          </span>
        </td>
        <td data-label="Decision">
          {one.decision && (
            <Badge tone={decisionTones[one.decision] ?? 'neutral'}>{one.decision}</Badge>
          )}
        </td>
        <td class="wrap" data-label="What">
          {(one.tool || about || one.rule || one.error) && (
            <span>
              {one.tool && <span class="dim">{one.tool} </span>}
              <code>{about}</code>
              {(one.rule || one.error) && (
                <span class="sub">{[one.rule, one.error].filter(Boolean).join(', ')}</span>
              )}
            </span>
          )}
        </td>
        <td data-label="Sandbox">
          {one.sandbox && (
            <a href={`#/sandboxes/${one.sandbox}`}>
              <code>{shortId(one.sandbox)}</code>
            </a>
          )}
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={6}>
            <pre class="log">{JSON.stringify(one, null, 2)}</pre>
          </td>
        </tr>
      )}
    </>
  );
}

export function AuditView({ filter: query }: { filter: URLSearchParams }) {
  const filter = readFilter(query);
  const { records, state, failed } = useRecords(filter);
  const [open, setOpen] = useState<number>();
  const shown = (records ?? []).filter((one) => matches(one, filter.text));
  return (
    <>
      <Title
        side={
          <Badge tone={state === 'live' ? 'good' : 'wait'}>
            {state === 'live' ? 'following' : 'connecting…'}
          </Badge>
        }
      >
        Audit log
      </Title>
      <div class="audit-top">
        <Timeline filter={filter} />
        <ChainCheck />
      </div>
      <Filters filter={filter} />
      {failed && <Notice tone="bad">{failed}</Notice>}
      {records && shown.length === 0 && <Empty title="No record fits" />}
      {shown.length > 0 && (
        <table class="table records stacked">
          <caption class="sr-only">{count(shown.length, 'record')}, the newest first</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                Record
              </th>
              <th scope="col">Time</th>
              <th scope="col">Event</th>
              <th scope="col">Decision</th>
              <th scope="col">What</th>
              <th scope="col">Sandbox</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row
                key={one.seq}
                one={one}
                open={open === one.seq}
                toggle={() => setOpen(open === one.seq ? undefined : one.seq)}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
