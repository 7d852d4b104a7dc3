import type { DomainSession } from '../../domains/domain-session.ts';
import type { EnvironmentSettings } from '../doctor/examination.ts';
import type { DomainNames } from './domains-step.ts';

/** What the steps work with. */
export interface Acceptance {
  readonly session: DomainSession;
  readonly region: string;
  /** Whose credentials these are; undefined on one machine. */
  readonly callerArn: string | undefined;
  readonly settingsFolder: string;
  /** None on one machine: the local AWS reads no settings. */
  readonly settings: EnvironmentSettings;
  readonly domains: DomainNames;
  readonly wantsTeardown: boolean;
}
