import { setTimeout as sleepFor } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { readWaitMs } from '../duration.ts';
import { interruptible } from '../interruptible.ts';
import type { PetstoreCommand } from '../petstore-command.ts';
import { EXIT_CODES_TEXT, exitCodeOf, isLive } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { domainText, nextLines, recordLines, sections } from './show-domain.ts';
import { verificationView } from './verification-view.ts';
import { watchDomain } from './watch-domain.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

const DEFAULT_TIMEOUT = '10m';

/** Polling is free on this machine; on AWS each poll is an invocation. */
const LOCAL_INTERVAL_MS = 1_000;
const AWS_INTERVAL_MS = 5_000;

interface Options {
  readonly wait?: true;
  readonly timeout?: string;
}

export function addVerify(domains: PetstoreCommand): void {
  domains
    .command('verify')
    .summary('check the DNS records and bring the domain live')
    .description(
      `Starts the verification: the service checks the DNS records for up to 48 hours, waits for the certificate, and then serves the domain. It goes on by itself; --wait waits for it and shows the state of each record. Verifying again starts another attempt with the same records.\n\n${EXIT_CODES_TEXT} Without --wait the exit code is 0 once the verification has started.`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--wait', 'wait until the domain is live or has failed')
    .option('--timeout <duration>', `how long to wait, such as 30s, 10m or 2h (default: ${DEFAULT_TIMEOUT})`)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains verify www.example.com --wait',
      'domains verify www.example.com --wait --timeout 2h',
      'domains verify www.example.com --wait --json | jq -r .status',
    )
    .action(async (domain: string, options: Options, command: PetstoreCommand) => {
      const timeout = options.timeout ?? DEFAULT_TIMEOUT;
      const timeoutMs = readWaitMs('--timeout', timeout);
      const isWaiting = options.wait ?? options.timeout !== undefined;
      const session = new DomainSession(command);
      const started = await session.changeDomain('domains.verify', { domain }, `verify the domain ${domain}`);
      if (isWaiting) showEnd(await waitFor(session, started, timeoutMs), session, timeout);
      else showStart(started, session);
    });
}

async function waitFor(
  session: DomainSession,
  started: DomainReport,
  timeoutMs: number,
): Promise<DomainReport> {
  const { domain } = started;
  const view = await verificationView(session, timeoutMs);
  let isInterrupted = false;
  try {
    return await interruptible(
      signal => {
        signal.addEventListener('abort', () => {
          isInterrupted = true;
        });
        return watchDomain(started, {
          poll: () => session.readDomain(domain, signal),
          update: report => isInterrupted || view.update(report),
          timeoutMs,
          intervalMs: session.target.isLocal ? LOCAL_INTERVAL_MS : AWS_INTERVAL_MS,
          sleep: ms => sleepFor(ms, undefined, { signal }),
        });
      },
      `No longer watching ${domain}. Its verification goes on by itself.`,
      `See its progress with: ${session.projectCommandLine(`domains show ${domain}`)}`,
    );
  } finally {
    view.end(isInterrupted);
  }
}

function showStart(report: DomainReport, session: DomainSession): void {
  session.showReport(report, style =>
    isLive(report)
      ? domainText(report, style, session, Date.now())
      : sections(
          [
            `The verification of ${report.domain} in ${session.environment} has started. It goes on by itself. See its progress with:`,
            '',
            `  ${session.projectCommandLine(`domains show ${report.domain}`)}`,
          ],
          recordLines(report, style),
          nextLines(report, session),
        ),
  );
}

function showEnd(report: DomainReport, session: DomainSession, timeout: string): void {
  const isUndecided = !isLive(report) && !['failed', 'removing'].includes(report.status);
  session.showReport(report, style =>
    sections(
      isUndecided
        ? [`${report.domain} is not live after ${timeout}. The verification goes on by itself.`]
        : [],
      [domainText(report, style, session, Date.now())],
    ),
  );
  session.endWith(exitCodeOf(report));
}
