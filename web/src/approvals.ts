// The questions that wait, as the server's stream tells of them.
import { ApiError, type Approval, type Choice, type Settled } from './api.ts';
import { announce } from './announce.tsx';
import { follow, type ServerEvent, type StreamState } from './events.ts';
import { Live } from './live.ts';
import { parsePlace } from './router.ts';
import { post } from './session.ts';

export interface Answered {
  approval: Approval;
  outcome: string; // for a person: "You allowed it once"
  at: number;
}

export interface Approvals {
  waiting: Approval[]; // oldest first
  over: Answered[]; // newest first, a few
}

const kept = 8;

export const approvals = new Live<Approvals>({ waiting: [], over: [] });
export const connection = new Live<StreamState>('connecting');

export const choiceWords: Record<Choice, string> = {
  deny: 'denied',
  once: 'allowed once',
  directory: 'allowed for the directory',
  tool: 'allowed for this session',
};

export function asked(state: Approvals, approval: Approval): Approvals {
  if (state.waiting.some((one) => one.id === approval.id)) return state;
  return { ...state, waiting: [...state.waiting, approval] };
}

export function settledWords(settled: Settled, mine: Choice | undefined): string {
  if (settled.outcome === 'timeout') return 'Nobody answered in time: denied';
  if (settled.outcome === 'withdrawn' || !settled.choice) return 'Withdrawn by who asked';
  const word = choiceWords[settled.choice];
  return settled.choice === mine ? `You: ${word}` : `Answered by somebody else: ${word}`;
}

export function settle(state: Approvals, id: string, outcome: string, at: number): Approvals {
  const approval = state.waiting.find((one) => one.id === id);
  if (!approval) return state;
  return {
    waiting: state.waiting.filter((one) => one !== approval),
    over: [{ approval, outcome, at }, ...state.over].slice(0, kept),
  };
}

// After the stream was lost: what the new one does not tell of within its first moment is over.
export function forgetUnless(state: Approvals, still: Set<string>, at: number): Approvals {
  return state.waiting
    .filter((one) => !still.has(one.id))
    .reduce((left, one) => settle(left, one.id, 'Over when the connection came back', at), state);
}

const answers = new Map<string, Choice>(); // given here

export const answeredHere = (id: string): Choice | undefined => answers.get(id);

function take(event: ServerEvent, seen: Set<string>): void {
  if (event.name === 'asked') {
    const approval = JSON.parse(event.data) as Approval;
    seen.add(approval.id);
    const before = approvals.value;
    approvals.update((state) => asked(state, approval));
    if (approvals.value !== before) {
      const what = approval.command ?? approval.asked;
      const seen = parsePlace(location.hash).view === 'approvals';
      announce(`New question: ${approval.tool} ${what}`, seen ? 'heard' : 'plain');
    }
  } else if (event.name === 'settled') {
    const settled = JSON.parse(event.data) as Settled;
    const mine = answers.get(settled.id);
    const words = settledWords(settled, mine);
    const known = approvals.value.waiting.some((one) => one.id === settled.id);
    approvals.update((state) => settle(state, settled.id, words, Date.now()));
    if (known && settled.choice !== mine) announce(words);
  }
}

export function beginApprovals(): () => void {
  let seen = new Set<string>();
  let grace: ReturnType<typeof setTimeout> | undefined;
  const stop = follow({
    path: () => '/v1/approvals/stream',
    event: (event) => take(event, seen),
    state: (state) => {
      connection.set(state);
      clearTimeout(grace);
      if (state !== 'live') return;
      seen = new Set();
      grace = setTimeout(
        () => approvals.update((now) => forgetUnless(now, seen, Date.now())),
        1500,
      );
    },
  });
  return () => {
    clearTimeout(grace);
    stop();
    approvals.set({ waiting: [], over: [] });
  };
}

// Says what became of it. Somebody else may have been faster.
export async function answer(approval: Approval, choice: Choice): Promise<void> {
  answers.set(approval.id, choice);
  try {
    await post(`/v1/approvals/${approval.id}`, { choice });
    announce(`${approval.tool}: ${choiceWords[choice]}`, choice === 'deny' ? 'plain' : 'good');
  } catch (error) {
    answers.delete(approval.id);
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
      announce(`Your answer came too late: ${error.message}`, 'bad');
      return;
    }
    announce((error as Error).message, 'bad');
    throw error;
  }
}
