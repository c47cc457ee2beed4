import { useState } from 'preact/hooks';
import type { Process, Sandbox, Stats } from './api.ts';
import { bytes, count } from './format.ts';
import { usePolling } from './parts.tsx';
import { Plot } from './plot.tsx';
import { Ports } from './ports.tsx';
import { get } from './session.ts';
import { keepUsage, type Usage, usageOf, watched, withStats } from './usage.ts';

const cores = (value: number) => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function Plots({ usage, sandbox }: { usage: Usage; sandbox: Sandbox }) {
  const now = usage.last?.time ?? Date.now();
  const since = now - (usage.memory[0]?.time ?? now);
  const common = { now, span: Math.min(watched, Math.max(60_000, since)) };
  const limits = sandbox.limits;
  const most = (name: 'cpus' | 'memory' | 'processes' | 'disk') => limits?.[name] || undefined;
  // Not every driver measures it.
  const disk = usage.disk.some((one) => one.value > 0);
  return (
    <div class="grid grid-small">
      <Plot {...common} title="CPU, cores" samples={usage.cpu} show={cores} limit={most('cpus')} least={0.1} />
      <Plot {...common} title="Memory" samples={usage.memory} show={bytes} binary limit={most('memory')} />
      {disk && (
        <Plot {...common} title="Disk" samples={usage.disk} show={bytes} binary limit={most('disk')} />
      )}
      <Plot
        {...common}
        title="Processes"
        counted
        least={2}
        samples={usage.processes}
        show={(value) => String(Math.round(value * 10) / 10)}
        limit={most('processes')}
      />
    </div>
  );
}

function ProcessTable({ processes }: { processes: Process[] }) {
  return (
    <div class="audit-scroll" tabIndex={0} role="group" aria-label="Table of processes">
      <table class="table">
        <thead>
          <tr>
            <th scope="col" class="number">
              Id
            </th>
            <th scope="col">Program</th>
            <th scope="col" class="number">
              CPU
            </th>
            <th scope="col" class="number">
              Memory
            </th>
          </tr>
        </thead>
        <tbody>
          {processes.slice(0, 100).map((one) => (
            <tr key={one.id}>
              <td class="number">{one.id}</td>
              <td class="wrap">
                <code>{one.arguments || one.program}</code>
              </td>
              <td class="number">{one.cpuSeconds.toFixed(1)} s</td>
              <td class="number">{bytes(one.memory)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Processes({ processes }: { processes: Process[] }) {
  return (
    <section class="card" aria-labelledby="processes">
      <h2 id="processes">{count(processes.length, 'process', 'processes')}</h2>
      {processes.length > 0 && <ProcessTable processes={processes} />}
    </section>
  );
}

// Watches a sandbox that is ready.
export function Resources({ sandbox }: { sandbox: Sandbox }) {
  const [usage, setUsage] = useState(usageOf(sandbox.id));
  const [processes, setProcesses] = useState<Process[]>([]);
  usePolling(
    async (signal) => {
      const at = `/v1/sandboxes/${sandbox.id}`;
      const [stats, list] = await Promise.all([
        get<Stats>(`${at}/stats`, signal),
        get<{ processes: Process[] }>(`${at}/processes`, signal),
      ]);
      const next = withStats(usageOf(sandbox.id), stats, Date.now());
      keepUsage(sandbox.id, next);
      setUsage(next);
      setProcesses(list.processes);
    },
    2000,
    [sandbox.id],
  );
  return (
    <>
      <section class="card" aria-labelledby="resources">
        <h2 id="resources">Resources, while this page watches</h2>
        <div class="card-body">
          <Plots usage={usage} sandbox={sandbox} />
        </div>
      </section>
      <Ports sandbox={sandbox} inside={usage.last?.stats.ports ?? []} />
      <Processes processes={processes} />
    </>
  );
}
