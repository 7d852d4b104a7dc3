import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { parse } from 'tldts';
import * as z from 'zod';
import { MAXIMUM_SHARDS } from '../../shared/time-id.ts';
import { nearest } from '../tools/nearest.ts';
import { type BrowserOrigins, isOrigin } from './browser-origins.ts';
import { environmentNameFault } from './environment-name.ts';
import { HIGHEST_THROTTLE, REGIONS, throttleOf } from './regions.ts';

/** The tables of the stack, by the names that the setting restoredTables gives them. */
export const TABLES = [
  'pets',
  'idempotencyKeys',
  'orders',
  'apiKeys',
  'projects',
  'domains',
  'audit',
] as const;
export type TableName = (typeof TABLES)[number];

const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

const count = (maximum: number, error: string) => z.int({ error }).min(1, { error }).max(maximum, { error });

/** API Gateway refuses more than this many requests per second. */
const MAXIMUM_RATE = 100_000;
const rate = count(MAXIMUM_RATE, `must be a whole number from 1 to ${MAXIMUM_RATE}`);
const Throttle = z.strictObject({ ratePerSecond: rate, burst: rate }, { error: notA('an object') });

/** A name of DynamoDB: the setting is for a table that was restored from a point in time, beside those of the stack. */
const RestoredTables = z
  .strictObject(
    Object.fromEntries(
      TABLES.map(table => [
        table,
        text(/^[\w.-]{3,255}$/, 'must be the name of a table in the account and region of the stack'),
      ]),
    ) as Record<TableName, z.ZodString>,
    { error: notA('an object of table names') },
  )
  .partial();

const ORIGIN_WANTED =
  'must be an origin such as "https://app.example.com" or "http://localhost:5173", without a path';
const Origins = z
  .custom<BrowserOrigins>(given => given === '*' || Array.isArray(given), {
    error: 'must be "*" or a list of origins',
  })
  .superRefine((origins, context) => {
    for (const [index, origin] of [...origins].entries()) {
      if (origins !== '*' && !isOrigin(String(origin))) {
        context.addIssue({ code: 'custom', path: [index], message: ORIGIN_WANTED });
      }
    }
  });

const retentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** AWS WAF takes no lower limit. */
const LEAST_REQUESTS_PER_ADDRESS = 10;
const REQUESTS_WANTED = `must be a whole number of at least ${LEAST_REQUESTS_PER_ADDRESS}`;

/** In seconds. A domain that leaves for a server without TLS could not be reached by its visitors for as long. */
const TWO_YEARS = 63_072_000;
const MAX_AGE_WANTED = `must be a whole number of seconds from 0 to ${TWO_YEARS} (two years)`;

/** What an engineer may set for an environment; every setting has a default or does without. README.md explains each. */
const Settings = z
  .strictObject(
    {
      account: text(/^\d{12}$/, 'must be the 12 digits of an AWS account, in quotes'),
      region: z.literal([...REGIONS], { error: 'must be an AWS region such as "eu-central-1"' }),
      bootstrapQualifier: text(/^[a-z0-9]{1,10}$/, 'must be 1 to 10 small letters and digits'),
      platformDomain: z.string({ error: notA('a domain name') }).superRefine((name, context) => {
        const fault = platformDomainFault(name);
        if (fault) context.addIssue({ code: 'custom', message: fault });
      }),
      managedZoneIds: z.array(
        text(/^Z[0-9A-Z]{1,31}$/, 'must be the ID of a hosted zone, such as "Z0123456789ABCDEFGHIJ"'),
        { error: notA('a list of ids') },
      ),
      throttle: Throttle,
      throttlePerKey: Throttle,
      browserOrigins: Origins,
      hstsMaxAge: z
        .int({ error: MAX_AGE_WANTED })
        .min(0, { error: MAX_AGE_WANTED })
        .max(TWO_YEARS, { error: MAX_AGE_WANTED }),
      petShards: count(MAXIMUM_SHARDS, `must be a whole number from 1 to ${MAXIMUM_SHARDS}`),
      alarmAddress: z.email({ error: 'must be an email address' }),
      ticketAddress: z.email({ error: 'must be an email address' }),
      domainEventsAddress: z.email({ error: 'must be an email address' }),
      monthlyBudget: count(1_000_000, 'must be a whole number of US dollars'),
      concurrencyQuota: count(1_000_000, 'must be the number of concurrent executions that Lambda allows'),
      tracing: z.boolean({ error: 'must be true or false' }),
      requestsPerAddress: z
        .int({ error: REQUESTS_WANTED })
        .min(LEAST_REQUESTS_PER_ADDRESS, { error: REQUESTS_WANTED })
        .max(2_000_000_000, { error: REQUESTS_WANTED }),
      webAclArn: text(
        /^arn:[\w-]+:wafv2:[\w-]+:\d{12}:regional\/webacl\/[\w-]+\/[\w-]+$/,
        'must be the ARN of a regional web ACL',
      ),
      restoredTables: RestoredTables,
      gatewayLogRole: z.boolean({ error: 'must be true or false' }),
      protected: z.boolean({ error: 'must be true or false' }),
      logRetentionDays: z.literal(retentions, { error: `must be one of ${retentions.join(', ')}` }),
    },
    { error: notA('an object') },
  )
  .partial()
  .refine(({ webAclArn, requestsPerAddress }) => !(webAclArn && requestsPerAddress), {
    error: "webAclArn and requestsPerAddress can't be used together: an API has one web ACL",
  })
  .refine(
    ({ alarmAddress, ticketAddress, monthlyBudget }) => alarmAddress || !(ticketAddress || monthlyBudget),
    { error: 'ticketAddress and monthlyBudget need an alarmAddress: without one there are no alarms' },
  )
  .superRefine((settings, context) => {
    const fault = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message });
    const [, , , aclRegion, aclAccount] = settings.webAclArn?.split(':') ?? [];
    const { account, region } = settings;
    if (aclRegion !== undefined && region !== undefined && aclRegion !== region) {
      fault(`must be of the region of the environment, ${region}`, 'webAclArn');
    }
    if (aclAccount !== undefined && account !== undefined && aclAccount !== account) {
      fault(`must be of the account of the environment, ${account}`, 'webAclArn');
    }
    if (settings.monthlyBudget !== undefined && region?.startsWith('cn-')) {
      fault(
        'monthlyBudget is in US dollars, but AWS bills the regions in China in yuan: leave it out, and create a budget in the console',
      );
    }
    const stage = settings.throttle ?? (region === undefined ? HIGHEST_THROTTLE : throttleOf(region));
    for (const limit of ['ratePerSecond', 'burst'] as const) {
      if ((settings.throttlePerKey?.[limit] ?? 0) <= stage[limit]) continue;
      fault(`must be at most ${stage[limit]}, that of the whole stage (throttle)`, 'throttlePerKey', limit);
    }
  });
export type Settings = Readonly<z.infer<typeof Settings>>;

export const SETTING_NAMES = Object.keys(Settings.shape);

/** The message of an object's own fault. Zod reports unknown fields by the same way, and those get their own message. */
function notA(kind: string) {
  return ({ code }: { code?: string }) => (code === 'unrecognized_keys' ? undefined : `must be ${kind}`);
}

/** A settings file is refused. The message is one line that names the file and every setting that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** The settings of an environment: those of the folder's file <environment>.json, or none if there is no such file. */
export function readSettings(folder: string, environment: string): Settings {
  const file = join(folder, `${environment}.json`);
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  return parseSettings(content, file);
}

/** Refuses settings files that no environment would read, such as prodution.json. */
export function refuseStrayFiles(folder: string): void {
  for (const name of filesOf(folder)) {
    if (!name.endsWith('.json')) continue;
    const fault = environmentNameFault(name.slice(0, -'.json'.length));
    if (fault) throw new SettingsError(`${join(folder, name)} isn't named after an environment: ${fault}`);
  }
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new SettingsError(`The settings folder ${folder} can't be read.`, { cause: error });
  }
}

function parseSettings(content: string, file: string): Settings {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    throw new SettingsError(`${file} is not JSON: ${why}`, { cause: error });
  }
  const { success, data, error } = Settings.safeParse(given);
  if (success) return data;
  // A value that breaks two rules has two issues with the same message.
  const faults = new Set(error.issues.flatMap(issue => faultsOf(issue, given)));
  throw new SettingsError(`${file}: ${[...faults].join('; ')}.`);
}

function faultsOf(issue: z.core.$ZodIssue, given: unknown): string[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownNames(issue.path);
    return issue.keys.map(key => {
      const meant = nearest(key, known);
      const name = [...issue.path, key].join('.');
      return `there is no setting ${name}${meant ? ` (did you mean ${meant}?)` : ''}`;
    });
  }
  // A fault of two settings together names them itself.
  if (issue.code === 'custom' && issue.path.length === 0) return [issue.message];
  const value = issue.path.reduce<unknown>(
    (parent, key) => (parent as Record<PropertyKey, unknown>)?.[key],
    given,
  );
  const name = issue.path.length === 0 ? 'the content' : issue.path.join('.');
  return [
    value === undefined ? `${name} is missing` : `${name} ${issue.message}, not ${JSON.stringify(value)}`,
  ];
}

/** The names that an object of the settings may have. */
function knownNames([setting]: readonly PropertyKey[]): readonly string[] {
  if (setting === undefined) return SETTING_NAMES;
  return setting === 'restoredTables' ? TABLES : Object.keys(Throttle.shape);
}

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** The certificate of all default URLs is for `*.<platform domain>`, and the common name of a certificate has 64 characters. */
const LONGEST_PLATFORM_DOMAIN = 64 - '*.'.length;

/** Names that RFC 2606, 6761 and 6762 reserve: no parent zone can delegate them. Route 53 refuses example.com, too. */
const RESERVED = [
  'example',
  'test',
  'local',
  'invalid',
  'localhost',
  'example.com',
  'example.net',
  'example.org',
];

/** Why a name cannot be the platform's domain, as the end of a sentence; undefined if it can. */
export function platformDomainFault(name: string): string | undefined {
  const isHostName = name.includes('.') && name.split('.').every(label => LABEL.test(label));
  if (!isHostName) {
    return 'must be a domain name in lowercase without a trailing dot, such as "apps.your-company.com"';
  }
  if (name.length > LONGEST_PLATFORM_DOMAIN) {
    return `must be at most ${LONGEST_PLATFORM_DOMAIN} characters long, or no certificate could be issued for the names below it`;
  }
  if (RESERVED.some(reserved => name === reserved || name.endsWith(`.${reserved}`))) {
    return 'must be a name that can be delegated to AWS, and not a reserved one';
  }
  const { domain, isIcann } = parse(name);
  if (!isIcann) return 'must be under a public top-level domain';
  if (domain === null) return 'must be a domain you can own, not a public suffix';
  return undefined;
}
