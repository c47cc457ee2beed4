// One value over time, as a line.
import { span as spanWords } from './format.ts';
import { areaPath, type Frame, linePath, points, roundUp, roundUpCount, type Sample } from './scale.ts';

interface PlotProps {
  title: string;
  samples: Sample[];
  span: number; // milliseconds shown
  now: number;
  show: (value: number) => string;
  binary?: boolean;
  counted?: boolean; // whole things
  limit?: number | undefined;
  least?: number; // the axis goes so far at least
}

const left = 58;
const width = 300;
const height = 90;

export function Plot({ title, samples, span, now, show, binary = false, counted = false, limit, least = 0 }: PlotProps) {
  const most = Math.max(0, ...samples.map((one) => one.value));
  const wanted = Math.max(most * 1.05, least);
  const top = counted ? roundUpCount(wanted) : roundUp(wanted, binary);
  const frame: Frame = { width, height, from: now - span, to: now, top };
  const line = points(samples, frame);
  const last = samples.at(-1);
  const words = last
    ? `${title}: now ${show(last.value)}, at most ${show(most)} in the last ${spanWords(span)}`
    : `${title}: no value yet`;
  return (
    <figure>
      <figcaption class="plot-head">
        <span>{title}</span>
        <span class="now">{last ? show(last.value) : '–'}</span>
      </figcaption>
      <svg class="plot" viewBox={`0 0 ${left + width + 4} ${height + 26}`} role="img" aria-label={words}>
        <g transform={`translate(${left} 8)`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line class="grid" x1={0} x2={width} y1={height * (1 - part)} y2={height * (1 - part)} />
              <text x={-6} y={height * (1 - part) + 4} text-anchor="end">
                {show(top * part)}
              </text>
            </g>
          ))}
          {limit !== undefined && limit <= top && (
            <line
              class="limit"
              x1={0}
              x2={width}
              y1={height * (1 - limit / top)}
              y2={height * (1 - limit / top)}
            />
          )}
          <path class="area" d={areaPath(line, height)} />
          <path class="line" d={linePath(line)} />
          <text x={0} y={height + 15}>
            {spanWords(span)} ago
          </text>
          <text x={width} y={height + 15} text-anchor="end">
            now
          </text>
        </g>
      </svg>
    </figure>
  );
}
