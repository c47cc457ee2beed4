// Who uses this page. Of a session's secret one half is in a cookie that no script can read, and
// this is the other; see docs/adr/0014.
import { ApiError, type Problem, type SessionInfo } from './api.ts';
import { Live } from './live.ts';

const storedKey = 'cordon.key';

export type Session =
  | { state: 'unknown' }
  | { state: 'out'; why?: string }
  | { state: 'in'; info: SessionInfo };

export const session = new Live<Session>({ state: 'unknown' });

export const sessionKey = () => localStorage.getItem(storedKey);

function signedOut(why?: string): void {
  localStorage.removeItem(storedKey);
  session.set(why ? { state: 'out', why } : { state: 'out' });
}

async function problemOf(response: Response): Promise<ApiError> {
  let problem: Problem = { code: 'IO_ERROR', message: `The server answered ${response.status}.` };
  try {
    problem = ((await response.json()) as { error: Problem }).error ?? problem;
  } catch {
    // Not one of the server's own answers: the status has to do.
  }
  return new ApiError(response.status, problem.code, problem.message);
}

// One request to the API. Fails with ApiError; 401 also ends the session on this side.
export async function send(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  const key = sessionKey();
  if (key) headers.set('Cordon-Key', key);
  let response: Response;
  try {
    response = await fetch(path, { ...options, headers, cache: 'no-store' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'UNREACHABLE', 'The server cannot be reached.');
  }
  if (response.ok) return response;
  if (response.status === 401 && key && key === sessionKey()) {
    signedOut('Your session has ended. Sign in again.');
  }
  throw await problemOf(response);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await send(path, signal ? { signal } : {})).json()) as T;
}

// Whether this session has a scope; `admin` has every one.
export function may(scope: string): boolean {
  const now = session.value;
  return now.state === 'in' && (now.info.scopes.includes(scope) || now.info.scopes.includes('admin'));
}

async function sendJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const options: RequestInit = { method };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { 'Content-Type': 'application/json' };
  }
  const response = await send(path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const post = <T = void>(path: string, body?: unknown): Promise<T> =>
  sendJson<T>('POST', path, body);

export const put = <T>(path: string, body: unknown): Promise<T> => sendJson<T>('PUT', path, body);

export async function remove(path: string): Promise<void> {
  await send(path, { method: 'DELETE' });
}

export async function signIn(how: { code: string } | { token: string }): Promise<void> {
  localStorage.removeItem(storedKey);
  const info = await post<SessionInfo>('/v1/session', how);
  if (info.key) localStorage.setItem(storedKey, info.key);
  session.set({ state: 'in', info });
}

export async function signOut(): Promise<void> {
  try {
    await remove('/v1/session');
  } finally {
    signedOut();
  }
}

const codeForm = /^#code=([0-9a-zA-Z_-]+)$/;

// A link that is opened while the page is there already loads nothing anew.
export const hasCode = (): boolean => codeForm.test(location.hash);

// The code of a link, taken out of the address at once so that it stays in no history.
function takeCode(): string | undefined {
  const found = codeForm.exec(location.hash);
  if (!found) return undefined;
  history.replaceState(null, '', location.pathname + '#/approvals');
  return found[1];
}

// Finds out who is there. A server that cannot be reached is tried again.
export async function begin(): Promise<void> {
  const code = takeCode();
  if (code) {
    try {
      await signIn({ code });
      return;
    } catch (error) {
      signedOut(error instanceof ApiError && error.status === 401
        ? 'This link was used before or is too old. Ask for a new one, or sign in with a token.'
        : String((error as Error).message));
      return;
    }
  }
  if (!sessionKey()) return signedOut();
  for (let pause = 500; ; pause = Math.min(pause * 2, 8000)) {
    try {
      session.set({ state: 'in', info: await get<SessionInfo>('/v1/session') });
      return;
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) return;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}
