import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import type { Conversation, Sandbox } from './api.ts';
import { shortId } from './format.ts';
import { Isolation } from './isolation.tsx';
import { Ago, Empty, Notice, Title, usePolling } from './parts.tsx';
import { get, post } from './session.ts';
import { StateBadge } from './state_badge.tsx';

interface Listed {
  sandboxes: Sandbox[];
  titles: Map<string, string>;
}

const alive = (one: Sandbox) => !['terminated', 'failed'].includes(one.status.state);

async function load(signal: AbortSignal): Promise<Listed> {
  const [page, talks] = await Promise.all([
    get<{ sandboxes: Sandbox[] }>('/v1/sandboxes?limit=1000', signal),
    get<{ conversations: Conversation[] }>('/v1/conversations?limit=1000', signal),
  ]);
  const newest = page.sandboxes.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  return {
    sandboxes: [...newest.filter(alive), ...newest.filter((one) => !alive(one))],
    titles: new Map(talks.conversations.map((one) => [one.id, one.title])),
  };
}

function Row({ one, title }: { one: Sandbox; title: string | undefined }) {
  return (
    <tr class={alive(one) ? '' : 'dim'}>
      <th scope="row" data-label="Sandbox">
        <a href={`#/sandboxes/${one.id}`}>
          <code>{shortId(one.id)}</code>
        </a>
        {title && <span class="sub">{title}</span>}
      </th>
      <td data-label="Status">
        <StateBadge state={one.status.state} />
        {one.status.message && <span class="sub">{one.status.message}</span>}
      </td>
      <td data-label="Isolation">
        <Isolation sandbox={one} />
      </td>
      <td data-label="Network">{one.network || 'none'}</td>
      <td data-label="Created">
        <Ago time={one.createdAt} />
      </td>
      <td data-label="Last active">
        <Ago time={one.lastActiveAt} />
      </td>
    </tr>
  );
}

export function SandboxesView() {
  const [listed, setListed] = useState<Listed>();
  const [failed, setFailed] = useState<string>();
  const [ended, setEnded] = useState(false);
  const [making, setMaking] = useState(false);
  usePolling(
    async (signal) => {
      try {
        setListed(await load(signal));
        setFailed(undefined);
      } catch (error) {
        if (!signal.aborted) setFailed((error as Error).message);
        throw error;
      }
    },
    3000,
    [],
  );

  const make = async () => {
    setMaking(true);
    try {
      const talk = await post<Conversation>('/v1/conversations', { title: 'From the dashboard' });
      announce('The sandbox is ready', 'good');
      if (talk.sandboxId) location.hash = `#/sandboxes/${talk.sandboxId}`;
    } catch (error) {
      announce((error as Error).message, 'bad');
    }
    setMaking(false);
  };

  const shown = listed?.sandboxes.filter((one) => ended || alive(one)) ?? [];
  return (
    <>
      <Title
        side={
          <>
            <label class="check">
              <input
                type="checkbox"
                checked={ended}
                onChange={(event) => setEnded(event.currentTarget.checked)}
              />
              Show ended
            </label>
            <button class="button" type="button" onClick={make} disabled={making}>
              {making ? 'Making one…' : 'New sandbox'}
            </button>
          </>
        }
      >
        Sandboxes
      </Title>
      {failed && <Notice tone="bad">{failed}</Notice>}
      {listed && shown.length === 0 && (
        <Empty title="No sandbox is running">
          Each conversation gets one of its own; agents make them over the API.
        </Empty>
      )}
      {shown.length > 0 && (
        <table class="table stacked">
          <caption class="sr-only">Sandboxes, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Sandbox</th>
              <th scope="col">Status</th>
              <th scope="col">Isolation</th>
              <th scope="col">Network</th>
              <th scope="col">Created</th>
              <th scope="col">Last active</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row
                key={one.id}
                one={one}
                title={one.conversationId && listed?.titles.get(one.conversationId)}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
