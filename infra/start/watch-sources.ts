import { type FSWatcher, watch } from 'node:fs';
import { WATCHED } from './synthesize.ts';

/** An editor saves in several steps; what comes within this time is one change. */
const QUIET_MS = 100;

/** Calls back after each change of a source, one call at a time; a change during a call leads to another call. */
export function watchSources(onChange: () => Promise<void>): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(onChange);
    }, QUIET_MS);
  };
  const watchers: FSWatcher[] = WATCHED.map(path => watch(path, { recursive: true }, changed));
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}
