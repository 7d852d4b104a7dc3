import type { Answer } from '../server/environment-view.ts';
import { LiveQuery, type Snapshot } from './live-query.ts';
import { INTERVAL_MS, startPolling } from './polling.ts';

/** A read that several components may show. It is polled while at least one does. */
export interface LiveEntry<Value> {
  readonly snapshot: Snapshot<Value>;
  watch(listener: () => void): () => void;
}

interface StoredEntry extends LiveEntry<unknown> {
  /** Reads anew, and drops what is under way. */
  renew(): void;
}

/** Values stay when nobody shows them, so that going back shows at once what was there. */
const entries = new Map<string, StoredEntry>();

export function liveEntry<Value>(
  key: string,
  read: () => Promise<Answer<Value>>,
  intervalMs?: number,
): LiveEntry<Value> {
  const entry = entries.get(key) ?? newEntry(read, intervalMs);
  entries.set(key, entry);
  return entry as LiveEntry<Value>;
}

function newEntry<Value>(read: () => Promise<Answer<Value>>, intervalMs = INTERVAL_MS): StoredEntry {
  const listeners = new Set<() => void>();
  const query = new LiveQuery(read, () => {
    for (const listener of [...listeners]) listener();
  });
  let polling: ReturnType<typeof startPolling> | undefined;
  return {
    get snapshot() {
      return query.snapshot;
    },
    watch(listener) {
      listeners.add(listener);
      polling ??= startPolling({
        async refresh() {
          await query.refresh();
          return query.snapshot.error === undefined;
        },
        intervalMs,
        isVisible: () => document.visibilityState === 'visible',
      });
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        polling?.stop();
        polling = undefined;
      };
    },
    renew() {
      query.outdate();
      polling?.now();
    },
  };
}

/** Reads everything on the screen anew, after something was changed. */
export function refreshAll(): void {
  for (const entry of entries.values()) entry.renew();
}

export function startRefreshingWhenVisible(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') refreshAll();
  });
}
