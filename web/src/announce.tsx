// What a screen reader is told although nothing has the focus there, and what everybody sees for a
// moment at the bottom of the page.
import { Live, useLive } from './live.ts';

interface Said {
  text: string;
  tone: 'plain' | 'good' | 'bad' | 'heard'; // heard: by a screen reader alone
  serial: number;
}

const said = new Live<Said[]>([]);
let serial = 0;

export function announce(text: string, tone: Said['tone'] = 'plain'): void {
  const one = { text, tone, serial: ++serial };
  said.update((list) => [...list.slice(-2), one]);
  setTimeout(() => said.update((list) => list.filter((other) => other !== one)), 8000);
}

export function Announcer() {
  const list = useLive(said);
  return (
    <div class="announcer" role="status" aria-live="polite">
      {list.map((one) => (
        <p key={one.serial} class={one.tone === 'heard' ? 'sr-only' : `said said-${one.tone}`}>
          {one.text}
        </p>
      ))}
    </div>
  );
}
