import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import type { Settings } from '../../../../infra/settings/settings.ts';
import { SOURCES } from '../../../../infra/start/synthesize.ts';
import { cachedFolder } from '../../../../infra/tools/build-cache.ts';
import { PROJECT } from '../../../service/running-service.ts';

const OWN_SOURCES = join(relative(PROJECT, import.meta.dirname), '*.ts');

/** The stacks of other environments. */
export function otherEnvironments(): CloudAssembly {
  return new CloudAssembly(synthesized());
}

/** Within the assembly, that of both standing environments with every setting that adds something. */
export const COMPLETE_FOLDER = 'complete';

export function completeStacks(): string {
  return join(synthesized(), COMPLETE_FOLDER);
}

let known: string | undefined;

function synthesized(): string {
  known ??= synthesize();
  return known;
}

/** A synthesis takes seconds, so it is kept until a source changes. */
function synthesize(): string {
  const assembly = cachedFolder('other-environments', [...SOURCES, OWN_SOURCES]);
  if (assembly.isComplete) return assembly.folder;
  const { context } = JSON.parse(readFileSync(join(PROJECT, 'cdk.json'), 'utf8'));
  execFileSync(process.execPath, [join(import.meta.dirname, 'app.ts')], {
    env: { ...process.env, CDK_OUTDIR: assembly.unfinished, CDK_CONTEXT_JSON: JSON.stringify(context) },
  });
  return assembly.complete();
}

export const LISTED_ORIGINS = ['https://app.zoo.dev', 'http://localhost:5173'] as const;

const COMPLETE = {
  managedZoneIds: ['Z0ZOO', 'Z0FARM'],
  browserOrigins: LISTED_ORIGINS,
  requestsPerAddress: 2000,
  alarmAddress: 'pages@zoo.dev',
  ticketAddress: 'tickets@zoo.dev',
  domainEventsAddress: 'domains@petstore.test',
  monthlyBudget: 100,
  tracing: true,
  throttle: { ratePerSecond: 5000, burst: 2500 },
} satisfies Settings;

export const COMPLETE_ENVIRONMENTS = {
  production: { ...COMPLETE, platformDomain: 'apps.petstore.test' },
  staging: { ...COMPLETE, platformDomain: 'apps.staging.petstore.test' },
} satisfies Record<string, Settings>;

/** Settings by the name of the environment. Those of `npm start` have a platform domain and nothing else. */
export const OTHER_ENVIRONMENTS = {
  sandbox: {},
  zoo: { browserOrigins: LISTED_ORIGINS, hstsMaxAge: 300, requestsPerAddress: 2000 },
  production: {
    account: '111122223333',
    region: 'eu-central-1',
    bootstrapQualifier: 'zooprod',
    platformDomain: 'apps.zoo.dev',
    managedZoneIds: ['Z0ZOO', 'Z0FARM'],
    protected: true,
    throttle: { ratePerSecond: 7, burst: 8 },
    throttlePerKey: { ratePerSecond: 3, burst: 4 },
    browserOrigins: ['https://app.zoo.dev'],
    petShards: 5,
    alarmAddress: 'ops@zoo.dev',
    ticketAddress: 'desk@zoo.dev',
    domainEventsAddress: 'domains@zoo.dev',
    monthlyBudget: 250,
    tracing: true,
    webAclArn: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/zoo/0a1b2c3d',
    restoredTables: { orders: 'orders-of-monday' },
    logRetentionDays: 365,
  },
} satisfies Record<string, Settings>;
