import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import { itemsOf, tableNames } from './table-items.ts';

/** `npm start` keeps the keys that it prints in this file on purpose. */
const KEPT_KEYS = 'api-keys.json';

/** Searches all tables, all files of the service and what it has reported for keys, or parts of them. */
export async function checkSecrets(context: SoakContext, folder: string, engine: Engine): Promise<void> {
  const { secrets, service, tally, violations } = context;
  const search = (place: string, text: string) => {
    tally.count('characters searched for keys', text.length);
    const at = secrets.find(text);
    if (at !== undefined) {
      const before = text.slice(Math.max(0, at - 80), at);
      violations.add('secret revealed', `${place} has a part of a key after ${JSON.stringify(before)}`);
    }
  };
  for (const table of await tableNames(engine)) {
    for (const item of await itemsOf(engine, table)) search(`the table ${table}`, JSON.stringify(item));
  }
  for (const entry of readdirSync(join(folder, '.local'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === KEPT_KEYS) continue;
    search(`the file ${entry.name}`, readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  }
  search('what the service has written to standard error', service.complaints);
}
