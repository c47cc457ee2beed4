// What agents changed in a sandbox's files, and the way back.
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { ApiError, type Change, type ChangeDetail } from './api.ts';
import { DiffView } from './diff_view.tsx';
import { actorName, clock, dateTime } from './format.ts';
import { useLive } from './live.ts';
import { Badge, Empty, Notice, usePolling } from './parts.tsx';
import { get, post, session } from './session.ts';

export function summary(one: Change): string {
  const more = (one.changes ?? 1) > 1 ? ` and ${(one.changes ?? 1) - 1} more` : '';
  const to = one.to ? ` → ${one.to}` : '';
  return `${one.path ?? ''}${to}${more}`;
}

function State({ one }: { one: Change }) {
  if (one.undoneBy) return <Badge>undone by #{one.undoneBy}</Badge>;
  if (one.undoes) return <Badge tone="wait">undo of #{one.undoes}</Badge>;
  if (one.notUndoable) return <Badge tone="bad">cannot be undone</Badge>;
  return null;
}

function Entry({ one, chosen, choose }: { one: Change; chosen: boolean; choose: () => void }) {
  return (
    <li>
      <button type="button" aria-pressed={chosen} onClick={choose}>
        <code>{summary(one)}</code> <State one={one} />
        <span class="sub">
          #{one.operation} {one.kind} by {one.tool || 'a request'}, {clock(one.time)}
        </span>
      </button>
    </li>
  );
}

function Detail({ id, operation, done }: { id: string; operation: number; done: () => void }) {
  const [detail, setDetail] = useState<ChangeDetail>();
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const now = useLive(session);
  const userId = now.state === 'in' ? now.info.userId : '';
  const heading = useRef<HTMLHeadingElement>(null);
  const at = `/v1/sandboxes/${id}/changes/${operation}`;

  const load = () =>
    get<ChangeDetail>(at).then(
      (next) => {
        setDetail(next);
        setFailed(undefined);
      },
      (error: Error) => setFailed(error.message),
    );
  useEffect(() => void load(), [at]);

  const undo = async () => {
    setBusy(true);
    try {
      await post(`${at}/undo`);
      announce(`Operation ${operation} was undone`, 'good');
      done();
      await load();
      heading.current?.focus();
    } catch (error) {
      const stale = error instanceof ApiError && error.status === 409;
      announce(stale ? `Nothing was undone: ${error.message}` : (error as Error).message, 'bad');
      setFailed((error as Error).message);
    }
    setBusy(false);
  };

  if (!detail) return failed ? <Notice tone="bad">{failed}</Notice> : <p role="status">Loading…</p>;
  const final = Boolean(detail.undoneBy || detail.notUndoable);
  return (
    <section aria-labelledby="change-title" class="change-files">
      <div class="title">
        <h2 id="change-title" ref={heading} tabIndex={-1}>
          #{operation} {detail.kind} <State one={detail} />
        </h2>
        <div class="title-side">
          <span class="dim">
            {actorName(detail.actor, userId)}, {dateTime(detail.time)}
          </span>
          {!final && (
            <button class="button button-main" type="button" disabled={busy} onClick={undo}>
              {busy ? 'Undoing…' : detail.undoes ? 'Undo this undo' : 'Undo'}
            </button>
          )}
        </div>
      </div>
      {failed && <Notice tone="bad">{failed}</Notice>}
      {detail.notUndoable && <Notice tone="wait">{detail.notUndoable}</Notice>}
      {detail.files.map((file, index) => (
        <article key={index} class="card">
          <h2>
            {file.kind} <code>{file.path}</code>
            {file.to && (
              <>
                {' → '}
                <code>{file.to}</code>
              </>
            )}
          </h2>
          <div class="card-body">
            {file.diff && <DiffView text={file.diff} label={`Change of ${file.path}`} />}
            {file.note && <p class="dim">{file.note}</p>}
          </div>
        </article>
      ))}
    </section>
  );
}

export function Changes({ id }: { id: string }) {
  const [list, setList] = useState<Change[]>();
  const [failed, setFailed] = useState<string>();
  const [chosen, setChosen] = useState<number>();
  const load = async (signal?: AbortSignal) => {
    try {
      const page = await get<{ changes: Change[] }>(`/v1/sandboxes/${id}/changes`, signal);
      setList(page.changes);
      setFailed(undefined);
    } catch (error) {
      if (!signal?.aborted) setFailed((error as Error).message);
    }
  };
  usePolling(load, 3000, [id]);
  const shown = chosen ?? list?.[0]?.operation;
  return (
    <>
      {failed && <Notice tone="bad">{failed}</Notice>}
      {list?.length === 0 && (
        <Empty title="No file was changed yet">
          Changes that tools make appear here. What commands do inside is not kept.
        </Empty>
      )}
      {list && list.length > 0 && shown !== undefined && (
        <div class="changes">
          <ul class="change-list" aria-label="Changes, the newest first">
            {list.map((one) => (
              <Entry
                key={one.operation}
                one={one}
                chosen={one.operation === shown}
                choose={() => setChosen(one.operation)}
              />
            ))}
          </ul>
          <Detail key={shown} id={id} operation={shown} done={() => void load()} />
        </div>
      )}
    </>
  );
}
