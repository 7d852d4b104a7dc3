import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { EXIT_CODES } from '../../framework/command-error.ts';
import { readWaitMs } from '../../framework/duration.ts';
import { interruptible } from '../../framework/interruptible.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { prose } from '../../framework/prose.ts';
import { Session } from '../../framework/session.ts';
import type { Style } from '../../framework/style.ts';
import { remainsOf } from './remains.ts';
import { listDomains, removeDomains } from './remove-domains.ts';
import { withdrawKeys } from './withdraw-keys.ts';

/** API Gateway deletes one domain name in 30 seconds: enough for the 120 that an account may have, and a removal's own waits. */
const DEFAULT_TIMEOUT = '2h';

interface Options {
  readonly confirm?: string;
  readonly timeout?: string;
}

/** What is printed with --json. */
interface Result {
  readonly stage: string;
  readonly domains: {
    readonly removed: readonly string[];
    readonly remaining: readonly Pick<DomainReport, 'project' | 'domain' | 'status' | 'reason' | 'message'>[];
  };
  /** The ids of the API keys that API Gateway no longer has. */
  readonly keys: { readonly removed: readonly string[]; readonly remaining: number };
  /** What this command does not remove. */
  readonly leaves: readonly string[];
  /** The commands that delete the rest; empty while something keeps the stack from being deleted. */
  readonly next: readonly string[];
}

/** petstore teardown: what must be done before a stack can be deleted. */
export function addTeardownCommand(program: PetstoreCommand): void {
  program
    .command('teardown')
    .summary('remove what keeps a stack from being deleted')
    .description(
      'Removes what keeps the stack of an environment from being deleted, and what would outlive it: every custom domain of every project with its mapping, DNS records and certificate, and every API key at API Gateway. Shows what goes and asks first; in production the name of the environment has to be typed. It can be repeated after an interruption. It leaves the tables, the hosted zone and the logs, and prints the command that deletes the stack.\n\nExit codes: 0 the stack can be deleted, 1 error, 2 usage, 3 a removal needs an action of yours, 4 still pending.',
    )
    .option('--confirm <stage>', 'the name of the environment, instead of typing it')
    .option('--timeout <duration>', `how long to wait, such as 30m or 2h (default: ${DEFAULT_TIMEOUT})`)
    .examples(
      'teardown',
      'teardown --stage staging --yes',
      'teardown --stage production --confirm production',
      'teardown --local --yes',
    )
    .action(async (options: Options, command: PetstoreCommand) => {
      const timeoutMs = readWaitMs('--timeout', options.timeout ?? DEFAULT_TIMEOUT);
      const session = new Session(command);
      const domains = await listDomains(session);
      for (const line of planLines(session, domains)) session.progress(line);
      await confirmTeardown(session, options.confirm);
      const result = await interruptible(
        signal => tearDown(session, timeoutMs, signal),
        'Interrupted. The removals that were started go on by themselves.',
        `Repeat it with: ${session.commandLine('teardown')}`,
      );
      session.show(result, style => resultText(result, session, style));
      session.endWith(exitCodeOf(result));
    });
}

async function tearDown(session: Session, timeoutMs: number, signal: AbortSignal): Promise<Result> {
  const domains = await removeDomains(session, timeoutMs, signal);
  // The keys go last: while domains remain, the service is in use.
  const keys = domains.remaining.length === 0 ? await withdrawKeys(session) : { removed: [], remaining: 0 };
  const isDone = domains.remaining.length === 0 && keys.remaining === 0;
  const { leaves, deletion } = remainsOf(session.target);
  return { stage: session.target.stage, domains, keys, leaves, next: isDone ? deletion : [] };
}

function planLines(session: Session, domains: readonly DomainReport[]): string[] {
  const names = domains.map(({ domain, project }) => `  ${domain} (${project})`);
  return [
    domains.length === 0
      ? `There are no custom domains in ${session.environment}.`
      : `These custom domains stop being served, and are removed with their DNS records at the platform and their certificates:`,
    ...names,
    'Every API key is removed from API Gateway: all requests of clients are answered with 401.',
  ];
}

async function confirmTeardown(session: Session, confirmed: string | undefined): Promise<void> {
  const what = `This takes ${session.environment} out of service.`;
  if (session.target.stage === 'production' || confirmed !== undefined) {
    await session.confirmByName(what, confirmed);
  } else {
    await session.confirm(what);
  }
}

function resultText({ domains, keys, leaves, next }: Result, session: Session, style: Style): string {
  const removed = `Removed from ${session.environment}: ${countOf(domains.removed.length, 'domain')}, ${countOf(keys.removed.length, 'API key')}.`;
  const again = session.commandLine('teardown');
  const lines = [
    prose(removed, style),
    ...domains.remaining.map(({ domain, status, message }) =>
      prose(`${domain} is still ${status}: ${message}`, style),
    ),
    ...(keys.remaining > 0
      ? [prose(`${countOf(keys.remaining, 'API key')} are still at API Gateway.`, style)]
      : []),
    '',
    'It leaves:',
    ...leaves.map(line => prose(line, style, '  ')),
    '',
    next.length === 0 ? 'The stack cannot be deleted yet. Repeat:' : 'Next:',
    ...(next.length === 0 ? [again] : next).map(line => `  ${line}`),
  ];
  return lines.join('\n');
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function exitCodeOf({ domains, next }: Result): number {
  if (next.length > 0) return EXIT_CODES.done;
  const isStalled = domains.remaining.some(({ reason }) => reason !== null);
  return isStalled ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}
