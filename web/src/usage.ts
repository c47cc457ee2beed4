// What sandboxes use, over the time this page has watched them.
import type { Stats } from './api.ts';
import type { Sample } from './scale.ts';

export interface Usage {
  cpu: Sample[]; // cores
  memory: Sample[];
  disk: Sample[];
  processes: Sample[];
  last?: { time: number; stats: Stats };
}

export const watched = 10 * 60 * 1000;

export const noUsage = (): Usage => ({ cpu: [], memory: [], disk: [], processes: [] });

function add(samples: Sample[], time: number, value: number): Sample[] {
  return [...samples.filter((one) => one.time > time - watched), { time, value }];
}

// The share of a core follows from two readings; time that went back means it was started anew.
export function withStats(usage: Usage, stats: Stats, time: number): Usage {
  const last = usage.last;
  let cpu = usage.cpu;
  if (last && time > last.time && stats.cpuSeconds >= last.stats.cpuSeconds) {
    const cores = ((stats.cpuSeconds - last.stats.cpuSeconds) * 1000) / (time - last.time);
    cpu = add(cpu, time, cores);
  }
  return {
    cpu,
    memory: add(usage.memory, time, stats.memory),
    disk: add(usage.disk, time, stats.disk),
    processes: add(usage.processes, time, stats.processes),
    last: { time, stats },
  };
}

const all = new Map<string, Usage>();
export const usageOf = (id: string): Usage => all.get(id) ?? noUsage();
export const keepUsage = (id: string, usage: Usage): void => {
  all.set(id, usage);
};
