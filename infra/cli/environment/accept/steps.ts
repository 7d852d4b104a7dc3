import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ApiKey } from '@aws-sdk/client-api-gateway';
import { ENVIRONMENT_TAG, KEY_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { OPENAPI_ROUTE, REFERENCE_ROUTE } from '../../../../shared/docs/routes.ts';
import type { DomainSession } from '../../domains/domain-session.ts';
import { countOf } from '../../framework/style.ts';
import { interruptible } from '../../framework/terminal.ts';
import { diagnose } from '../doctor/doctor-command.ts';
import { type EnvironmentSettings, listOf } from '../doctor/examination.ts';
import { broken, type Check, expectError } from '../smoke/check.ts';
import { DomainTrial } from '../smoke/domain-trial.ts';
import { WRONG_METHODS } from '../smoke/every-operation-checks.ts';
import type { Send } from '../smoke/smoke-client.ts';
import {
  type CheckResult,
  connectSmoke,
  KEY_SPREAD_MS,
  REVOCATION_MS,
  runWithoutKeys,
  smoke,
} from '../smoke/smoke-command.ts';
import { forgetKeys, unrevokedText, withTemporaryKeys } from '../smoke/temporary-keys.ts';
import { tearDown } from '../teardown-command.ts';
import { type DomainNames, tryDomains } from './domains-step.ts';
import { measureGateway } from './gateway-step.ts';
import { durationText, type Outcome } from './report.ts';

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

/** One thing that a first deploy decides. An error that it throws is its failure. */
export interface Step {
  readonly name: string;
  readonly title: string;
  readonly on: 'AWS' | 'AWS and this machine';
  run(acceptance: Acceptance): Promise<Outcome>;
}

/** All steps, in their order. */
export const STEPS: readonly Step[] = [
  {
    name: 'doctor',
    title: 'problems in the environment',
    on: 'AWS and this machine',
    async run({ session, settingsFolder }) {
      const { findings } = await diagnose(session, settingsFolder);
      const count = (wanted: string) => findings.filter(({ status }) => status === wanted).length;
      return {
        result: count('failure') > 0 ? 'failed' : 'ok',
        message: `${countOf(count('ok'), 'subject')} ok, ${countOf(count('warning'), 'warning')}, ${countOf(count('failure'), 'failure')}`,
        facts: findings
          .filter(({ status }) => status === 'warning' || status === 'failure')
          .map(({ status, subject, message }) => `${status}: ${subject}: ${message}`),
      };
    },
  },
  {
    name: 'smoke',
    title: 'every operation as a client sees it',
    on: 'AWS and this machine',
    async run({ session, settings, domains }) {
      // The step of the domains tries the same flow with the names that were given.
      const hasNames = session.target.isLocal || Object.values(domains).some(name => name !== undefined);
      const trial = hasNames ? undefined : new DomainTrial(session, settings.managedZoneIds);
      const { checks, broken: names } = await smoke(session, settings, trial);
      const notable = checks.filter(({ outcome }) => outcome !== 'ok');
      return {
        result: names.length > 0 ? 'failed' : 'ok',
        message: `${countOf(checks.length, 'check')}, ${names.length} broken`,
        facts: notable.map(({ outcome, name, message }) => `${outcome}: ${name}: ${message}`),
      };
    },
  },
  {
    name: 'key-spread',
    title: 'how long a new API key takes to work, and a revoked one to stop',
    on: 'AWS and this machine',
    run: measureKeys,
  },
  {
    name: 'key-tags',
    title: 'whether API Gateway lists API keys with their tags',
    on: 'AWS and this machine',
    run: readKeyTags,
  },
  {
    name: 'media-types',
    title: 'whether API Gateway itself responds correctly to any media type',
    on: 'AWS and this machine',
    run: sendMediaTypes,
  },
  {
    name: 'large-bodies',
    title: 'whether bodies that are too large are refused correctly',
    on: 'AWS and this machine',
    run: sendLargeBodies,
  },
  {
    name: 'gateway',
    title: 'what no source says of API Gateway',
    on: 'AWS and this machine',
    run: ({ session }) => measureGateway(session),
  },
  {
    name: 'domains',
    title: 'subdomain, delegated zone and apex, from claim to removal',
    on: 'AWS and this machine',
    run: ({ session, settings, domains }) => tryDomains(session, domains, settings.managedZoneIds),
  },
  {
    name: 'attach-role',
    title: "whether roles have no access to others' domain names and certificates",
    on: 'AWS',
    run: simulateRoles,
  },
  {
    name: 'alarm-mail',
    title: "whether an alarm's email arrives",
    on: 'AWS',
    run: raiseAlarms,
  },
  {
    name: 'drift',
    title: 'whether the stack still matches its template',
    on: 'AWS',
    run: detectDrift,
  },
  {
    name: 'teardown',
    title: 'whether the environment can be removed',
    on: 'AWS and this machine',
    run: tryTeardown,
  },
];

/** How often keys are measured: API Gateway spreads each on its own. */
const SAMPLES = 3;

/** A key works, or is refused, once so many responses in a row say so: API Gateway has many hosts. */
const RESPONSES_IN_A_ROW = 10;

/** Longer than petstore smoke waits, so that a time that is too long is measured, too. */
const LONGEST_SPREAD_MS = 5 * 60_000;

interface Spread {
  /** When the wanted response came first, and from when on it always came; undefined if it never did. */
  readonly firstMs: number | undefined;
  readonly steadyMs: number | undefined;
}

async function measureKeys({ session }: Acceptance): Promise<Outcome> {
  const send = (await connectSmoke(session)).clientOf('');
  const intervalMs = session.target.isLocal ? 20 : 500;
  const facts: string[] = [];
  const spreads: Spread[] = [];
  const revocations: Spread[] = [];
  for (let sample = 1; sample <= SAMPLES; sample += 1) {
    session.progress(`Key ${sample} of ${SAMPLES}: waiting until it works, then until it is refused …`);
    const { result, keys, unrevoked } = await withTemporaryKeys(session, created =>
      // The key that was created last: the time begins with its creation.
      untilSteady(send, created.with('orders:read'), 200, intervalMs),
    );
    const [left] = unrevoked;
    if (left !== undefined) return { result: 'failed', message: unrevokedText(session, left), facts };
    const revoked = await untilSteady(send, keys.with('orders:read'), 401, intervalMs);
    spreads.push(result);
    revocations.push(revoked);
    facts.push(`key ${sample}: worked ${spreadText(result)}; once revoked, refused ${spreadText(revoked)}`);
  }
  await forgetKeys(session);
  const longest = (measured: readonly Spread[]) =>
    Math.max(...measured.map(({ steadyMs = Number.POSITIVE_INFINITY }) => steadyMs));
  const isInTime = longest(spreads) <= KEY_SPREAD_MS && longest(revocations) <= REVOCATION_MS;
  const times = `a new key works within ${timeText(longest(spreads))}, a revoked one is refused within ${timeText(longest(revocations))}`;
  return isInTime
    ? { result: 'ok', message: times, facts }
    : {
        result: 'failed',
        message: `${times}; petstore smoke waits ${KEY_SPREAD_MS / 1000} s and ${REVOCATION_MS / 1000} s`,
        facts,
      };
}

async function untilSteady(send: Send, key: string, wanted: number, intervalMs: number): Promise<Spread> {
  const startMs = Date.now();
  let firstMs: number | undefined;
  let steadyMs: number | undefined;
  for (let inARow = 0; inARow < RESPONSES_IN_A_ROW; ) {
    const { status } = await send('GET /store/orders?limit=1', { key });
    const elapsedMs = Date.now() - startMs;
    if (status === wanted) {
      firstMs ??= elapsedMs;
      steadyMs ??= elapsedMs;
      inARow += 1;
    } else {
      steadyMs = undefined;
      inARow = 0;
    }
    if (elapsedMs > LONGEST_SPREAD_MS) break;
    await pause(intervalMs);
  }
  return { firstMs, steadyMs };
}

function spreadText({ firstMs, steadyMs }: Spread): string {
  if (firstMs === undefined) return `never within ${durationText(LONGEST_SPREAD_MS)}`;
  const always = steadyMs === undefined ? `not always within ${durationText(LONGEST_SPREAD_MS)}` : undefined;
  return steadyMs === firstMs
    ? `after ${durationText(firstMs)}`
    : `first after ${durationText(firstMs)}, ${always ?? `always after ${durationText(steadyMs ?? 0)}`}`;
}

const timeText = (ms: number) =>
  durationText(Math.min(ms, LONGEST_SPREAD_MS)) + (ms > LONGEST_SPREAD_MS ? ' at the least' : '');

/** The reconcile of keys takes a key for the environment's if the list says so. */
async function readKeyTags({ session }: Acceptance): Promise<Outcome> {
  const { APIGatewayClient, GetApiKeyCommand, paginateGetApiKeys } = await import(
    '@aws-sdk/client-api-gateway'
  );
  const client = new APIGatewayClient(session.target.aws);
  const isOwn = (key: ApiKey | undefined, keyId: string) =>
    key?.tags?.[ENVIRONMENT_TAG] === session.target.stage && key.tags[KEY_TAG] === keyId;
  try {
    const { result } = await withTemporaryKeys(session, async () => {
      const { keys } = await session.read('keys.list');
      const [newest] = keys.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
      const keyId = newest?.id ?? '';
      const inList = async (nameQuery?: string) => {
        const pages = paginateGetApiKeys({ client, pageSize: 500 }, nameQuery ? { nameQuery } : {});
        for await (const { items = [] } of pages) {
          const found = items.find(({ name }) => name === keyId);
          if (found) return found;
        }
        return undefined;
      };
      const listed = await inList();
      const queried = await inList(keyId);
      const hasTags = isOwn(listed, keyId) && isOwn(queried, keyId);
      // Whether it has no tags, or only the list doesn't say so.
      const single =
        listed?.id && !hasTags ? await client.send(new GetApiKeyCommand({ apiKey: listed.id })) : undefined;
      return { keyId, listed, queried, single, hasTags };
    });
    await forgetKeys(session);
    const { keyId, listed, queried, single, hasTags } = result;
    const facts = [
      `GetApiKeys: ${tagsText(listed)}`,
      `GetApiKeys with nameQuery: ${tagsText(queried)}`,
      ...(single ? [`GetApiKey: ${tagsText(single)}`] : []),
    ];
    if (hasTags) return { result: 'ok', message: 'listed keys have their tags', facts };
    const message =
      listed === undefined
        ? `API Gateway doesn't list the new key ${keyId}`
        : "listed keys lack their tags: keys reconcile can't recognize its own";
    return { result: 'failed', message, facts };
  } finally {
    client.destroy();
  }
}

function tagsText(key: ApiKey | undefined): string {
  return key === undefined ? 'not found' : `tags ${JSON.stringify(key.tags ?? null)}`;
}

/** The first bytes of a PNG, which are no UTF-8. */
const BYTES = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

const COMMON_TYPES: readonly (readonly [type: string, body: string | Uint8Array])[] = [
  ['application/json', '{}'],
  ['application/json; charset=utf-8', '{}'],
  ['APPLICATION/JSON', '{}'],
  ['application/json', BYTES],
  ['application/x-www-form-urlencoded', 'a=b'],
  ['multipart/form-data; boundary=x', '--x--\r\n'],
  ['text/plain', 'x'],
  ['application/octet-stream', BYTES],
  ['image/png', BYTES],
];

/** No mock method has a template for these: the gateway response UNSUPPORTED_MEDIA_TYPE says 415, whatever the path. */
const RARE_TYPES: typeof COMMON_TYPES = [
  ['application/x-petstore-accept', 'x'],
  ['nonsense', 'x'],
];

const [WRONG_METHOD = { request: 'PUT /pets' }] = WRONG_METHODS;
const MOCK_REQUESTS: readonly (readonly [request: string, status: number])[] = [
  ['POST /no-such-path', 404],
  [WRONG_METHOD.request, 405],
  ['OPTIONS /pets', 204],
];

/** Sends a body to a mock method. */
function mediaTypeCheck(
  request: string,
  [type, body]: (typeof COMMON_TYPES)[number],
  statuses: readonly number[],
): Check {
  return {
    name: `${type}${body === BYTES ? ' (bytes)' : ''}`,
    async run({ send }) {
      const response = await send(request, { key: null, body, headers: { 'Content-Type': type } });
      if (!statuses.includes(response.status)) {
        throw broken(response, statuses.join(' or '), `${response.status} ${response.text}`);
      }
      if (response.status === 404) expectError(response, 404, 'not_found');
      if (response.status === 405) expectError(response, 405, 'method_not_allowed');
      if (response.status === 415) expectError(response, 415, 'unsupported_media_type');
    },
  };
}

function sendMediaTypes({ session }: Acceptance): Promise<Outcome> {
  return sendBodies(
    session,
    MOCK_REQUESTS.map(([request, status]) => {
      const common = COMMON_TYPES.map(each => mediaTypeCheck(request, each, [status]));
      const rare = RARE_TYPES.map(each => mediaTypeCheck(request, each, [status, 415]));
      return [request, [...common, ...rare]];
    }),
  );
}

/** Lambda takes events of 6 MB, in which a body is in base64; API Gateway takes bodies of 10 MB. */
const LARGE_MB = [5, 9.9];

/** Nobody needs a key for these, so that a 5xx would be one that anybody can cause. */
const OPEN_REQUESTS = [OPENAPI_ROUTE, REFERENCE_ROUTE].map(({ method, path }) => `${method} ${path}`);

function sendLargeBodies({ session }: Acceptance): Promise<Outcome> {
  const check = (request: string, megabytes: number): Check => ({
    name: `${megabytes} MB`,
    async run({ send }) {
      const response = await send(request, { key: null, body: 'x'.repeat(megabytes * 1_000_000) });
      if (response.status !== 413) throw broken(response, '413', `${response.status} ${response.text}`);
    },
  });
  return sendBodies(
    session,
    OPEN_REQUESTS.map(request => [request, LARGE_MB.map(megabytes => check(request, megabytes))]),
  );
}

/** Sends bodies to each request. */
async function sendBodies(
  session: DomainSession,
  requests: readonly (readonly [request: string, checks: readonly Check[]])[],
): Promise<Outcome> {
  const results = await interruptible(
    signal => Promise.all(requests.map(([, checks]) => runWithoutKeys(checks, session, signal))),
    'Interrupted.',
  );
  const all = results.flat();
  const wrong = all.filter(({ outcome }) => outcome !== 'ok');
  const statusOf = ({ requests }: CheckResult) => requests[0]?.status ?? 'no response';
  return {
    result: wrong.length > 0 ? 'failed' : 'ok',
    message: `${all.length - wrong.length} of ${all.length} responses are as documented`,
    facts: [
      ...results.flatMap((ofRequest, index) =>
        [...Map.groupBy(ofRequest, statusOf)].map(
          ([status, checks]) =>
            `${requests[index]?.[0]}: ${status} for ${checks.map(({ name }) => name).join(', ')}`,
        ),
      ),
      ...wrong.map(({ name, outcome, message }) => `${outcome}: ${name}: ${message}`),
    ],
  };
}

/** Somebody else has to say it. The message says who, and with which command. */
class Undecided extends Error {
  override readonly name = 'Undecided';
}

const run = promisify(execFile);

/** Long enough for a list of several pages. */
const CLI_LIMIT_MS = 60_000;

/** The output of the AWS CLI, for the services that nothing else of this project calls. */
async function aws({ session, region }: Acceptance, ...words: string[]) {
  const { profile } = session.target.aws;
  const options = ['--region', region, ...(profile ? ['--profile', profile] : []), '--output', 'json'];
  try {
    const { stdout } = await run('aws', [...words, ...options], {
      timeout: CLI_LIMIT_MS,
      env: { ...process.env, AWS_PAGER: '' },
    });
    return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    const said = stderr?.trim().split('\n').at(-1) || message;
    const cause = code === 'ENOENT' ? "the AWS CLI isn't installed" : said;
    const line = ['aws', ...words, ...options].map(word => (/^[\w:/.=-]+$/.test(word) ? word : `'${word}'`));
    throw new Undecided(`${cause} (${line.join(' ')})`);
  }
}

/** The outcome of work with the AWS CLI: what can't be asked isn't decided. */
async function orUndecided(work: Promise<Outcome>): Promise<Outcome> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Undecided) return { result: 'undecided', message: error.message };
    throw error;
  }
}

const FOREIGN = 'petstore-accept.example.com';
const CERTIFICATE = '00000000-0000-0000-0000-000000000000';

function simulateRoles(acceptance: Acceptance): Promise<Outcome> {
  return orUndecided(simulated(acceptance));
}

/** An action of a function on something with this tag, and whether IAM has to allow it. */
interface RoleTrial {
  readonly fn: string;
  readonly action: string;
  readonly resource: string;
  readonly tag: string | undefined;
  readonly isAllowed: boolean;
}

async function simulated(acceptance: Acceptance): Promise<Outcome> {
  const { session, region, callerArn } = acceptance;
  if (callerArn === undefined) throw new Undecided("AWS didn't say whose credentials these are");
  const { stage, stackName } = session.target;
  const [, partition, , , account] = callerArn.split(':');
  const gateway = `arn:${partition}:apigateway:${region}::`;
  const name = encodeURIComponent(`${gateway}/domainnames/${FOREIGN}`);
  const attach = (action: string, path: string) =>
    [stage, 'other', undefined].map(tag => ({
      ...{ fn: 'AttachDomain', action: `apigateway:${action}`, resource: `${gateway}${path}`, tag },
      // What is being created has no tags, and must get some.
      isAllowed: tag === stage || (action === 'PUT' && tag === undefined),
    }));
  const trials: RoleTrial[] = [
    ...attach('PATCH', `/domainnames/${FOREIGN}/basepathmappings/(none)`),
    ...attach('PUT', `/tags/${name}`),
    ...[stage, 'other', undefined].map(tag => ({
      ...{ fn: 'CheckCertificate', action: 'acm:AddTagsToCertificate', tag, isAllowed: false },
      resource: `arn:${partition}:acm:${region}:${account}:certificate/${CERTIFICATE}`,
    })),
  ];
  const facts: string[] = [];
  const wrong: string[] = [];
  const roles: readonly string[] = await aws(
    acceptance,
    ...['cloudformation', 'list-stack-resources', '--stack-name', stackName, '--query'],
    "StackResourceSummaries[?ResourceType=='AWS::IAM::Role'].PhysicalResourceId",
  );
  for (const trial of trials) {
    const role = roles.find(each => each.includes(`-DomainFlow${trial.fn}`));
    if (role === undefined) {
      return { result: 'failed', message: `${stackName} has no role for ${trial.fn}` };
    }
    const tags = { request: stage, ...(trial.tag && { resource: trial.tag }) };
    const entries = Object.entries(tags).map(([of, value]) => ({
      ContextKeyName: `aws:${of === 'request' ? 'Request' : 'Resource'}Tag/${ENVIRONMENT_TAG}`,
      ContextKeyValues: [value],
      ContextKeyType: 'string',
    }));
    const { EvaluationResults } = await aws(
      acceptance,
      ...['iam', 'simulate-principal-policy', '--policy-source-arn'],
      `arn:${partition}:iam::${account}:role/${role}`,
      ...['--action-names', trial.action, '--resource-arns', trial.resource],
      ...['--context-entries', JSON.stringify(entries)],
    );
    const decision: string = EvaluationResults[0]?.EvalDecision;
    const whose = { [stage]: 'this environment', other: 'another environment' }[trial.tag ?? ''] ?? 'nobody';
    const fact = `${trial.fn}: ${trial.action}, tagged by ${whose}: ${decision}`;
    facts.push(fact);
    if ((decision === 'allowed') !== trial.isAllowed) wrong.push(fact);
  }
  const limits = [
    'A mapping that is being created has no tags yet: the function reads the tags of the domain name first.',
    'A simulation evaluates the policies of a role, not which tags AWS passes. The step domains shows that it passes them: a certificate, a name and a removal need them.',
  ];
  return wrong.length > 0
    ? { result: 'failed', message: wrong.join('; '), facts }
    : {
        result: 'ok',
        message: 'nothing of others can be changed or tagged, except a name that nobody tagged',
        facts: [...facts, ...limits],
      };
}

interface MetricAlarm {
  readonly AlarmName: string;
  readonly StateValue: string;
  readonly ActionsEnabled: boolean;
  readonly AlarmActions: readonly string[];
}

/** CloudWatch executes the actions of an alarm within seconds. */
const ACTION_MS = 60_000;
const ACTION_POLL_MS = 5_000;

function raiseAlarms(acceptance: Acceptance): Promise<Outcome> {
  return orUndecided(raised(acceptance));
}

/** Sets one alarm of each topic off: CloudWatch sends its mail, and sets it back at the next evaluation. */
async function raised(acceptance: Acceptance): Promise<Outcome> {
  const { session } = acceptance;
  const alarms: readonly MetricAlarm[] = await aws(
    acceptance,
    ...['cloudwatch', 'describe-alarms', '--alarm-name-prefix', `petstore-${session.target.stage}-`],
    ...['--query', 'MetricAlarms[]'],
  );
  const mailing = alarms.filter(
    ({ ActionsEnabled, AlarmActions, StateValue }) =>
      ActionsEnabled && AlarmActions.length > 0 && StateValue !== 'ALARM',
  );
  if (mailing.length === 0) {
    return {
      result: 'skipped',
      message: `no alarm would send an email: set alarmAddress in infra/settings/${session.target.stage}.json, and deploy`,
    };
  }
  const facts: string[] = [];
  const results: Outcome['result'][] = [];
  for (const [topic, [alarm]] of Map.groupBy(mailing, ({ AlarmActions }) => AlarmActions[0])) {
    if (alarm === undefined) continue;
    const { AlarmName } = alarm;
    const since = new Date().toISOString();
    await aws(
      acceptance,
      ...['cloudwatch', 'set-alarm-state', '--alarm-name', AlarmName, '--state-value', 'ALARM'],
      ...['--state-reason', 'petstore accept: a test of the email. Nothing is wrong.'],
    );
    session.progress(`Triggered ${AlarmName}. Waiting for CloudWatch to notify ${topic} …`);
    const action = await actionOf(acceptance, AlarmName, since);
    const isSent = /^Successfully/i.test(action ?? '');
    const isReceived = isSent ? await session.ask(`Has the email about ${AlarmName} arrived?`) : undefined;
    const mail = {
      true: 'the email arrived',
      false: 'no email arrived',
      undefined: "the email isn't confirmed",
    };
    facts.push(`${AlarmName}: ${action ?? 'CloudWatch has not notified anybody'}; ${mail[`${isReceived}`]}`);
    results.push(isReceived ? 'ok' : isSent && isReceived === undefined ? 'undecided' : 'failed');
  }
  const worst = (['failed', 'undecided'] as const).find(result => results.includes(result)) ?? 'ok';
  const messages = {
    ok: `${countOf(results.length, 'mail')} of ${countOf(results.length, 'topic')} came`,
    undecided: 'CloudWatch notified the topics; check the mailbox to confirm that the emails arrived',
    failed: "an email didn't arrive: see below",
  };
  return { result: worst, message: messages[worst], facts };
}

/** What CloudWatch says of the action of an alarm; undefined if it says nothing in time. */
async function actionOf(acceptance: Acceptance, alarm: string, since: string): Promise<string | undefined> {
  for (const endMs = Date.now() + ACTION_MS; ; ) {
    const [summary] = await aws(
      acceptance,
      ...['cloudwatch', 'describe-alarm-history', '--alarm-name', alarm, '--history-item-type', 'Action'],
      ...['--start-date', since, '--query', 'AlarmHistoryItems[].HistorySummary'],
    );
    if (summary !== undefined || Date.now() >= endMs) return summary;
    await pause(ACTION_POLL_MS);
  }
}

const DRIFT_MS = 15 * 60_000;
const DRIFT_POLL_MS = 5_000;

async function detectDrift({ session }: Acceptance): Promise<Outcome> {
  const sdk = await import('@aws-sdk/client-cloudformation');
  const client = new sdk.CloudFormationClient(session.target.aws);
  const { stackName } = session.target;
  try {
    const { StackDriftDetectionId } = await client.send(
      new sdk.DetectStackDriftCommand({ StackName: stackName }),
    );
    session.progress(`Waiting for CloudFormation to compare every resource of ${stackName} …`);
    const status = () =>
      client.send(new sdk.DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }));
    let detection = await status();
    for (const endMs = Date.now() + DRIFT_MS; detection.DetectionStatus === 'DETECTION_IN_PROGRESS'; ) {
      if (Date.now() >= endMs) {
        return { result: 'undecided', message: `the detection takes longer than ${durationText(DRIFT_MS)}` };
      }
      await pause(DRIFT_POLL_MS);
      detection = await status();
    }
    const { DetectionStatus, DetectionStatusReason, StackDriftStatus } = detection;
    const facts: string[] = [];
    let token: string | undefined;
    do {
      const page = await client.send(
        new sdk.DescribeStackResourceDriftsCommand({
          StackName: stackName,
          StackResourceDriftStatusFilters: ['MODIFIED', 'DELETED'],
          ...(token && { NextToken: token }),
        }),
      );
      for (const drift of page.StackResourceDrifts ?? []) {
        const { LogicalResourceId, ResourceType, StackResourceDriftStatus, PropertyDifferences = [] } = drift;
        const differences = PropertyDifferences.map(
          ({ PropertyPath, ExpectedValue, ActualValue }) =>
            `${PropertyPath} is ${ActualValue}, not ${ExpectedValue}`,
        );
        facts.push(
          `${LogicalResourceId} (${ResourceType}) ${StackResourceDriftStatus}${differences.length > 0 ? `: ${differences.join('; ')}` : ''}`,
        );
      }
      token = page.NextToken;
    } while (token);
    // A type that can't be compared fails the detection of the stack; the others are compared.
    if (DetectionStatus === 'DETECTION_FAILED') {
      facts.push(`the detection was not complete: ${DetectionStatusReason}`);
    }
    if (StackDriftStatus === 'DRIFTED') {
      return { result: 'failed', message: `${countOf(facts.length, 'difference')} from the template`, facts };
    }
    return DetectionStatus === 'DETECTION_FAILED'
      ? {
          result: 'undecided',
          message: 'no difference was found, but not every resource was compared',
          facts,
        }
      : { result: 'ok', message: 'the stack is as it was deployed', facts };
  } finally {
    client.destroy();
  }
}

/** As long as petstore teardown waits. */
const TEARDOWN_MS = 2 * 60 * 60_000;

async function tryTeardown({ session, wantsTeardown }: Acceptance): Promise<Outcome> {
  const command = session.commandLine('teardown');
  if (!wantsTeardown) {
    return session.target.stage === 'production'
      ? { result: 'skipped', message: 'production stays; try it in another environment' }
      : { result: 'skipped', message: `it ends the environment; add --teardown, or run: ${command}` };
  }
  await session.confirm(`This takes ${session.environment} out of service.`);
  const { domains, keys, leaves, obstacles, next } = await interruptible(
    signal => tearDown(session, TEARDOWN_MS, signal),
    'Interrupted. Removals that have started will finish.',
    `Run it again with: ${command}`,
  );
  const facts = [
    `removed: ${countOf(domains.removed.length, 'domain')}, ${countOf(keys.removed.length, 'API key')}`,
    ...leaves.map(line => `left: ${line}`),
    ...next.map(line => `next: \`${line}\``),
  ];
  return next.length > 0
    ? { result: 'ok', message: 'nothing is left that keeps the stack from being deleted', facts }
    : {
        result: 'failed',
        message:
          obstacles.join(' ') ||
          `still there: ${listOf(domains.remaining.map(({ domain }) => domain)) || countOf(keys.remaining, 'API key')}`,
        facts,
      };
}
