import type { Domain } from './domain.ts';

const MAX_HISTORY = 50;

/** Adds where the domain is now to its history, unless the last entry says the same. */
export function withHistory(domain: Domain, nowMs: number): Domain {
  const { history } = domain;
  const what = `${domain.status}: ${domain.message}`;
  if (history.at(-1)?.what === what) return domain;
  return { ...domain, history: [...history, { at: timeOf(nowMs), what }].slice(-MAX_HISTORY) };
}

/** A time as it is stored: RFC 3339, in UTC. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
