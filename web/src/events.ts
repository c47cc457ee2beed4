// Server-sent events over fetch, which unlike EventSource can say who asks.
import { ApiError } from './api.ts';
import { send } from './session.ts';

export interface ServerEvent {
  name: string;
  data: string;
  id: string;
}

// Takes text in pieces, wherever they were cut, and gives the events that are complete.
export class EventParser {
  private rest = '';

  take(piece: string): ServerEvent[] {
    this.rest += piece;
    const blocks = this.rest.split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event !== undefined);
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const event: ServerEvent = { name: 'message', data: '', id: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue; // a comment: the server is still there
    const value = line.slice(colon + 1).replace(/^ /, '');
    const field = line.slice(0, colon);
    if (field === 'event') event.name = value;
    if (field === 'id') event.id = value;
    if (field === 'data') data.push(value);
  }
  if (data.length === 0) return undefined;
  event.data = data.join('\n');
  return event;
}

export type StreamState = 'connecting' | 'live' | 'lost';

export interface Followed {
  path: () => string; // asked anew at each connection, so that it can say where to go on
  event: (event: ServerEvent) => void;
  state?: (state: StreamState) => void;
}

const sleep = (time: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, time);
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });

async function readStream(followed: Followed, signal: AbortSignal): Promise<void> {
  const response = await send(followed.path(), {
    signal,
    headers: { Accept: 'text/event-stream' },
  });
  if (!response.body) return;
  followed.state?.('live');
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const event of parser.take(value)) followed.event(event);
  }
}

// Follows a stream until the returned function is called; comes back after every loss, later each
// time up to five seconds.
export function follow(followed: Followed): () => void {
  const stop = new AbortController();
  const run = async () => {
    for (let pause = 250; !stop.signal.aborted; ) {
      followed.state?.('connecting');
      const begun = Date.now();
      try {
        await readStream(followed, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        // Signed out, or not allowed: another try would be the same.
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
          followed.state?.('lost');
          return;
        }
      }
      if (stop.signal.aborted) return;
      followed.state?.('lost');
      if (Date.now() - begun > 5000) pause = 250;
      await sleep(pause, stop.signal);
      pause = Math.min(pause * 2, 5000);
    }
  };
  void run();
  return () => stop.abort();
}
