import type { ProjectView } from '../../../../shared/operator/contract.ts';
import { SERVICE_PROJECT_ID } from '../../../../shared/projects/project-choices.ts';
import { CommandError, EXIT_CODES, withAdvice } from '../../../operator/connection/command-error.ts';
import { withReachableUrl } from '../../../operator/connection/target.ts';
import { environmentLogs } from '../../../operator/logs/log-source.ts';
import { defaultBrowserOrigins } from '../../../settings/browser-origins.ts';
import { checksFunctionOf } from '../../../settings/environment-name.ts';
import { DomainSession } from '../../domains/domain-session.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import type { Session } from '../../framework/session.ts';
import { prose, type Style, titled } from '../../framework/style.ts';
import { interruptible } from '../../framework/terminal.ts';
import { becomesTrue } from '../../keys/try-new-key.ts';
import { type EnvironmentSettings, readEnvironmentSettings, SETTINGS_OPTION } from '../doctor/examination.ts';
import { findStory } from '../logs/request-story.ts';
import {
  Broken,
  type Check,
  expectationOf,
  Skipped,
  type SmokeEnvironment,
  type SmokeKeys,
} from './check.ts';
import { CHECKS } from './checks.ts';
import { DomainTrial } from './domain-trial.ts';
import { throttleCause } from './gateway-checks.ts';
import {
  NoResponse,
  type Response,
  type Send,
  type SmokeClientOptions,
  smokeClient,
  Undecodable,
} from './smoke-client.ts';
import { forgetKeys, type Unrevoked, unrevokedText, withTemporaryKeys } from './temporary-keys.ts';

export interface CheckResult {
  readonly name: string;
  readonly outcome: 'ok' | 'broken' | 'skipped';
  /** What was expected and what was seen, or why the check was skipped, or what was checked. */
  readonly message?: string;
  /** The X-Request-Id of the unexpected response, for `petstore request`. */
  readonly requestId?: string;
  /** Absent where nothing was waited for. */
  readonly durationMs?: number;
  /** The requests of the check that got a response, such as `GET /pets?limit=1`, and what was expected of it, if anything. */
  readonly requests: readonly {
    readonly request: string;
    readonly status: number;
    readonly expected?: string | undefined;
  }[];
}

/** What is printed with --json. */
interface SmokeResult {
  readonly stage: string;
  readonly baseUrl: string;
  readonly checks: readonly CheckResult[];
  readonly broken: readonly string[];
}

interface SmokeOptions {
  readonly domains?: true;
  readonly settings?: string;
}

export function declareGroup(smokeCommand: PetstoreCommand): void {
  smokeCommand
    .description(
      'Checks that an environment works after a deploy: every operation, its errors, paging, compression, idempotency, CORS, the documentation, throttles, and the live custom domains of every project. It creates two temporary API keys and removes them at the end, even if it fails or is interrupted. In production it writes nothing else; elsewhere it creates two pets with the status sold.\n\nWith --domains, it also takes a test domain through the whole flow: claim, certificate request, DNS check and removal. The domain also goes live if its DNS records can be created: with --local, or if the setting managedZoneIds names a hosted zone. On AWS this takes five minutes to an hour and counts as one certificate request.\n\nExit codes: 0 everything works, 1 something is broken.',
    )
    .option('--domains', 'also test custom domains, with a domain that is removed afterwards')
    .option(...SETTINGS_OPTION)
    .examples(
      'smoke',
      'smoke --domains',
      'smoke --stage production',
      'smoke --local',
      "smoke --json | jq '.broken'",
    )
    .action(async ({ domains, settings: folder }: SmokeOptions, command: PetstoreCommand) => {
      const session = new DomainSession(command, checksFunctionOf);
      const settings = readEnvironmentSettings(session.target, folder);
      if (domains && session.target.stage === 'production') {
        await session.confirm(`This adds a custom domain to ${session.environment} and removes it again.`);
      }
      const trial = domains ? new DomainTrial(session, settings.managedZoneIds) : undefined;
      const result = await smoke(session, settings, trial);
      session.show(result, style => resultText(result, session, style));
      if (result.broken.length > 0) session.endWith(EXIT_CODES.error);
    });
}

/** API Gateway may take this long to spread a key. */
export const KEY_SPREAD_MS = 120_000;
/** CloudFormation's event, which records a deploy as the project, may take this long. */
const PROJECT_RECORD_MS = 90_000;
/** Revocation flushes the authorizer's cache, which AWS does soon and not at once. */
export const REVOCATION_MS = 60_000;
/** The local AWS does each of them at once. */
const LOCAL_MS = 5_000;

function patience({ target }: Session, awsMs: number): number {
  return target.isLocal ? LOCAL_MS : awsMs;
}

export async function smoke(
  session: Session,
  settings: EnvironmentSettings,
  trial: DomainTrial | undefined,
): Promise<SmokeResult> {
  const startedMs = Date.now();
  const { baseUrl, apiId, traffic, clientOf } = await connectSmoke(session);
  session.progress(`Checking ${baseUrl} …`);
  const browserOrigins = settings.browserOrigins ?? defaultBrowserOrigins(session.target.stage);
  const parts = { session, apiId, browserOrigins };
  const { result, keys, unrevoked } = await withTemporaryKeys(session, async (created, signal) => {
    const isSpreading = spreadingKeys(created, session);
    const send = clientOf(created.with('pets:read'), { isSpreading, signal });
    return runChecks(CHECKS, { ...parts, send, keys: created }, traffic, signal);
  });
  const revocation = await revocationResult(clientOf(keys.with('pets:read')), unrevoked, session);
  await forgetKeys(session);
  const throttling = await throttlingResult(traffic, parts);
  const flow = trial ? await runTrial(trial, session) : [];
  const checks = await withCauses([...result, revocation, throttling, ...flow], session, startedMs);
  const broken = checks.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
  return { stage: session.target.stage, baseUrl, checks, broken };
}

/** One cause mostly explains the rest, and each takes a search of the logs. */
const MOST_CAUSES = 3;
const LONGEST_SEARCH_MS = 20_000;

/** The results, of which some failures of functions say why, where the person who runs the command may read the logs. */
async function withCauses(
  results: readonly CheckResult[],
  session: Session,
  startedMs: number,
): Promise<readonly CheckResult[]> {
  const failures = results.filter(
    ({ requestId, requests }) => requestId !== undefined && (requests.at(-1)?.status ?? 0) >= 500,
  );
  if (failures.length === 0) return results;
  session.progress('Looking for the cause in the logs …');
  const causes = new Map<CheckResult, string>();
  try {
    const { source, groups } = await environmentLogs(session);
    const signal = AbortSignal.timeout(LONGEST_SEARCH_MS);
    for (const failure of failures.slice(0, MOST_CAUSES)) {
      const story = await findStory(source, groups, failure.requestId ?? '', startedMs, Date.now(), signal);
      if (story?.why) causes.set(failure, story.why);
    }
  } catch {
    // The result says which request it was, and how to look it up.
  }
  return results.map(result => {
    const cause = causes.get(result);
    return cause === undefined ? result : { ...result, message: `${result.message}. ${cause}` };
  });
}

export async function connectSmoke(session: Session) {
  const { apiId, ...base } = await endpointOf(session);
  const traffic = trafficOf(session);
  const clientOf = (key: string, options: Partial<SmokeClientOptions> = {}) =>
    smokeClient({ ...base, key, edge: session.target.edge, ...traffic, ...options });
  return { baseUrl: base.baseUrl, apiId, traffic, clientOf };
}

async function runTrial(trial: DomainTrial, session: Session): Promise<CheckResult[]> {
  try {
    return await interruptible(
      signal => runWithoutKeys(trial.checks(signal), session, signal),
      'Interrupted.',
    );
  } finally {
    await trial.cleanUp();
  }
}

/** Runs checks that bring their own API keys, or need none. */
export async function runWithoutKeys(
  checks: readonly Check[],
  session: Session,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const { apiId, traffic, clientOf } = await connectSmoke(session);
  const none = () => {
    throw new Error('There are no API keys.');
  };
  const send = clientOf('', { signal });
  const keys = { all: [], with: none, without: none };
  const environment = { session, apiId, browserOrigins: [], send, keys };
  return runChecks(checks, environment, traffic, signal);
}

interface Traffic extends Pick<SmokeClientOptions, 'onResponse' | 'onThrottled'> {
  /** Those of the check that runs. */
  readonly responses: Response[];
  readonly count: { responses: number; throttled: number; waitedMs: number };
}

function trafficOf(session: Session): Traffic {
  const responses: Response[] = [];
  const count = { responses: 0, throttled: 0, waitedMs: 0 };
  return {
    responses,
    count,
    onResponse(response) {
      responses.push(response);
      count.responses += 1;
    },
    onThrottled(waitMs) {
      count.throttled += 1;
      count.waitedMs += waitMs;
      session.progress(`Throttled: waiting ${waitMs / 1000} s …`);
    },
  };
}

/** Whether API Gateway may not know a key of this run yet. */
function spreadingKeys({ all }: SmokeKeys, session: Session): (key: string) => boolean {
  const longestMs = patience(session, KEY_SPREAD_MS);
  const endMs = Date.now() + longestMs;
  let isSaid = false;
  return key => {
    const isSpreading = all.includes(key) && Date.now() < endMs;
    if (isSpreading && !isSaid) {
      isSaid = true;
      session.progress(
        `Waiting up to ${longestMs / 1000} s for API Gateway to accept the temporary API keys …`,
      );
    }
    return isSpreading;
  };
}

/** An environment that does not respond would let every check wait for its time limit. */
const MOST_UNANSWERED = 2;

/** The requests are sent one after another, so hardly any should be throttled. */
export const MOST_THROTTLED = 10;

async function runChecks(
  checks: readonly Check[],
  environment: SmokeEnvironment,
  traffic: Traffic,
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const { session } = environment;
  let unanswered = 0;
  for (const check of checks) {
    signal.throwIfAborted();
    const reason =
      (check.writes && session.target.stage === 'production' && 'smoke creates no pets in production') ||
      (unanswered >= MOST_UNANSWERED && "the environment doesn't respond") ||
      (traffic.count.throttled > MOST_THROTTLED && 'the environment is throttling requests');
    if (reason) {
      results.push({ ...skipped(check, reason), requests: [] });
      continue;
    }
    traffic.responses.length = 0;
    const startedMs = Date.now();
    const checking = outcomeOf(check, environment, () => {
      unanswered += 1;
    });
    const outcome = await session.saying(`Checking that ${check.name} …`, checking);
    const requests = traffic.responses.map(response => ({
      request: response.request,
      status: response.status,
      expected: expectationOf(response),
    }));
    results.push({ ...outcome, durationMs: Date.now() - startedMs, requests });
  }
  return results;
}

function skipped({ name }: Check, message: string) {
  return { name, outcome: 'skipped', message } as const;
}

async function outcomeOf(
  check: Check,
  environment: SmokeEnvironment,
  onNoResponse: () => void,
): Promise<Omit<CheckResult, 'requests'>> {
  const { name } = check;
  let noted: string | undefined;
  try {
    await check.run(environment, text => {
      noted = text;
    });
    return { name, outcome: 'ok', ...(noted !== undefined && { message: noted }) };
  } catch (error) {
    if (error instanceof Skipped) return skipped(check, error.message);
    if (error instanceof NoResponse) onNoResponse();
    const { message } = error as Error;
    const requestId = error instanceof Broken ? error.requestId : undefined;
    const isExplained = [NoResponse, Undecodable, Broken].some(kind => error instanceof kind);
    const said = isExplained ? message : `failed: ${message}`;
    return { name, outcome: 'broken', message: said, ...(requestId && { requestId }) };
  }
}

/**
 * The API's own endpoint, or the primary domain while that endpoint is closed: by our host that its DNS has to lead to,
 * whether or not it does.
 */
async function endpointOf(
  session: Session,
): Promise<Pick<SmokeClientOptions, 'baseUrl' | 'baseHost'> & { apiId: string }> {
  const project = await withAdvice(
    {
      project_unknown: `Each deploy records itself as project ${SERVICE_PROJECT_ID}. Is the function projects-record-deploy failing? See: ${session.commandLine('logs --group record-deploy')}`,
    },
    recordedProject(session),
  );
  const { url, endpointUrl, defaultEndpoint, apiId, primary } = withReachableUrl(project, session.target);
  if (defaultEndpoint !== 'closed') return { baseUrl: `${endpointUrl}/v1`, apiId };
  const { records } = await session.read('domains.show', { domain: primary ?? '' });
  const { value } = records.find(({ purpose }) => purpose === 'traffic') ?? {};
  if (value === undefined) {
    throw new CommandError(
      'no_endpoint',
      `The endpoint of the API is closed, and ${url} has no host of ours.`,
    );
  }
  return { baseUrl: `${url}/v1`, baseHost: value, apiId };
}

async function recordedProject(session: Session): Promise<ProjectView> {
  const longestMs = patience(session, PROJECT_RECORD_MS);
  const show = () => session.read('projects.show', { id: SERVICE_PROJECT_ID });
  const isRecorded = () =>
    show().then(
      () => true,
      error => {
        if (error instanceof CommandError && error.reason === 'project_unknown') return false;
        throw error;
      },
    );
  await becomesTrue(
    isRecorded,
    () => session.progress(`Waiting up to ${longestMs / 1000} s for the deploy to be recorded …`),
    { longestMs },
  );
  return show();
}

async function revocationResult(
  send: Send,
  unrevoked: readonly Unrevoked[],
  session: Session,
): Promise<CheckResult> {
  const name = 'a revoked API key is refused';
  const requests: { request: string; status: number }[] = [];
  const [left] = unrevoked;
  if (left !== undefined) {
    return { name, outcome: 'broken', message: unrevokedText(session, left), requests };
  }
  const longestMs = patience(session, REVOCATION_MS);
  await becomesTrue(
    async () => {
      const { request, status } = await send('GET /pets?limit=1');
      requests.push({ request, status });
      return status !== 200;
    },
    () => session.progress(`Waiting up to ${longestMs / 1000} s for a revoked API key to be refused …`),
    { longestMs },
  ).catch(() => false);
  const last = requests.at(-1)?.status;
  if (last === 401) return { name, outcome: 'ok', requests };
  const message = `GET /pets?limit=1 with a revoked key: expected 401, got ${last ?? 'no response'}`;
  return { name, outcome: 'broken', message, requests };
}

async function throttlingResult(
  { count }: Traffic,
  environment: Pick<SmokeEnvironment, 'session' | 'apiId'>,
): Promise<CheckResult> {
  const { responses, throttled, waitedMs } = count;
  const name = 'the requests of one client are not throttled';
  if (throttled === 0) return { name, outcome: 'ok', requests: [] };
  const seen = `${throttled} of ${responses + throttled} responses were 429, and requests waited ${waitedMs / 1000} s because of them`;
  if (throttled <= MOST_THROTTLED) return { name, outcome: 'ok', message: seen, requests: [] };
  const message = `${seen}, although they're sent one at a time. ${await throttleCause(environment)}`;
  return { name, outcome: 'broken', message, requests: [] };
}

const OUTCOME_COLUMNS = 'skipped'.length;

function resultText({ checks, broken }: SmokeResult, session: Session, style: Style): string {
  const paints = { ok: style.green, broken: style.red, skipped: style.dim };
  const columns = OUTCOME_COLUMNS + 2;
  const lines = checks.flatMap(({ name, outcome, message }) => {
    const title = `${paints[outcome](outcome.padEnd(OUTCOME_COLUMNS))}  `;
    return outcome === 'skipped'
      ? [titled(title, columns, `${name}: ${message}`, style)]
      : [
          titled(title, columns, name, style),
          ...(message === undefined ? [] : [prose(message, style, ' '.repeat(columns))]),
        ];
  });
  const count = (wanted: string) => checks.filter(({ outcome }) => outcome === wanted).length;
  const summary = `${session.environment}: ${count('ok')} of ${checks.length} checks passed, ${broken.length} broken, ${count('skipped')} skipped.`;
  return [
    ...lines,
    '',
    prose(summary, style),
    ...(broken.length > 0 ? [prose(`Broken: ${broken.join('; ')}.`, style)] : []),
    ...(checks.some(({ requestId }) => requestId !== undefined)
      ? [prose(`See why with: ${session.commandLine('request <X-Request-Id>')}`, style)]
      : []),
  ].join('\n');
}
