import { SERVICE_PROJECT_ID } from '../../../../shared/projects/service-project.ts';
import { type BrowserOrigins, defaultBrowserOrigins } from '../../../settings/browser-origins.ts';
import { withAdvice } from '../../framework/advice.ts';
import { EXIT_CODES } from '../../framework/command-error.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { prose, titled } from '../../framework/prose.ts';
import { Session } from '../../framework/session.ts';
import type { Style } from '../../framework/style.ts';
import type { Target } from '../../framework/target.ts';
import { becomesTrue } from '../../keys/try-new-key.ts';
import { withReachableAddress } from '../../projects/reachable-address.ts';
import { readEnvironmentSettings, SETTINGS_FOLDER } from '../doctor/environment-settings.ts';
import type { SmokeKeys } from './check.ts';
import { CHECKS } from './checks.ts';
import { type CheckResult, runChecks } from './run-checks.ts';
import { type Answer, type Send, smokeClient } from './smoke-client.ts';
import { type Unrevoked, unrevokedText, withTemporaryKeys } from './temporary-keys.ts';

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
      'Checks after a deploy that an environment works: every operation, what it refuses, paging, idempotency, which pages in browsers may call it, the documents, and the custom domains that are live. It creates two API keys for itself, which it revokes at its end, also when it fails or is interrupted. Elsewhere than in production it creates two animals, which are sold; production is only read.\n\nExit codes: 0 all is well, 1 something is broken.',
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
  const { baseUrl, apiId } = await addressOf(session);
  session.progress(`Checking ${baseUrl} …`);
  const answers: Answer[] = [];
  const clientOf = (key: string, signal?: AbortSignal) =>
    smokeClient({
      baseUrl,
      key,
      edge: session.target.edge,
      onAnswer: answer => answers.push(answer),
      ...(signal && { signal }),
    });
  const { result, keys, unrevoked } = await withTemporaryKeys(session, async (created, signal) => {
    const send = clientOf(created.pets, signal);
    await awaitKeys(send, created, session);
    const browserOrigins = browserOriginsOf(session.target);
    return runChecks(CHECKS, { send, keys: created, session, apiId, browserOrigins }, answers, signal);
  });
  const revocation = await revocationResult(clientOf(keys.pets), unrevoked, session);
  const checks = [...result, revocation];
  const broken = checks.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
  return { stage: session.target.stage, baseUrl, checks, broken };
}

/** As the settings of this checkout say; the local runtime reads none. */
function browserOriginsOf({ stage, isLocal }: Target): BrowserOrigins {
  const settings = isLocal ? {} : readEnvironmentSettings(SETTINGS_FOLDER, stage);
  return settings.browserOrigins ?? defaultBrowserOrigins(stage);
}

/** The API's own address, or the primary domain of the environment while that address is closed. */
async function addressOf(session: Session): Promise<{ baseUrl: string; apiId: string }> {
  const project = await withAdvice(
    {
      project_unknown: `Each deploy records itself as the project ${SERVICE_PROJECT_ID}, within a minute. If this one is older: ${session.commandLine('projects list')}`,
    },
    session.read('projects.show', { id: SERVICE_PROJECT_ID }),
  );
  const { address, defaultAddress, defaultEndpoint, apiId } = withReachableAddress(project, session.target);
  return { baseUrl: `${defaultEndpoint === 'closed' ? address : defaultAddress}/v1`, apiId };
}

/** Waits until API Gateway knows the keys. If it never does, the checks say what it answers. */
async function awaitKeys(send: Send, keys: SmokeKeys, session: Session): Promise<void> {
  // Either list shows that a key is known, by 200 or by 403: one of them may be what is broken.
  const isKnown = async (key: string) => {
    for (const request of ['GET /pets?limit=1', 'GET /store/orders?limit=1']) {
      if ((await send(request, { key })).status !== 401) return true;
    }
    return false;
  };
  await becomesTrue(
    async () => (await isKnown(keys.pets)) && (await isKnown(keys.orders)),
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
  const message = `GET /pets?limit=1 with a revoked key: expected 401, got ${last ?? 'no answer'}`;
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
