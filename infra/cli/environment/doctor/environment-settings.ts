import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';

/** The settings of this checkout. */
export const SETTINGS_FOLDER = resolve(import.meta.dirname, '../../../settings');

/** The settings of an environment that the account must agree with. */
export interface EnvironmentSettings {
  readonly account?: string;
  readonly region?: string;
  readonly browserOrigins?: BrowserOrigins;
  readonly concurrencyQuota?: number;
  readonly restoredTables?: Readonly<Record<string, string>>;
}

/** The settings of an environment; none if it has no file. A synth reports malformed ones. */
export function readEnvironmentSettings(folder: string, stage: string): EnvironmentSettings {
  try {
    return JSON.parse(readFileSync(join(folder, `${stage}.json`), 'utf8'));
  } catch {
    return {};
  }
}
