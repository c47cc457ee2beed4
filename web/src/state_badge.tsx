import type { SandboxState } from './api.ts';
import { Badge, type Tone } from './parts.tsx';

const tones: Record<SandboxState, Tone> = {
  pending: 'wait',
  ready: 'good',
  paused: 'wait',
  terminating: 'wait',
  terminated: 'neutral',
  failed: 'bad',
};

export const StateBadge = ({ state }: { state: SandboxState }) => (
  <Badge tone={tones[state]}>{state}</Badge>
);
