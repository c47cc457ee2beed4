// Axes of plots.

// A round number that is at least `value`: 1, 2, 2.5 or 5 times a power of `base`'s unit.
export function roundUp(value: number, binary = false): number {
  if (value <= 0) return 1;
  const unit = binary ? 1024 ** Math.floor(Math.log(value) / Math.log(1024)) : 1;
  const inUnits = value / unit;
  const power = 10 ** Math.floor(Math.log10(inUnits));
  for (const step of [1, 2, 2.5, 5, 10]) {
    if (inUnits <= step * power * (1 + 1e-9)) return step * power * unit;
  }
  return 10 * power * unit;
}

// The same for what is counted: even, so that half of it is a number of things, too.
export const roundUpCount = (value: number): number => 2 * Math.ceil(roundUp(value) / 2);

export interface Sample {
  time: number; // milliseconds
  value: number;
}

export interface Frame {
  width: number;
  height: number;
  from: number; // time at the left edge
  to: number;
  top: number; // value at the upper edge
}

export function points(samples: Sample[], frame: Frame): [number, number][] {
  const length = Math.max(1, frame.to - frame.from);
  return samples
    .filter((one) => one.time >= frame.from && one.time <= frame.to)
    .map((one) => [
      ((one.time - frame.from) / length) * frame.width,
      frame.height - (Math.min(one.value, frame.top) / frame.top) * frame.height,
    ]);
}

export const linePath = (all: [number, number][]): string =>
  all.map(([x, y], index) => `${index ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

export function areaPath(all: [number, number][], height: number): string {
  const first = all[0];
  const last = all[all.length - 1];
  if (!first || !last) return '';
  return `${linePath(all)}L${last[0].toFixed(1)} ${height}L${first[0].toFixed(1)} ${height}Z`;
}
