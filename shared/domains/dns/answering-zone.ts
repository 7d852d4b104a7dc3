import { query } from './dns-query.ts';
import { TIMEOUT_MS } from './lookup.ts';
import { withoutTrailingDot } from './trailing-dot.ts';

/** The zone that answers for a name that does not exist; undefined if the resolver does not say. */
export type AnsweringZone = (name: string) => Promise<string | undefined>;

/**
 * Asks a recursive resolver for a name, and returns the owner of the SOA record that comes with the answer that there is
 * no such name: the zone that the resolver was led to.
 */
export function answeringZone(server: string): AnsweringZone {
  return async name => {
    try {
      const { authorities } = await query(
        server,
        { name, type: 'TXT' },
        { isRecursive: true, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
      );
      const soa = authorities.find(({ type }) => type === 'SOA');
      return soa && withoutTrailingDot(soa.name);
    } catch {
      return undefined;
    }
  };
}
