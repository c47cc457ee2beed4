// What holds a sandbox, as it was read back, beside what was asked for.
import type { Sandbox } from './api.ts';

const words: Record<string, string> = {
  'kernel-line': 'Kernel line',
  container: 'Container',
  gvisor: 'gVisor',
};

const named = (name: string) => words[name] ?? name;

export function Isolation({ sandbox }: { sandbox: Sandbox }) {
  const { requested, actual, detail } = sandbox.isolation;
  return (
    <>
      <span title={detail}>{actual ? named(actual) : 'not known yet'}</span>
      <span class="sub">
        {requested ? `at least ${named(requested)} was requested` : 'no minimum was requested'}
      </span>
    </>
  );
}
