// The frame around the views.
import { useEffect, useRef } from 'preact/hooks';
import { announce, Announcer } from './announce.tsx';
import { approvals, beginApprovals, connection } from './approvals.ts';
import { ApprovalsView } from './approvals_view.tsx';
import { AuditView } from './audit_view.tsx';
import { useLive } from './live.ts';
import { type Place, usePlace } from './router.ts';
import { SandboxView } from './sandbox_view.tsx';
import { SandboxesView } from './sandboxes_view.tsx';
import { session, signOut } from './session.ts';
import { SignIn } from './sign_in.tsx';
import { type Theme, theme } from './theme.ts';

function NavLink({ to, here, children }: { to: string; here: boolean; children: preact.ComponentChildren }) {
  return (
    <a href={to} aria-current={here ? 'page' : undefined}>
      {children}
    </a>
  );
}

function Navigation({ place }: { place: Place }) {
  const waiting = useLive(approvals).waiting.length;
  return (
    <nav aria-label="Views">
      <NavLink to="#/approvals" here={place.view === 'approvals'}>
        Approvals
        {waiting > 0 && (
          <span class="count">
            {waiting}
            <span class="sr-only"> waiting</span>
          </span>
        )}
      </NavLink>
      <NavLink to="#/sandboxes" here={place.view === 'sandboxes' || place.view === 'sandbox'}>
        Sandboxes
      </NavLink>
      <NavLink to="#/audit" here={place.view === 'audit'}>
        Audit
      </NavLink>
    </nav>
  );
}

function Connection() {
  const state = useLive(connection);
  const words = { live: 'Live', connecting: 'Connecting…', lost: 'Reconnecting…' }[state];
  return (
    <span class={`connection connection-${state}`} title="Whether news of the server arrive">
      {words}
    </span>
  );
}

function ThemeSwitch() {
  const chosen = useLive(theme);
  return (
    <label class="theme">
      <span class="sr-only">Colours</span>
      <select value={chosen} onChange={(event) => theme.set(event.currentTarget.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function View({ place }: { place: Place }) {
  if (place.view === 'sandboxes') return <SandboxesView />;
  if (place.view === 'sandbox') return <SandboxView key={place.id} id={place.id} tab={place.tab} />;
  if (place.view === 'audit') return <AuditView filter={place.filter} />;
  return <ApprovalsView />;
}

function Frame({ user }: { user: string }) {
  const place = usePlace();
  const main = useRef<HTMLElement>(null);
  useEffect(beginApprovals, []);
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="#/approvals">
          <span class="brand-mark" aria-hidden="true" />
          Cordon
        </a>
        <Navigation place={place} />
        <div class="bar-side">
          <Connection />
          <ThemeSwitch />
          <span class="user" title="Signed in as">
            {user}
          </span>
          <button
            class="button button-quiet"
            type="button"
            onClick={() => signOut().catch((error: Error) => announce(error.message, 'bad'))}
          >
            Sign out
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <View place={place} />
      </main>
      <Announcer />
    </>
  );
}

export function App() {
  const current = useLive(session);
  if (current.state === 'in') return <Frame user={current.info.user ?? current.info.userId} />;
  if (current.state === 'out') return <SignIn why={current.why} />;
  return (
    <main class="sign-in">
      <p role="status">Connecting to the server…</p>
    </main>
  );
}
