import { OPERATIONS, requestLine } from '../../../../shared/operations.ts';
import { SERVICE_PROJECT_ID } from '../../../../shared/projects/project-choices.ts';
import { type BrowserOrigins, defaultBrowserOrigins } from '../../../settings/browser-origins.ts';
import { EXIT_CODES, withAdvice } from '../../framework/command-error.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { Session } from '../../framework/session.ts';
import { prose, type Style, titled } from '../../framework/style.ts';
import type { Target } from '../../framework/target.ts';
import { becomesTrue } from '../../keys/try-new-key.ts';
import { withReachableAddress } from '../../projects/project-text.ts';
import { readEnvironmentSettings, SETTINGS_FOLDER } from '../doctor/examination.ts';
import { Broken, type Check, Skipped, type SmokeEnvironment, type SmokeKeys } from './check.ts';
import { CHECKS } from './checks.ts';
import { NoResponse, type Response, type Send, smokeClient } from './smoke-client.ts';
import { type Unrevoked, unrevokedText, withTemporaryKeys } from './temporary-keys.ts';

/** The outcome of a check. */
export interface CheckResult {
  readonly name: string;
  readonly outcome: 'ok' | 'broken' | 'skipped';
  /** What was expected and what was seen, or why the check was skipped. */
  readonly message?: string;
  /** The X-Request-Id of the unexpected response, for `petstore request`. */
  readonly requestId?: string;
  /** The requests of the check that got a response, such as `GET /pets?limit=1`, with the status. */
  readonly requests: readonly { readonly request: string; readonly status: number }[];
}

/** What is printed with --json. */
interface SmokeResult {
  readonly stage: string;
  readonly baseUrl: string;
  readonly checks: readonly CheckResult[];
  /** The names of the checks that are broken. */
  readonly broken: readonly string[];
}

/** petstore smoke: whether an environment keeps what the interface promises. */
export function addSmokeCommand(program: PetstoreCommand): void {
  program
    .command('smoke')
    .summary('check an environment after a deploy')
    .description(
      'Checks after a deploy that an environment works: every operation, what it refuses, paging, idempotency, which pages in browsers may call it, the documents, and live custom domains. It creates two temporary API keys and revokes them at the end, also if it fails or is interrupted. It only reads production; elsewhere it creates two pets with the status sold.\n\nExit codes: 0 all is well, 1 something is broken.',
    )
    .examples('smoke', 'smoke --stage production', 'smoke --local', "smoke --json | jq '.broken'")
    .action(async (_: object, command: PetstoreCommand) => {
      const session = new Session(command);
      const result = await smoke(session);
      session.show(result, style => resultText(result, session, style));
      if (result.broken.length > 0) session.endWith(EXIT_CODES.error);
    });
}

async function smoke(session: Session): Promise<SmokeResult> {
  const { baseUrl, apiId } = await endpointOf(session);
  session.progress(`Checking ${baseUrl} …`);
  const responses: Response[] = [];
  const clientOf = (key: string, signal?: AbortSignal) =>
    smokeClient({
      baseUrl,
      key,
      edge: session.target.edge,
      onResponse: response => responses.push(response),
      ...(signal && { signal }),
    });
  const { result, keys, unrevoked } = await withTemporaryKeys(session, async (created, signal) => {
    const send = clientOf(created.with('pets:read'), signal);
    await awaitKeys(send, created, session);
    const browserOrigins = browserOriginsOf(session.target);
    return runChecks(CHECKS, { send, keys: created, session, apiId, browserOrigins }, responses, signal);
  });
  const revocation = await revocationResult(clientOf(keys.with('pets:read')), unrevoked, session);
  const checks = [...result, revocation];
  const broken = checks.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
  return { stage: session.target.stage, baseUrl, checks, broken };
}

/** An environment that does not respond would let every check wait for its time limit. */
const MOST_UNANSWERED = 2;

/** Runs the checks one after another. `responses` collects those of the check that runs. */
async function runChecks(
  checks: readonly Check[],
  environment: SmokeEnvironment,
  responses: Response[],
  signal: AbortSignal,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const { stage } = environment.session.target;
  let unanswered = 0;
  for (const check of checks) {
    signal.throwIfAborted();
    if (check.writes && stage === 'production') {
      results.push({ ...skipped(check, 'production is only read'), requests: [] });
      continue;
    }
    if (unanswered >= MOST_UNANSWERED) {
      results.push({ ...skipped(check, 'the environment does not respond'), requests: [] });
      continue;
    }
    responses.length = 0;
    const outcome = await outcomeOf(check, environment, () => {
      unanswered += 1;
    });
    results.push({ ...outcome, requests: responses.map(({ request, status }) => ({ request, status })) });
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
  try {
    await check.run(environment);
    return { name, outcome: 'ok' };
  } catch (error) {
    if (error instanceof Skipped) return skipped(check, error.message);
    const { message } = error as Error;
    if (error instanceof NoResponse) {
      onNoResponse();
      return { name, outcome: 'broken', message };
    }
    if (!(error instanceof Broken)) return { name, outcome: 'broken', message: `failed: ${message}` };
    const { requestId } = error;
    return { name, outcome: 'broken', message, ...(requestId && { requestId }) };
  }
}

/** As the settings of this checkout say; the local AWS reads none. */
function browserOriginsOf({ stage, isLocal }: Target): BrowserOrigins {
  const settings = isLocal ? {} : readEnvironmentSettings(SETTINGS_FOLDER, stage);
  return settings.browserOrigins ?? defaultBrowserOrigins(stage);
}

/** The API's own endpoint, or the primary domain of the environment while that endpoint is closed. */
async function endpointOf(session: Session): Promise<{ baseUrl: string; apiId: string }> {
  const project = await withAdvice(
    {
      project_unknown: `Each deploy records itself as the project ${SERVICE_PROJECT_ID}, within a minute. If this one is older: ${session.commandLine('projects list')}`,
    },
    session.read('projects.show', { id: SERVICE_PROJECT_ID }),
  );
  const { address, defaultAddress, defaultEndpoint, apiId } = withReachableAddress(project, session.target);
  return { baseUrl: `${defaultEndpoint === 'closed' ? address : defaultAddress}/v1`, apiId };
}

/** Waits until API Gateway knows the keys. If it never does, the checks show what it returns. */
async function awaitKeys(send: Send, { all }: SmokeKeys, session: Session): Promise<void> {
  // Any operation shows that a key is known, by 403 at the least: one of them may be what is broken.
  const reads = OPERATIONS.filter(({ method }) => method === 'GET').map(requestLine);
  const isKnown = async (key: string) => {
    for (const request of reads) if ((await send(request, { key })).status !== 401) return true;
    return false;
  };
  await becomesTrue(
    async () => {
      for (const key of all) if (!(await isKnown(key))) return false;
      return true;
    },
    () => session.progress('Waiting until API Gateway knows the temporary API keys …'),
  ).catch(() => false);
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
  // The authorizer's cache is flushed with the revocation, which may take a moment.
  await becomesTrue(
    async () => {
      const { request, status } = await send('GET /pets?limit=1');
      requests.push({ request, status });
      return status !== 200;
    },
    () => {},
  ).catch(() => false);
  const last = requests.at(-1)?.status;
  if (last === 401) return { name, outcome: 'ok', requests };
  const message = `GET /pets?limit=1 with a revoked key: expected 401, got ${last ?? 'no response'}`;
  return { name, outcome: 'broken', message, requests };
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
  const summary = `${session.environment}: ${count('ok')} of ${checks.length} checks are ok, ${broken.length} broken, ${count('skipped')} skipped.`;
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
