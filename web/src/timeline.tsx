// Operations and refusals over the last hour, or as long as is asked for.
import { useState } from 'preact/hooks';
import type { Timeline as TimelineObject } from './api.ts';
import { apiQuery, type AuditFilter } from './audit_filter.ts';
import { clock } from './format.ts';
import { usePolling } from './parts.tsx';
import { roundUpCount } from './scale.ts';
import { get } from './session.ts';

const left = 34;
const height = 110;
const spans = { 15: '15 minutes', 60: '1 hour', 360: '6 hours', 1440: '24 hours' };

function Bars({ timeline }: { timeline: TimelineObject }) {
  const { buckets } = timeline;
  // Letters keep their size: on a narrow page the picture is smaller, not scaled.
  const width = document.documentElement.clientWidth < 700 ? 280 : 640;
  const totals = buckets.map((one) => one.allowed + one.asked + one.denied);
  const top = Math.max(4, roundUpCount(Math.max(...totals)));
  const wide = width / buckets.length;
  const high = (value: number) => (value / top) * height;
  const sum = (pick: (one: TimelineObject['buckets'][0]) => number) =>
    buckets.reduce((all, one) => all + pick(one), 0);
  const from = Date.parse(timeline.from);
  const label =
    `From ${clock(from)} to now: ${sum((one) => one.allowed)} allowed, ` +
    `${sum((one) => one.asked)} asked, ${sum((one) => one.denied)} refused.`;
  return (
    <>
      <svg class="plot" viewBox={`0 0 ${left + width} ${height + 28}`} role="img" aria-label={label}>
        <g transform={`translate(${left} 8)`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line class="grid" x1={0} x2={width} y1={height * (1 - part)} y2={height * (1 - part)} />
              <text x={-6} y={height * (1 - part) + 4} text-anchor="end">
                {top * part}
              </text>
            </g>
          ))}
          {buckets.map((one, index) => {
            const x = index * wide + wide * 0.1;
            const box = { x, width: wide * 0.8 };
            const [a, b, c] = [high(one.allowed), high(one.asked), high(one.denied)];
            const time = from + index * timeline.stepSeconds * 1000;
            return (
              <g key={index}>
                <title>
                  {clock(time)}: {one.allowed} allowed, {one.asked} asked, {one.denied} refused
                </title>
                <rect class="allowed" {...box} y={height - a} height={a} />
                <rect class="asked" {...box} y={height - a - b} height={b} />
                <rect class="denied" {...box} y={height - a - b - c} height={c} />
              </g>
            );
          })}
          <text x={0} y={height + 16}>
            {clock(from)}
          </text>
          <text x={width} y={height + 16} text-anchor="end">
            now
          </text>
        </g>
      </svg>
      <p class="legend">
        <span>allowed {sum((one) => one.allowed)}</span>
        <span class="asked">asked {sum((one) => one.asked)}</span>
        <span class="denied">refused {sum((one) => one.denied)}</span>
        {timeline.truncated && 'The log is longer than what was looked through.'}
      </p>
    </>
  );
}

export function Timeline({ filter }: { filter: AuditFilter }) {
  const [minutes, setMinutes] = useState(60);
  const [timeline, setTimeline] = useState<TimelineObject>();
  const query = apiQuery(filter, { minutes: String(minutes) });
  usePolling(
    async (signal) =>
      setTimeline(await get<TimelineObject>(`/v1/audit/timeline?${query}`, signal)),
    5000,
    [query],
  );
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline" class="plot-head">
        <span>Operations and refusals</span>
        <label>
          <span class="sr-only">Time shown</span>
          <select
            value={minutes}
            onChange={(event) => setMinutes(Number(event.currentTarget.value))}
          >
            {Object.entries(spans).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </h2>
      <div class="card-body">{timeline ? <Bars timeline={timeline} /> : <p>Loading…</p>}</div>
    </section>
  );
}
