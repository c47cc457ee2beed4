// What the server says, and how it is asked.

export interface Problem {
  code: string;
  message: string;
}

// The server's refusal, or that it could not be reached (status 0).
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export type Risk = 'low' | 'medium' | 'high';
export type Choice = 'deny' | 'once' | 'directory' | 'tool';

export interface Explanation {
  risk: Risk;
  reasons: { risk: Risk; code: string; text: string }[];
  programs: string[];
  files: { access: string; path: string; by: string; exactness: string; extent: string }[];
  network: { target: string; by: string }[];
  unknown: { text: string; why: string }[];
  truncated: boolean;
}

export interface Approval {
  id: string;
  sandboxId: string;
  actor?: string;
  tool: string;
  operation: string;
  reason: 'outside' | 'tool' | 'rule';
  path: string;
  asked: string;
  state: string;
  choices: Choice[];
  askedAt: string;
  expiresAt: string;
  command?: string;
  target?: string;
  preview?: string;
  directory?: string;
  trusted?: string;
  explanation?: Explanation;
}

export interface Settled {
  id: string;
  sandboxId: string;
  outcome: 'answered' | 'timeout' | 'withdrawn';
  choice?: Choice;
}

export type SandboxState = 'pending' | 'ready' | 'paused' | 'terminating' | 'terminated' | 'failed';

export interface Sandbox {
  id: string;
  status: { state: SandboxState; reason: string; message: string; lastTransitionAt: string };
  driver: string;
  isolation: { requested?: string; actual?: string; detail?: string };
  conversationId?: string;
  image?: string;
  network?: string;
  // What holds, whatever was asked for; 0 is no limit.
  limits?: {
    cpus: number;
    memory: number;
    processes: number;
    disk: number;
    diskHold: 'not' | 'watched' | 'quota';
  };
  publicUrl?: string;
  createdAt: string;
  lastActiveAt: string;
  readyAt?: string;
  expiresAt?: string;
  endedAt?: string;
  exitStatus?: number;
  outOfMemory?: boolean;
  lastLines?: string;
}

export interface Conversation {
  id: string;
  title: string;
  createdAt: string;
  sandboxId: string | null;
  sandboxPublicUrl: string | null;
}

export interface Stats {
  cpuSeconds: number;
  memory: number;
  peakMemory: number;
  disk: number;
  processes: number;
  ports: number[];
}

export interface Port {
  port: number;
  url: string;
}

export type Visibility = 'private' | 'public';

export interface Preview {
  url: string;
  port: number;
  visibility: Visibility;
}

export interface PreviewLink {
  url: string;
  expiresAt: string;
}

export interface Process {
  id: number;
  parent: number;
  program: string;
  arguments: string;
  memory: number;
  cpuSeconds: number;
}

export interface AuditRecord {
  seq: number;
  time: string;
  event: string;
  phase?: string;
  session?: string;
  conversation?: string;
  sandbox?: string;
  actor?: string;
  tool?: string;
  operation?: string;
  path?: { asked?: string; resolved?: string };
  target?: string;
  decision?: string;
  rule?: string;
  error?: string;
  violation?: string;
  [field: string]: unknown;
}

export interface Timeline {
  from: string;
  stepSeconds: number;
  buckets: { allowed: number; asked: number; denied: number }[];
  truncated: boolean;
}

export interface ChainCheck {
  intact: boolean;
  records: number;
  first: number;
  last: number;
  head: string;
  checkedAt: string;
  damage?: { kind: string; file: string; line: number; seq: number; detail: string };
  notes: string[];
}

export interface Change {
  operation: number;
  time: string;
  actor: string;
  tool: string;
  kind?: string;
  path?: string;
  to?: string;
  changes?: number;
  interrupted?: boolean;
  notUndoable?: string;
  undoes?: number;
  undoneBy?: number;
}

export interface ChangeDetail extends Change {
  files: { kind: string; path: string; to?: string; diff?: string; note?: string }[];
}

export interface SessionInfo {
  userId: string;
  user?: string;
  scopes: string[];
  key?: string;
}
