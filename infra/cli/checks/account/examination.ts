import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EnvironmentState } from '../../../../shared/operator/contract.ts';
import { usageError } from '../../../operator/connection/command-error.ts';
import type { Target } from '../../../operator/connection/target.ts';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { DeployedStack } from '../../environment/deployed-stack.ts';
import type { Session } from '../../framework/session.ts';
import { type Check, skipped } from '../check.ts';

export interface Examination {
  readonly session: Session;
  /** The settings of the SDK clients of the person who runs the command. */
  readonly clientOptions: Target['aws'];
  /** Who runs the command, and in which account; undefined on this machine. */
  readonly caller: { readonly account: string; readonly arn: string } | undefined;
  readonly region: string;
  readonly settings: EnvironmentSettings;
  /** What the function for checks knows; undefined if there is none. */
  readonly state: EnvironmentState | undefined;
  /** The stack of the environment; undefined if there is none. It is read once. */
  stack(): Promise<DeployedStack | undefined>;
}

export type AccountCheck = Check<Examination>;

/** For a check of what only the function for checks knows. */
export const UNKNOWN_STATE = skipped('there is no function to ask: see operator');

export const SETTINGS_OPTION = [
  '--settings <folder>',
  'the settings the environment was deployed with (default: infra/settings of this checkout)',
] as const;

/** The settings of an environment that the account must agree with. */
export interface EnvironmentSettings {
  readonly account?: string;
  readonly region?: string;
  readonly alarmAddress?: string;
  readonly domainEventsAddress?: string;
  readonly browserOrigins?: BrowserOrigins;
  readonly concurrencyQuota?: number;
  readonly managedZoneIds?: readonly string[];
  readonly restoredTables?: Readonly<Record<string, string>>;
  readonly protected?: boolean;
}

/** The settings of an environment in the folder of that option; none if it has no file. A synth reports malformed ones. */
export function readEnvironmentSettings(
  { stage, isLocal }: Target,
  folder = resolve(import.meta.dirname, '../../../settings'),
): EnvironmentSettings {
  if (!existsSync(folder)) throw usageError(`The --settings folder doesn't exist: ${folder}.`);
  // The local AWS reads no settings.
  if (isLocal) return {};
  try {
    return JSON.parse(readFileSync(join(folder, `${stage}.json`), 'utf8'));
  } catch {
    return {};
  }
}
