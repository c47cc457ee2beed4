// Which view the address names. Everything is behind the hash, so that the server knows one page.
import { useEffect, useState } from 'preact/hooks';

export type SandboxTab = 'overview' | 'terminal' | 'logs' | 'changes';
export const sandboxTabs: SandboxTab[] = ['overview', 'terminal', 'logs', 'changes'];

export type Place =
  | { view: 'approvals' }
  | { view: 'sandboxes' }
  | { view: 'sandbox'; id: string; tab: SandboxTab }
  | { view: 'audit'; filter: URLSearchParams };

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [view, id, tab] = path.split('/');
  if (view === 'audit') return { view: 'audit', filter: new URLSearchParams(query) };
  if (view === 'sandboxes' && id && /^[a-z2-7]{26}$/.test(id)) {
    const known = sandboxTabs.find((one) => one === tab);
    return { view: 'sandbox', id, tab: known ?? 'overview' };
  }
  if (view === 'sandboxes') return { view: 'sandboxes' };
  return { view: 'approvals' };
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return parsePlace(hash);
}
