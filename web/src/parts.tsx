// Small things that every view is made of.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { span } from './format.ts';

export type Tone = 'neutral' | 'good' | 'wait' | 'bad';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

// The title of a view. It takes the focus when the view is entered, so that a screen reader says
// where one is; before anything is painted, so that no key pressed meanwhile is taken back.
export function Title({ children, side }: { children: ComponentChildren; side?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {side && <div class="title-side">{side}</div>}
    </div>
  );
}

export function Notice({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {children}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}

// The present, again every so often.
export function useNow(every = 1000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

export function Ago({ time }: { time: string }) {
  const now = useNow(5000);
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {span(now - Date.parse(time))} ago
    </time>
  );
}

// Calls `work` at once and then every `period` while the page is seen.
export function usePolling(
  work: (signal: AbortSignal) => Promise<void>,
  period: number,
  on: readonly unknown[],
): void {
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const round = async () => {
      if (!document.hidden) await work(stop.signal).catch(() => undefined);
      if (!stop.signal.aborted) timer = setTimeout(round, period);
    };
    void round();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, on);
}
