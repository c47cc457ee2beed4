// A program on a terminal in a sandbox, looked at over a WebSocket.
import type { FitAddon } from '@xterm/addon-fit';
import type { Terminal } from '@xterm/xterm';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from './announce.tsx';
import { Badge, type Tone } from './parts.tsx';
import { get, post, remove, sessionKey } from './session.ts';
import { withConstructedStyles } from './style_sheets.ts';

interface TerminalObject {
  id: string;
  state: 'running' | 'ended';
}

type Word = { text: string; tone: Tone };

function socketTo(path: string): WebSocket {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  // The subprotocols are the one thing that a page can say here; see docs/adr/0014.
  const socket = new WebSocket(url, ['cordon.terminal.v1', `cordon.key.${sessionKey() ?? ''}`]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

// The one that is there already, or a new shell.
async function terminalOf(id: string, size: { rows: number; columns: number }): Promise<string> {
  const at = `/v1/sandboxes/${id}/terminals`;
  const { terminals } = await get<{ terminals: TerminalObject[] }>(at);
  const running = terminals.find((one) => one.state === 'running');
  if (running) return running.id;
  const made = await post<TerminalObject>(at, {
    command: 'if command -v bash >/dev/null; then exec bash; else exec sh; fi',
    environment: { TERM: 'xterm-256color' },
    ...size,
  });
  return made.id;
}

// Keeps the connection until stop() is called; comes back where it was.
class Attached {
  private socket: WebSocket | undefined;
  private offset = 0;
  private stopped = false;
  private pause = 250;
  private readonly text = new TextEncoder();

  constructor(
    private readonly path: string,
    private readonly screen: Terminal,
    private readonly tell: (word: Word) => void,
  ) {
    this.connect();
  }

  write(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(this.text.encode(text));
  }
  resize(rows: number, columns: number): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: 'resize', rows, columns }));
  }
  stop(): void {
    this.stopped = true;
    this.socket?.close();
  }

  private connect(): void {
    const socket = socketTo(`${this.path}/ws?since=${this.offset}`);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 250;
      this.tell({ text: 'connected', tone: 'good' });
      this.resize(this.screen.rows, this.screen.cols);
    };
    socket.onmessage = (message) => this.take(message.data as string | ArrayBuffer);
    socket.onclose = () => {
      if (this.stopped) return;
      this.tell({ text: 'reconnecting…', tone: 'wait' });
      setTimeout(() => this.again(), this.pause);
      this.pause = Math.min(this.pause * 2, 5000);
    };
  }

  private again(): void {
    if (this.stopped) return;
    // After a restart of the server the terminal is gone, and no socket says so.
    get<TerminalObject>(this.path)
      .then(() => this.connect())
      .catch((error: { status?: number }) => {
        if (error.status === 404) return this.over('the terminal is gone');
        setTimeout(() => this.again(), this.pause);
        this.pause = Math.min(this.pause * 2, 5000);
      });
  }

  private over(why: string): void {
    this.stop();
    this.tell({ text: why, tone: 'neutral' });
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      this.offset += data.byteLength;
      this.screen.write(new Uint8Array(data));
      return;
    }
    const told = JSON.parse(data) as { type: string; offset?: number; exitStatus?: number };
    if (told.offset !== undefined) this.offset = told.offset;
    if (told.type === 'exit') this.over(`ended with ${told.exitStatus ?? 0}`);
  }
}

async function makeScreen(place: HTMLElement): Promise<{ screen: Terminal; fit: FitAddon }> {
  const [{ Terminal }, { FitAddon }] = await Promise.all([
    import('@xterm/xterm'),
    import('@xterm/addon-fit'),
  ]);
  const screen = new Terminal({
    screenReaderMode: true,
    cursorBlink: false,
    fontSize: 13,
    fontFamily: "ui-monospace, 'DejaVu Sans Mono', 'Liberation Mono', monospace",
    theme: { background: '#10171a', foreground: '#dde6e3', cursor: '#6ed2ba' },
  });
  const fit = new FitAddon();
  screen.loadAddon(fit);
  withConstructedStyles(document, () => screen.open(place));
  fit.fit();
  return { screen, fit };
}

export function TerminalTab({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [word, setWord] = useState<Word>({ text: 'starting…', tone: 'wait' });
  const [round, setRound] = useState(0);
  const current = useRef<string | undefined>(undefined);

  useEffect(() => {
    let gone = false;
    const undo: (() => void)[] = [];
    const begin = async () => {
      if (!place.current) return;
      const { screen, fit } = await makeScreen(place.current);
      undo.push(() => screen.dispose());
      if (gone) return;
      // Tab belongs to the shell; this is the way out for who has no mouse.
      screen.attachCustomKeyEventHandler((event) => !(event.key === 'Escape' && event.shiftKey));
      current.current = await terminalOf(id, { rows: screen.rows, columns: screen.cols });
      if (gone) return;
      const attached = new Attached(
        `/v1/sandboxes/${id}/terminals/${current.current}`,
        screen,
        setWord,
      );
      undo.push(() => attached.stop());
      screen.onData((text) => attached.write(text));
      screen.onResize(({ rows, cols }) => attached.resize(rows, cols));
      const watch = new ResizeObserver(() => fit.fit());
      watch.observe(place.current);
      undo.push(() => watch.disconnect());
      screen.focus();
    };
    begin().catch((error: Error) => setWord({ text: error.message, tone: 'bad' }));
    return () => {
      gone = true;
      for (const one of undo.toReversed()) one();
    };
  }, [id, round]);

  const restart = async () => {
    const old = current.current;
    if (old) await remove(`/v1/sandboxes/${id}/terminals/${old}`).catch(() => undefined);
    setRound(round + 1);
    announce('A new shell is starting');
  };

  return (
    <section aria-label="Terminal">
      <div class="terminal-bar">
        <Badge tone={word.tone}>{word.text}</Badge>
        <button id="new-shell" class="button button-small" type="button" onClick={restart}>
          New shell
        </button>
        <span class="hint">Shift+Escape leaves the terminal.</span>
      </div>
      <div
        class="terminal-box"
        onKeyDown={(event) => {
          if (event.key === 'Escape' && event.shiftKey) document.getElementById('new-shell')?.focus();
        }}
      >
        <div key={round} ref={place} />
      </div>
    </section>
  );
}
