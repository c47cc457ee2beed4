// The ports that are listened on inside, and the way to see what they show.
import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import type { Port, Preview, PreviewLink, Sandbox, Visibility } from './api.ts';
import { clock } from './format.ts';
import { Badge, usePolling } from './parts.tsx';
import { get, may, post, put } from './session.ts';

interface Seen {
  ports: Port[];
  preview?: Preview; // unset: this server shows none
}

// A private preview opens for who comes by a signed link, a public one for everybody.
async function linkTo(id: string, port: number): Promise<PreviewLink> {
  return post<PreviewLink>(`/v1/sandboxes/${id}/preview/links`, { port });
}

function Visible({ id, preview, changed }: { id: string; preview: Preview; changed: (next: Preview) => void }) {
  const [sure, setSure] = useState(false);
  const set = async (visibility: Visibility) => {
    setSure(false);
    try {
      changed(await put<Preview>(`/v1/sandboxes/${id}/preview`, { visibility }));
      announce(`Its previews are ${visibility} now`);
    } catch (error) {
      announce((error as Error).message, 'bad');
    }
  };
  const open = preview.visibility === 'public';
  return (
    <div class="port-head">
      <Badge tone={open ? 'wait' : 'good'}>{preview.visibility}</Badge>
      <span class="dim">
        {open
          ? 'Everybody who can reach these addresses sees what they show.'
          : 'Seen by who comes with a signed link, and by your own token.'}
      </span>
      {may('sandboxes:write') && open && (
        <button class="button button-small" type="button" onClick={() => set('private')}>
          Make private
        </button>
      )}
      {may('sandboxes:write') && !open && !sure && (
        <button class="button button-small" type="button" onClick={() => setSure(true)}>
          Make public…
        </button>
      )}
      {sure && !open && (
        <>
          <button class="button button-small button-bad" type="button" onClick={() => set('public')} autoFocus>
            Show all ports to everybody
          </button>
          <button class="button button-small" type="button" onClick={() => setSure(false)}>
            Keep private
          </button>
        </>
      )}
    </div>
  );
}

function SignedLink({ port, link }: { port: number; link: PreviewLink }) {
  const copy = () =>
    navigator.clipboard.writeText(link.url).then(
      () => announce('The link was copied', 'good'),
      () => announce('The browser does not let this page copy: select the link instead', 'bad'),
    );
  return (
    <div class="signed-link">
      <input
        readOnly
        value={link.url}
        aria-label={`Signed link to port ${port}`}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button class="button button-small" type="button" onClick={copy}>
        Copy
      </button>
      <span class="dim">opens until {clock(link.expiresAt)}</span>
    </div>
  );
}

interface RowProps {
  id: string;
  one: Port;
  visibility: Visibility;
  shown: boolean;
  show: (url: string | undefined) => void;
}

function Row({ id, one, visibility, shown, show }: RowProps) {
  const [link, setLink] = useState<PreviewLink>();
  const open = visibility === 'public';
  const withLink = async (use: (link: PreviewLink) => void) => {
    try {
      use(open ? { url: one.url, expiresAt: '' } : await linkTo(id, one.port));
    } catch (error) {
      announce((error as Error).message, 'bad');
    }
  };
  const label = (words: string) => `${words}, port ${one.port}`;
  const toggle = shown ? 'Hide' : 'Show here';
  const allowed = open || may('sandboxes:write');
  return (
    <li class="port">
      <code class="port-number">{one.port}</code>
      {open ? (
        <a href={one.url} target="_blank" rel="noopener noreferrer">
          {one.url}
        </a>
      ) : (
        <span class="wrap">{one.url}</span>
      )}
      {allowed && (
        <div class="actions">
          <button
            class="button button-small"
            type="button"
            aria-expanded={shown}
            aria-label={label(toggle)}
            onClick={() => (shown ? show(undefined) : withLink((made) => show(made.url)))}
          >
            {toggle}
          </button>
          <button
            class="button button-small"
            type="button"
            aria-label={label('Open in a tab')}
            onClick={() => withLink((made) => window.open(made.url, '_blank', 'noopener,noreferrer'))}
          >
            Open in a tab
          </button>
          {!open && (
            <button
              class="button button-small"
              type="button"
              aria-label={label('Signed link')}
              onClick={() => withLink(setLink)}
            >
              Signed link
            </button>
          )}
        </div>
      )}
      {link && !open && <SignedLink port={one.port} link={link} />}
    </li>
  );
}

// What runs inside stays in an origin of its own and cannot lead this page elsewhere.
function Pane({ port, url }: { port: number; url: string }) {
  return (
    <iframe
      class="preview-pane"
      src={url}
      title={`Preview of port ${port}`}
      sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups"
      referrerpolicy="no-referrer"
    />
  );
}

function List({ id, seen, changed }: { id: string; seen: Seen; changed: (next: Preview) => void }) {
  const [pane, setPane] = useState<{ port: number; url: string }>();
  const visibility = seen.preview?.visibility ?? 'private';
  const framed = pane && seen.ports.some((one) => one.port === pane.port) ? pane : undefined;
  return (
    <>
      {seen.preview && <Visible id={id} preview={seen.preview} changed={changed} />}
      <ul class="ports">
        {seen.ports.map((one) =>
          seen.preview ? (
            <Row
              key={one.port}
              id={id}
              one={one}
              visibility={visibility}
              shown={framed?.port === one.port}
              show={(url) => setPane(url === undefined ? undefined : { port: one.port, url })}
            />
          ) : (
            <li key={one.port}>
              <code>{one.port}</code>
            </li>
          ),
        )}
      </ul>
      {framed && <Pane port={framed.port} url={framed.url} />}
    </>
  );
}

// Watches the ports of a sandbox that is ready; `inside` are those without a way to them.
export function Ports({ sandbox, inside }: { sandbox: Sandbox; inside: number[] }) {
  const [seen, setSeen] = useState<Seen>();
  const at = `/v1/sandboxes/${sandbox.id}`;
  const shown = Boolean(sandbox.publicUrl);
  usePolling(
    async (signal) => {
      if (!shown) return;
      const [list, preview] = await Promise.all([
        get<{ ports: Port[] }>(`${at}/ports`, signal),
        get<Preview>(`${at}/preview`, signal),
      ]);
      setSeen({ ports: list.ports, preview });
    },
    3000,
    [sandbox.id, shown],
  );
  const now = shown && seen ? seen : { ports: inside.map((port) => ({ port, url: '' })) };
  return (
    <section class="card" aria-labelledby="ports">
      <h2 id="ports">Ports</h2>
      <div class="card-body port-body">
        {now.ports.length === 0 ? (
          <p class="dim">Nothing listens inside. What does is shown here, with a link to its preview.</p>
        ) : (
          <List
            id={sandbox.id}
            seen={now}
            changed={(preview) => setSeen((was) => ({ ports: was?.ports ?? [], preview }))}
          />
        )}
      </div>
    </section>
  );
}
