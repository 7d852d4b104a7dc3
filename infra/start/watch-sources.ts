import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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
      watchers = renewed(watchers, changed);
      running = running.then(onChange);
    }, QUIET_MS);
  };
  let watchers = watchFolders(changed);
  return {
    close() {
      clearTimeout(timer);
      closeAll(watchers);
    },
  };
}

/**
 * Watches every folder by itself. Node's recursive watch follows the file that a name stood for at first, and loses
 * it when an editor saves by moving a new file over the old one.
 */
function watchFolders(changed: () => void): FSWatcher[] {
  return WATCHED.flatMap(path => {
    if (statSync(path).isFile()) {
      return [watch(dirname(path), (_event, name) => name === basename(path) && changed())];
    }
    const below = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    return [path, ...below].map(folder => watch(folder, changed));
  });
}

/** Watches the folders as they are now, including those that the change has created. */
function renewed(watchers: FSWatcher[], changed: () => void): FSWatcher[] {
  try {
    const now = watchFolders(changed);
    closeAll(watchers);
    return now;
  } catch {
    // A folder was deleted in between, which is the next change.
    return watchers;
  }
}

function closeAll(watchers: FSWatcher[]): void {
  for (const watcher of watchers) watcher.close();
}
