import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';
import type { EnvironmentState } from '../../../../shared/operator/contract.ts';
import { usageError } from '../../../operator/connection/command-error.ts';
import type { Target } from '../../../operator/connection/target.ts';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { Session } from '../../framework/session.ts';

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

export interface DoctorCheck {
  readonly subject: string;
  /** Whether there is none on one machine. */
  readonly isOnlyOnAws?: true;
  /** The permissions that it takes, beside that to invoke the function for checks. */
  readonly permissions?: readonly string[];
  run(examination: Examination): Promise<Finding>;
}

/** What a check has found. A warning or a failure has a remedy. */
export type Finding =
  | { readonly status: 'ok'; readonly message: string }
  | { readonly status: 'warning' | 'failure'; readonly message: string; readonly remedy: string }
  /** The check does not apply to this environment. */
  | { readonly status: 'skipped'; readonly message: string };

export const ok = (message: string): Finding => ({ status: 'ok', message });
/** Something that works, and is not as it should be. */
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy });
/** Something that does not work, or that would lose data. */
export const failure = (message: string, remedy: string): Finding => ({ status: 'failure', message, remedy });
export const skipped = (message: string): Finding => ({ status: 'skipped', message });

/** For a check of what only the function for checks knows. */
export const UNKNOWN_STATE = skipped('there is no function to ask: see operator');

const MOST_LISTED = 10;

/** The first of the names, and how many more there are. */
export function listOf(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

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

export interface DeployedStack {
  readonly status: string;
  readonly isProtected: boolean;
  /** The physical ids of the resources of a type that exist, or of those whose logical ids begin so. */
  resourcesOf(type: string, logicalId?: string): readonly string[];
}

/** The stack with its resources; undefined if there is none of this name. */
export async function readStack(
  stackName: string,
  options: CloudFormationClientConfig,
): Promise<DeployedStack | undefined> {
  const { CloudFormationClient, DescribeStacksCommand, paginateListStackResources } = await import(
    '@aws-sdk/client-cloudformation'
  );
  const client = new CloudFormationClient(options);
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const pages = await Array.fromAsync(paginateListStackResources({ client }, { StackName: stackName }));
    const resources = pages
      .flatMap(({ StackResourceSummaries = [] }) => StackResourceSummaries)
      .filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
    return {
      status: stack?.StackStatus ?? 'UNKNOWN',
      isProtected: stack?.EnableTerminationProtection ?? false,
      resourcesOf: (type, begin = '') =>
        resources
          .filter(
            ({ ResourceType, LogicalResourceId }) =>
              ResourceType === type && LogicalResourceId?.startsWith(begin),
          )
          .map(({ PhysicalResourceId = '' }) => PhysicalResourceId),
    };
  } catch (error) {
    // CloudFormation has no name of its own for this error.
    const isAbsent =
      (error as Error).name === 'ValidationError' && /not exist/.test((error as Error).message);
    if (isAbsent) return undefined;
    throw error;
  }
}

/** The stack protects itself again within an hour: a deletion is to follow at once. */
export function unprotectCommandOf(stackName: string): string {
  return `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${stackName}`;
}
