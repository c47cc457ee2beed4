import { useEffect, useRef, useState } from 'preact/hooks';
import type { Approval, Choice, Explanation, Risk } from './api.ts';
import { answer, approvals } from './approvals.ts';
import { DiffView } from './diff_view.tsx';
import { actorName, clock, countdown, insidePath, shortId } from './format.ts';
import { useLive } from './live.ts';
import { session } from './session.ts';
import { Badge, Empty, Title, type Tone, useNow } from './parts.tsx';

const riskTones: Record<Risk, Tone> = { low: 'good', medium: 'wait', high: 'bad' };

const reasons: Record<Approval['reason'], string> = {
  outside: 'The path is outside the workspace.',
  tool: 'This kind of tool asks before it acts.',
  rule: 'A rule asks about this command.',
};

function labels(approval: Approval): Record<Choice, string> {
  return {
    deny: 'Deny',
    once: 'Allow once',
    directory: `Allow directory ${insidePath(approval.directory ?? '', approval.sandboxId)}`,
    tool: `Allow ${approval.trusted ?? 'this tool'} for this session`,
  };
}

function Effects({ explanation }: { explanation: Explanation }) {
  return (
    <ul class="effects" aria-label="What the command would do">
      {explanation.programs.map((one, index) => (
        <li key={`p${index}`}>
          <span class="what">runs</span>
          <code>{one}</code>
        </li>
      ))}
      {explanation.files.map((one, index) => (
        <li key={`f${index}`} class={one.access}>
          <span class="what">{one.access}s</span>
          <span>
            <code>{one.path || '(not named)'}</code>
            {one.extent === 'tree' && ' and everything below'}
            {one.exactness === 'pattern' && ' (a pattern)'}
            {one.exactness === 'unknown' && ' (not known for certain)'}
          </span>
        </li>
      ))}
      {explanation.network.map((one, index) => (
        <li key={`n${index}`} class="network">
          <span class="what">connects</span>
          <code>{one.target || 'to another machine'}</code>
        </li>
      ))}
      {explanation.unknown.map((one, index) => (
        <li key={`u${index}`} class="unknown">
          <span class="what">unclear</span>
          <span>
            {one.text && (
              <>
                <code>{one.text}</code>:{' '}
              </>
            )}
            {one.why}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Command({ approval }: { approval: Approval }) {
  const explanation = approval.explanation;
  return (
    <>
      <pre class="command" tabIndex={0} aria-label="Command">
        {approval.command}
      </pre>
      {explanation && (
        <>
          <div class="analysis">
            {explanation.reasons.length > 0 && (
              <ul class="reasons" aria-label="Why the risk is what it is">
                {explanation.reasons.map((one, index) => (
                  <li key={index}>
                    <Badge tone={riskTones[one.risk]}>{one.risk}</Badge>
                    <span>{one.text}</span>
                  </li>
                ))}
              </ul>
            )}
            <Effects explanation={explanation} />
          </div>
          {explanation.truncated && <p class="hint">There is more, which is not shown.</p>}
        </>
      )}
    </>
  );
}

function Facts({ approval }: { approval: Approval }) {
  const now = useLive(session);
  const user = now.state === 'in' ? now.info.userId : '';
  return (
    <dl class="facts">
      <dt>Asked by</dt>
      <dd>
        {actorName(approval.actor, user)} in sandbox{' '}
        <a href={`#/sandboxes/${approval.sandboxId}`}>
          <code>{shortId(approval.sandboxId)}</code>
        </a>
      </dd>
      <dt>{approval.command ? 'Directory' : 'Path'}</dt>
      <dd>
        <code>{insidePath(approval.path, approval.sandboxId)}</code>
        {approval.state && <span class="sub">{approval.state}</span>}
      </dd>
      {approval.target && (
        <>
          <dt>Moved to</dt>
          <dd>
            <code>{insidePath(approval.target, approval.sandboxId)}</code>
          </dd>
        </>
      )}
      <dt>Why</dt>
      <dd>{reasons[approval.reason]}</dd>
    </dl>
  );
}

function Question({ approval }: { approval: Approval }) {
  const now = useNow();
  const [busy, setBusy] = useState(false);
  const give = async (choice: Choice) => {
    setBusy(true);
    // Answered ones leave the list; what failed may be tried again.
    await answer(approval, choice).catch(() => setBusy(false));
  };
  const left = Date.parse(approval.expiresAt) - now;
  const title = `question-${approval.id}`;
  const words = labels(approval);
  const allowing: Choice[] = ['once', 'directory', 'tool'];
  return (
    <article class="card question" aria-labelledby={title} data-id={approval.id}>
      <header>
        <h2 id={title}>
          {approval.tool}: {approval.command ? 'run a command' : approval.operation}
        </h2>
        {approval.explanation && (
          <Badge tone={riskTones[approval.explanation.risk]}>{approval.explanation.risk} risk</Badge>
        )}
        <span class="deadline">denied in {countdown(left)}</span>
      </header>
      <div class="body">
        <Facts approval={approval} />
        {approval.command ? (
          <Command approval={approval} />
        ) : (
          approval.preview && <DiffView text={approval.preview} label="What would change" />
        )}
      </div>
      <footer>
        <button class="button button-bad" type="button" disabled={busy} onClick={() => give('deny')}>
          {words.deny}
        </button>
        {allowing
          .filter((choice) => approval.choices.includes(choice))
          .map((choice) => (
            <button
              key={choice}
              class={choice === 'once' ? 'button button-main' : 'button'}
              type="button"
              disabled={busy}
              onClick={() => give(choice)}
            >
              {words[choice]}
            </button>
          ))}
      </footer>
    </article>
  );
}

export function ApprovalsView() {
  const { waiting, over } = useLive(approvals);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(waiting.length);
  // The question that had the focus is gone: go on with the next one rather than nowhere.
  useEffect(() => {
    const gone = waiting.length < before.current;
    before.current = waiting.length;
    if (gone && (document.activeElement === document.body || !document.activeElement)) {
      const next = list.current?.querySelector<HTMLElement>('button') ?? null;
      (next ?? document.querySelector<HTMLElement>('h1'))?.focus();
    }
  }, [waiting.length]);
  return (
    <>
      <Title>Approvals</Title>
      {waiting.length === 0 && (
        <Empty title="Nothing waits for you">
          Questions of agents in your sandboxes appear here at once. What nobody answers is denied.
        </Empty>
      )}
      <div class="questions" ref={list}>
        {waiting.map((one) => (
          <Question key={one.id} approval={one} />
        ))}
      </div>
      {over.length > 0 && (
        <>
          <h2 class="section-title">Just settled</h2>
          <ul class="over">
            {over.map((one) => (
              <li key={one.approval.id}>
                <span>
                  {clock(one.at)} {one.approval.tool}{' '}
                  <code>
                    {one.approval.command ?? insidePath(one.approval.path, one.approval.sandboxId)}
                  </code>
                </span>
                <span class="result">{one.outcome}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
