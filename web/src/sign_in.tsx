import { useRef, useState } from 'preact/hooks';
import { ApiError } from './api.ts';
import { Notice } from './parts.tsx';
import { signIn } from './session.ts';

export function SignIn({ why }: { why: string | undefined }) {
  const [failed, setFailed] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailed(undefined);
    try {
      await signIn({ token: field.current?.value.trim() ?? '' });
    } catch (error) {
      const wrong = error instanceof ApiError && error.status === 401;
      setFailed(wrong ? 'This token opens nothing here.' : (error as Error).message);
      setBusy(false);
      field.current?.select();
    }
  };

  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>
          <span class="brand-mark" aria-hidden="true" />
          Cordon
        </h1>
        {why && !failed && <Notice tone="wait">{why}</Notice>}
        {failed && <Notice tone="bad">{failed}</Notice>}
        <label for="token">API token</label>
        <input
          id="token"
          ref={field}
          type="password"
          autoComplete="off"
          spellcheck={false}
          required
          autoFocus
        />
        <button class="button button-main" type="submit" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="hint">
          <code>cordon serve</code> prints a link when it starts that signs in once, without a token.
        </p>
      </form>
    </main>
  );
}
