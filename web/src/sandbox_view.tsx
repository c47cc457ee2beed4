import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { ApiError, type Sandbox } from './api.ts';
import { Changes } from './changes.tsx';
import { bytes, dateTime, shortId } from './format.ts';
import { Isolation } from './isolation.tsx';
import { Logs } from './logs.tsx';
import { Ago, Notice, Title, usePolling } from './parts.tsx';
import { Resources } from './resources.tsx';
import { type SandboxTab, sandboxTabs } from './router.ts';
import { get, post, remove } from './session.ts';
import { StateBadge } from './state_badge.tsx';
import { TerminalTab } from './terminal.tsx';

const tabNames: Record<SandboxTab, string> = {
  overview: 'Overview',
  terminal: 'Terminal',
  logs: 'Logs',
  changes: 'Changes',
};

function limitWords(limits: NonNullable<Sandbox['limits']>): string {
  const words = [
    limits.cpus > 0 && `${limits.cpus} CPUs`,
    limits.memory > 0 && `${bytes(limits.memory)} memory`,
    limits.processes > 0 && `${limits.processes} processes`,
    limits.disk > 0 && `${bytes(limits.disk)} disk (${limits.diskHold})`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(', ') : 'none were set';
}

function Facts({ one }: { one: Sandbox }) {
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">Sandbox</h2>
      <dl class="facts card-body">
        <dt>Id</dt>
        <dd>
          <code>{one.id}</code>
        </dd>
        <dt>Isolation</dt>
        <dd>
          <Isolation sandbox={one} />
          {one.isolation.detail && <span class="sub">{one.isolation.detail}</span>}
        </dd>
        <dt>Driver</dt>
        <dd>
          {one.driver}
          {one.image ? `, image ${one.image}` : ''}
        </dd>
        <dt>Network</dt>
        <dd>{one.network || 'none'}</dd>
        {one.limits && (
          <>
            <dt>Limits</dt>
            <dd>{limitWords(one.limits)}</dd>
          </>
        )}
        {one.conversationId && (
          <>
            <dt>Conversation</dt>
            <dd>
              <code>{one.conversationId}</code>
            </dd>
          </>
        )}
        <dt>Created</dt>
        <dd>
          {dateTime(one.createdAt)} (<Ago time={one.createdAt} />)
        </dd>
        {one.expiresAt && (
          <>
            <dt>Lives until</dt>
            <dd>{dateTime(one.expiresAt)}</dd>
          </>
        )}
        {one.endedAt && (
          <>
            <dt>Ended</dt>
            <dd>
              {dateTime(one.endedAt)}
              {one.status.reason && `, ${one.status.reason}`}
              {one.outOfMemory && ', it ran out of memory'}
            </dd>
          </>
        )}
        <dt>Audit</dt>
        <dd>
          <a href={`#/audit?sandbox=${one.id}`}>Records of this sandbox</a>
        </dd>
      </dl>
    </section>
  );
}

function Actions({ one, changed }: { one: Sandbox; changed: (next: Sandbox) => void }) {
  const [sure, setSure] = useState(false);
  const act = async (what: 'pause' | 'resume') => {
    try {
      changed(await post<Sandbox>(`/v1/sandboxes/${one.id}/${what}`));
    } catch (error) {
      announce((error as Error).message, 'bad');
    }
  };
  const end = async () => {
    try {
      await remove(`/v1/sandboxes/${one.id}`);
      announce('The sandbox was ended');
      location.hash = '#/sandboxes';
    } catch (error) {
      announce((error as Error).message, 'bad');
    }
  };
  const state = one.status.state;
  if (state !== 'ready' && state !== 'paused') return null;
  return (
    <div class="actions">
      <button class="button" type="button" onClick={() => act(state === 'ready' ? 'pause' : 'resume')}>
        {state === 'ready' ? 'Pause' : 'Resume'}
      </button>
      {!sure && (
        <button class="button button-bad" type="button" onClick={() => setSure(true)}>
          End…
        </button>
      )}
      {sure && (
        <>
          <button class="button button-bad" type="button" onClick={end} autoFocus>
            End it and lose its files
          </button>
          <button class="button" type="button" onClick={() => setSure(false)}>
            Keep it
          </button>
        </>
      )}
    </div>
  );
}

function Tab({ one, tab }: { one: Sandbox; tab: SandboxTab }) {
  const ready = one.status.state === 'ready';
  if (tab === 'logs') return <Logs id={one.id} />;
  if (tab === 'overview') {
    return (
      <div class="questions">
        <Facts one={one} />
        {ready && <Resources sandbox={one} />}
        {one.lastLines && (
          <section class="card" aria-labelledby="last">
            <h2 id="last">Last lines</h2>
            <pre class="log">{one.lastLines}</pre>
          </section>
        )}
      </div>
    );
  }
  if (!ready) return <Notice tone="wait">The sandbox is {one.status.state}.</Notice>;
  return tab === 'terminal' ? <TerminalTab id={one.id} /> : <Changes id={one.id} />;
}

export function SandboxView({ id, tab }: { id: string; tab: SandboxTab }) {
  const [one, setOne] = useState<Sandbox>();
  const [failed, setFailed] = useState<string>();
  usePolling(
    async (signal) => {
      try {
        setOne(await get<Sandbox>(`/v1/sandboxes/${id}`, signal));
        setFailed(undefined);
      } catch (error) {
        if (signal.aborted) return;
        const gone = error instanceof ApiError && error.status === 404;
        setFailed(gone ? 'There is no such sandbox.' : (error as Error).message);
      }
    },
    3000,
    [id],
  );
  return (
    <>
      <Title side={one && <Actions one={one} changed={setOne} />}>
        Sandbox <code>{shortId(id)}</code> {one && <StateBadge state={one.status.state} />}
      </Title>
      {failed && <Notice tone="bad">{failed}</Notice>}
      {one && (
        <>
          <nav class="tabs" aria-label="Parts of this sandbox">
            {sandboxTabs.map((name) => (
              <a
                key={name}
                href={`#/sandboxes/${id}/${name}`}
                aria-current={name === tab ? 'page' : undefined}
              >
                {tabNames[name]}
              </a>
            ))}
          </nav>
          <Tab one={one} tab={tab} />
        </>
      )}
    </>
  );
}
