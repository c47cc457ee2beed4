// Which records are wanted, as the address and the API say it.
import type { AuditRecord } from './api.ts';

export const filterFields = ['event', 'decision', 'sandbox', 'conversation'] as const;
export type FilterField = (typeof filterFields)[number];

export interface AuditFilter {
  event: string;
  decision: string;
  sandbox: string;
  conversation: string;
  text: string; // looked for here, in what was loaded
  all: boolean;
}

export function readFilter(query: URLSearchParams): AuditFilter {
  const text = (name: string) => query.get(name) ?? '';
  return {
    event: text('event'),
    decision: text('decision'),
    sandbox: text('sandbox'),
    conversation: text('conversation'),
    text: text('text'),
    all: query.get('all') === 'true',
  };
}

function put(query: URLSearchParams, filter: AuditFilter): URLSearchParams {
  for (const name of filterFields) if (filter[name]) query.set(name, filter[name]);
  if (filter.all) query.set('all', 'true');
  return query;
}

// What the server filters by.
export const apiQuery = (filter: AuditFilter, more: Record<string, string> = {}): string =>
  put(new URLSearchParams(more), filter).toString();

export function addressOf(filter: AuditFilter): string {
  const query = put(new URLSearchParams(), filter);
  if (filter.text) query.set('text', filter.text);
  const text = query.toString();
  return text ? `#/audit?${text}` : '#/audit';
}

export function matches(record: AuditRecord, text: string): boolean {
  if (!text) return true;
  const wanted = text.toLowerCase();
  return [...Object.values(record), ...Object.values(record.path ?? {})].some(
    (value) => typeof value === 'string' && value.toLowerCase().includes(wanted),
  );
}

// Newest first, each once, so many at most.
export function merge(list: AuditRecord[], more: AuditRecord[], most: number): AuditRecord[] {
  const known = new Set(list.map((one) => one.seq));
  const fresh = more.filter((one) => !known.has(one.seq));
  if (fresh.length === 0) return list;
  return [...fresh, ...list].sort((a, b) => b.seq - a.seq).slice(0, most);
}
