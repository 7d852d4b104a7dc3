import { EXIT_CODES } from '../../operator/connection/command-error.ts';
import { environmentLogs } from '../../operator/logs/log-source.ts';
import { defaultBrowserOrigins } from '../../settings/browser-origins.ts';
import { checksFunctionOf } from '../../settings/environment-name.ts';
import { DomainSession } from '../domains/domain-session.ts';
import { findStory } from '../environment/logs/request-story.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import type { Session } from '../framework/session.ts';
import type { Style } from '../framework/style.ts';
import { interruptible } from '../framework/terminal.ts';
import { becomesTrue } from '../keys/try-new-key.ts';
import { type EnvironmentSettings, readEnvironmentSettings, SETTINGS_OPTION } from './account/examination.ts';
import { type Finding, failed, ok, skipped } from './check.ts';
import { DomainTrial } from './domain-trial.ts';
import { connectSmoke, patience, runWithoutKeys } from './http/connect.ts';
import { DOMAIN_CHECKS } from './http/domain-checks.ts';
import { DOCUMENT_CHECKS, LIST_CHECKS, REFUSAL_CHECKS } from './http/every-operation-checks.ts';
import { GATEWAY_CHECKS, throttleCause } from './http/gateway-checks.ts';
import {
  type HttpCheck,
  type HttpParts,
  type HttpResult,
  MOST_THROTTLED,
  runHttpChecks,
  type SmokeKeys,
  type Traffic,
} from './http/http-checks.ts';
import { OPERATION_CHECKS } from './http/operation-checks.ts';
import type { Send } from './http/smoke-client.ts';
import { forgetKeys, type Unrevoked, unrevokedText, withTemporaryKeys } from './http/temporary-keys.ts';
import { UNROUTED_CHECKS } from './http/unrouted-checks.ts';
import { resultsText } from './results.ts';
import { isDenial } from './run-checks.ts';

/** What a client sees, and what API Gateway does that no client can provoke. */
export const SMOKE_CHECKS: readonly HttpCheck[] = [
  ...OPERATION_CHECKS,
  ...LIST_CHECKS,
  ...REFUSAL_CHECKS,
  ...UNROUTED_CHECKS,
  ...GATEWAY_CHECKS,
  ...DOCUMENT_CHECKS,
  ...DOMAIN_CHECKS,
];

/** A result as it is printed with --json. */
export interface SmokeCheck {
  readonly name: string;
  readonly outcome: 'ok' | 'broken' | 'skipped';
  /** What was expected and what was seen, or why the check was skipped, or what was checked. */
  readonly message?: string;
  readonly requestId?: string;
  readonly durationMs?: number;
  readonly requests: HttpResult['requests'];
}

/** What is printed with --json. */
interface SmokeResult {
  readonly stage: string;
  readonly baseUrl: string;
  readonly checks: readonly SmokeCheck[];
  readonly broken: readonly string[];
}

interface SmokeOptions {
  readonly domains?: true;
  readonly settings?: string;
}

export function declareGroup(smokeCommand: PetstoreCommand): void {
  smokeCommand
    .description(
      'Checks that an environment works after a deploy: every operation, its errors, paging, compression, idempotency, CORS, the documentation, throttles, and the live custom domains of every project. It creates two temporary API keys and removes them at the end, even if it fails or is interrupted. In production it creates no pets, and its summary says what that leaves out; elsewhere it leaves some behind, with the status sold.\n\nWith --domains, it also takes a test domain through the whole flow: claim, certificate request, DNS check and removal. The domain also goes live if its DNS records can be created: with --local, or if the setting managedZoneIds names a hosted zone. On AWS this takes five minutes to an hour and counts as one certificate request.\n\nExit codes: 0 everything works, 1 something is broken.',
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
/** Revocation flushes the authorizer's cache, which AWS does soon and not at once. */
export const REVOCATION_MS = 60_000;
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
    return runHttpChecks(SMOKE_CHECKS, { ...parts, send, keys: created }, traffic, signal);
  });
  const revocation = await revocationResult(clientOf(keys.with('pets:read')), unrevoked, session);
  await forgetKeys(session);
  const throttling = await throttlingResult(traffic, parts);
  const flow = trial ? await runTrial(trial, session) : [];
  const results = await withCauses([...result, revocation, throttling, ...flow], session, startedMs);
  const checks = results.map(smokeCheckOf);
  const broken = checks.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
  return { stage: session.target.stage, baseUrl, checks, broken };
}

/** One cause mostly explains the rest, and each takes a search of the logs. */
const MOST_CAUSES = 3;
const LONGEST_SEARCH_MS = 20_000;

/** Adds the causes of some function failures to the results, if whoever runs the command may read the logs. */
async function withCauses(
  results: readonly HttpResult[],
  session: Session,
  startedMs: number,
): Promise<readonly HttpResult[]> {
  const failures = results.filter(
    ({ requestId, requests }) => requestId !== undefined && (requests.at(-1)?.status ?? 0) >= 500,
  );
  if (failures.length === 0) return results;
  session.progress('Looking for the cause in the logs …');
  const causes = new Map<HttpResult, string>();
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
    if (cause === undefined) return result;
    return { ...result, finding: { ...result.finding, message: `${result.finding.message}. ${cause}` } };
  });
}

async function runTrial(trial: DomainTrial, session: Session): Promise<HttpResult[]> {
  try {
    return await interruptible(
      signal => runWithoutKeys(trial.checks(signal), session, signal),
      'Interrupted.',
    );
  } finally {
    await trial.cleanUp();
  }
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

/** A result in smoke's words. What a check couldn't look at is broken, unless it was denied to whoever runs it. */
export function smokeCheckOf({
  check,
  finding,
  error,
  requestId,
  durationMs,
  requests,
}: HttpResult): SmokeCheck {
  const { name, permissions = [] } = check;
  const { is, message } = smokeFinding(finding, error, permissions);
  return {
    name,
    outcome: is === 'ok' || is === 'skipped' ? is : 'broken',
    ...(message !== undefined && { message }),
    ...(requestId && { requestId }),
    ...(durationMs !== undefined && { durationMs }),
    requests,
  };
}

function smokeFinding(finding: Finding, error: Error | undefined, permissions: readonly string[]): Finding {
  if (finding.is !== 'unable') return finding;
  if (!isDenial(error) || permissions.length === 0) return failed(`failed: ${finding.message}`);
  return skipped(`you aren't allowed to read the configuration of API Gateway (${permissions.join(', ')})`);
}

async function revocationResult(
  send: Send,
  unrevoked: readonly Unrevoked[],
  session: Session,
): Promise<HttpResult> {
  const requests: { request: string; status: number }[] = [];
  const result = (finding: Finding) => ({
    check: { name: 'a revoked API key is refused' },
    finding,
    requests,
  });
  const [left] = unrevoked;
  if (left !== undefined) return result(failed(unrevokedText(session, left)));
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
  if (last === 401) return result(ok());
  return result(failed(`GET /pets?limit=1 with a revoked key: expected 401, got ${last ?? 'no response'}`));
}

async function throttlingResult(
  { count }: Traffic,
  environment: Pick<HttpParts, 'session' | 'apiId'>,
): Promise<HttpResult> {
  const { responses, throttled, waitedMs } = count;
  const result = (finding: Finding) => ({
    check: { name: 'the requests of one client are not throttled' },
    finding,
    requests: [],
  });
  if (throttled === 0) return result(ok());
  const seen = `${throttled} of ${responses + throttled} responses were 429, and requests waited ${waitedMs / 1000} s because of them`;
  return throttled <= MOST_THROTTLED
    ? result(ok(seen))
    : result(failed(`${seen}, although they're sent one at a time. ${await throttleCause(environment)}`));
}

function resultText({ checks, broken }: SmokeResult, session: Session, style: Style): string {
  const lines = checks.map(({ name, outcome, message }) =>
    outcome === 'skipped'
      ? { word: outcome, text: `${name}: ${message}` }
      : { word: outcome, text: name, below: message },
  );
  const isProduction = session.target.stage === 'production';
  const untried = isProduction ? SMOKE_CHECKS.filter(({ writes }) => writes).map(({ name }) => name) : [];
  const count = (wanted: string) => checks.filter(({ outcome }) => outcome === wanted).length;
  const summary = [
    `${session.environment}: ${count('ok')} of ${checks.length} checks passed, ${broken.length} broken, ${count('skipped')} skipped.`,
    ...(untried.length > 0 ? [`Not tried, because it would leave pets behind: ${untried.join('; ')}.`] : []),
    ...(broken.length > 0 ? [`Broken: ${broken.join('; ')}.`] : []),
    ...(checks.some(({ requestId }) => requestId !== undefined)
      ? [`See why with: ${session.commandLine('request <X-Request-Id>')}`]
      : []),
  ];
  return resultsText(lines, summary, style);
}
