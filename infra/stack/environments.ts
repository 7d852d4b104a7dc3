import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type BrowserOrigins, defaultBrowserOrigins } from '../settings/browser-origins.ts';
import { environmentNameFault, stackNameOf } from '../settings/environment-name.ts';
import { type Throttle, throttleOf } from '../settings/regions.ts';
import { readSettings, refuseStrayFiles, type Settings, SettingsError } from '../settings/settings.ts';

export interface AlarmAddresses {
  /** The email address for alarms that mean that clients are affected. */
  readonly pages: string;
  /** The address for those that can wait until morning. */
  readonly tickets: string;
  /** Monthly cost of the whole account, in US dollars, above which there is a ticket; undefined for no budget. */
  readonly monthlyBudget: number | undefined;
}

/** What differs between environments; the stack branches on nothing else. */
export interface Environment {
  readonly stackName: string;
  /** The name of the environment and of API Gateway's stage, which is the first part of every path. */
  readonly stage: string;
  readonly apiKeyPrefix: string;
  /**
   * The stages that the API's host serves: all of them on one machine; on AWS just one, since each stage has its own API.
   */
  readonly stagesOfHost: readonly string[];
  /** The account and region it can be deployed to; those of the shell's credentials if absent. */
  readonly pinned: { readonly account?: string; readonly region?: string };
  /** Whether tables, secret and zone survive the deletion of the stack. */
  readonly keepsData: boolean;
  readonly logRetention: RetentionDays;
  /** Who gets alarms. Without addresses there are no alarms, no canary and no budget. */
  readonly alarms: AlarmAddresses | undefined;
  /**
   * Whether the stack sets the role with which API Gateway writes logs; stages that log can't be created without it. All APIs
   * of an account and region share one role, so if several stacks set it, the last deploy wins.
   */
  readonly setsGatewayLogRole: boolean;

  // The settings of these names, which infra/settings/README.md explains.
  readonly bootstrapQualifier: string | undefined;
  readonly platformDomain: string | undefined;
  /** An operator who may add domains can add names of these zones. */
  readonly managedZoneIds: readonly string[];
  /** Undefined for the default of the region that the stack is deployed to, which no setting names. */
  readonly throttle: Throttle | undefined;
  readonly throttlePerKey: Throttle;
  readonly browserOrigins: BrowserOrigins;
  readonly hstsMaxAge: number;
  readonly petShards: number;
  readonly domainEventsAddress: string | undefined;
  readonly concurrencyQuota: number;
  readonly tracing: boolean;
  readonly requestsPerAddress: number | undefined;
  readonly webAclArn: string | undefined;
  readonly restoredTables: NonNullable<Settings['restoredTables']>;
  readonly protected: boolean;
}

/** The limit of each API key, where the stage allows as much. */
const DEFAULT_THROTTLE_PER_KEY = { ratePerSecond: 200, burst: 1000 };

/** In seconds. A domain that moves to a server without TLS can be reached there a day later. */
const ONE_DAY = 86_400;

/** An environment with the defaults in place of settings that are absent. */
export function environmentNamed(name: string, settings: Settings = {}): Environment {
  const isProduction = name === 'production';
  const { account, region } = settings;
  const throttle = settings.throttle ?? (region === undefined ? undefined : throttleOf(region));
  return {
    stackName: stackNameOf(name),
    stage: name,
    apiKeyPrefix: isProduction ? 'pet_live_' : 'pet_test_',
    stagesOfHost: [name],
    pinned: { ...(account && { account }), ...(region && { region }) },
    bootstrapQualifier: settings.bootstrapQualifier,
    platformDomain: settings.platformDomain,
    managedZoneIds: settings.managedZoneIds ?? [],
    keepsData: isProduction,
    logRetention:
      settings.logRetentionDays ?? (isProduction ? RetentionDays.THREE_MONTHS : RetentionDays.TWO_WEEKS),
    throttle,
    throttlePerKey: settings.throttlePerKey ?? lower(DEFAULT_THROTTLE_PER_KEY, throttle),
    browserOrigins: settings.browserOrigins ?? defaultBrowserOrigins(name),
    hstsMaxAge: settings.hstsMaxAge ?? ONE_DAY,
    petShards: settings.petShards ?? 1,
    alarms: settings.alarmAddress
      ? {
          pages: settings.alarmAddress,
          tickets: settings.ticketAddress ?? settings.alarmAddress,
          monthlyBudget: settings.monthlyBudget,
        }
      : undefined,
    domainEventsAddress: settings.domainEventsAddress,
    concurrencyQuota: settings.concurrencyQuota ?? 1000,
    tracing: settings.tracing ?? false,
    requestsPerAddress: settings.requestsPerAddress,
    webAclArn: settings.webAclArn,
    restoredTables: settings.restoredTables ?? {},
    protected: settings.protected ?? false,
    setsGatewayLogRole: settings.gatewayLogRole ?? true,
  };
}

/** The lower limits of two. */
function lower(one: Throttle, other: Throttle = one): Throttle {
  return {
    ratePerSecond: Math.min(one.ratePerSecond, other.ratePerSecond),
    burst: Math.min(one.burst, other.burst),
  };
}

/** Nobody gets these emails: they're written to a log file. */
const domainEventsAddress = 'domains@petstore.test';

/**
 * The environments that `npm start` runs. Their platform domains are reserved names, which resolve on this machine
 * only. The settings files are for AWS and are not read, so that what runs here depends on the sources alone.
 */
export const LOCAL_ENVIRONMENTS = localEnvironments();

/** What may differ there: the simulation has a managed zone. */
export type LocalSettings = Pick<Settings, 'managedZoneIds'>;

export function localEnvironments(settings: LocalSettings = {}): readonly Environment[] {
  const more = { ...settings, domainEventsAddress };
  return [
    environmentNamed('production', { ...more, platformDomain: 'apps.petstore.test' }),
    environmentNamed('staging', { ...more, platformDomain: 'apps.staging.petstore.test' }),
  ].map(environment => ({ ...environment, stagesOfHost: ['production', 'staging'] }));
}

/** The environments of a deploy with the settings of a folder: production, staging, and a personal one if it is named. */
export function deployedEnvironments(settingsFolder: string, personal?: string): Environment[] {
  const fault = personal === undefined ? undefined : environmentNameFault(personal);
  if (fault) throw new SettingsError(`-c environment=${personal} isn't an environment: ${fault}`);
  refuseStrayFiles(settingsFolder);
  const names = new Set(['production', 'staging', ...(personal === undefined ? [] : [personal])]);
  const environments = [...names].map(name => environmentNamed(name, readSettings(settingsFolder, name)));
  refuseSharedLogRole(environments, settingsFolder);
  refuseSharedPlatformDomain(environments, settingsFolder);
  return environments;
}

/**
 * An account has one role for logs per region. Two environments pinned to the same place would take it from each other at
 * every deploy.
 */
function refuseSharedLogRole(environments: readonly Environment[], settingsFolder: string): void {
  const owners = environments.filter(({ setsGatewayLogRole }) => setsGatewayLogRole);
  for (const [index, { stage, pinned }] of owners.entries()) {
    const { account, region } = pinned;
    if (account === undefined || region === undefined) continue;
    const rival = owners
      .slice(0, index)
      .find(other => other.pinned.account === account && other.pinned.region === region);
    if (rival === undefined) continue;
    throw new SettingsError(
      `${settingsFolder}: ${rival.stage}.json and ${stage}.json are both for the account ${account} in ${region}, where API Gateway has one role for logs. Set gatewayLogRole to false for the one that is deployed after the other.`,
    );
  }
}

/** The parent can delegate a name to one zone only. */
function refuseSharedPlatformDomain(environments: readonly Environment[], settingsFolder: string): void {
  for (const [index, { stage, platformDomain }] of environments.entries()) {
    if (platformDomain === undefined) continue;
    const other = environments.slice(0, index).find(each => each.platformDomain === platformDomain);
    if (other === undefined) continue;
    throw new SettingsError(
      `${settingsFolder}: platformDomain of ${stage}.json must differ from that of ${other.stage}.json, not both be ${JSON.stringify(platformDomain)}.`,
    );
  }
}
