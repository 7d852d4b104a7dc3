import { setTimeout as sleepFor } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { readWaitMs } from '../framework/duration.ts';
import { interruptible } from '../framework/interruptible.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { EXIT_CODES_TEXT, exitCodeOf } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { domainText, sections } from './show-domain.ts';
import { verificationView } from './verification-view.ts';
import { watchDomain } from './watch-domain.ts';

const DEFAULT_TIMEOUT = '10m';

/** The option of the commands that can watch a domain, as commander takes it. */
export const TIMEOUT_OPTION = [
  '--timeout <duration>',
  `how long to wait, such as 30s, 10m or 2h (default: ${DEFAULT_TIMEOUT})`,
] as const;

/** Polling is free on this machine; on AWS each poll is an invocation. */
const LOCAL_INTERVAL_MS = 1_000;
const AWS_INTERVAL_MS = 5_000;

interface WatchOptions {
  readonly timeout?: string | undefined;
  readonly sameFaults?: number;
}

export function addWatch(domains: PetstoreCommand): void {
  domains
    .command('watch')
    .summary('watch a domain until it is live or has failed')
    .description(
      `Watches a domain until it is live or has failed, and shows the state of each record meanwhile. It changes nothing: the verification neither starts nor restarts.\n\n${EXIT_CODES_TEXT}`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option(...TIMEOUT_OPTION)
    .examples('domains watch www.example.com', 'domains watch www.example.com --timeout 2h')
    .action(async (domain: string, options: WatchOptions, command: PetstoreCommand) => {
      readTimeoutMs(options);
      const session = new DomainSession(command);
      await watchAndShow(session, await session.readDomain(domain), options);
    });
}

/** The time to wait. It is read before anything is changed, so that a wrong one is refused first. */
export function readTimeoutMs({ timeout = DEFAULT_TIMEOUT }: WatchOptions): number {
  return readWaitMs('--timeout', timeout);
}

/** Watches a domain, prints it at the end, and sets the exit code. */
export async function watchAndShow(
  session: DomainSession,
  first: DomainReport,
  options: WatchOptions,
): Promise<void> {
  const { report, end } = await watch(session, first, options);
  const { domain } = report;
  const again = session.projectCommandLine(`domains watch ${domain}`);
  const endings = {
    decided: [],
    timeout: [
      `${domain} is not live after ${options.timeout ?? DEFAULT_TIMEOUT}. The verification goes on by itself. Watch it with: ${again}`,
    ],
    same_fault: [
      `${options.sameFaults} checks in a row found the same wrong records, so this command waits no longer. The verification goes on by itself: correct the records, and watch it with: ${again}`,
    ],
  };
  session.showReport(report, style =>
    sections(
      endings[end].map(sentence => prose(sentence, style)),
      [domainText(report, style, session, Date.now())],
    ),
  );
  session.endWith(exitCodeOf(report));
}

async function watch(session: DomainSession, first: DomainReport, options: WatchOptions) {
  const { domain } = first;
  const timeoutMs = readTimeoutMs(options);
  const view = await verificationView(session, timeoutMs);
  let isInterrupted = false;
  try {
    return await interruptible(
      signal => {
        signal.addEventListener('abort', () => {
          isInterrupted = true;
        });
        return watchDomain(first, {
          poll: () => session.readDomain(domain, signal),
          update: report => isInterrupted || view.update(report),
          timeoutMs,
          intervalMs: session.target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS,
          sameFaults: options.sameFaults,
          sleep: ms => sleepFor(ms, undefined, { signal }),
        });
      },
      `No longer watching ${domain}. Its verification goes on by itself.`,
      `Watch it again with: ${session.projectCommandLine(`domains watch ${domain}`)}`,
    );
  } finally {
    view.end(isInterrupted);
  }
}
