import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { exactTime } from '../framework/readable-times.ts';
import { EXIT_CODES_TEXT } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { domainText, nextLines, recordLines, sections } from './show-domain.ts';
import { readTimeoutMs, TIMEOUT_OPTION, watchAndShow } from './watch-command.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

/** A check that finds a record with another value, or one in the way, can be wrong for a moment while records spread. */
const SAME_FAULTS = 3;

interface Options {
  readonly wait?: true;
  readonly timeout?: string;
}

export function addVerify(domains: PetstoreCommand): void {
  domains
    .command('verify')
    .alias('reverify')
    .summary('check the DNS records and bring the domain live')
    .description(
      `Starts the verification: the service checks the DNS records until a deadline, waits for the certificate, and then serves the domain. It goes on by itself; --wait waits for it and shows the state of each record. It waits no longer when ${SAME_FAULTS} checks in a row find the same wrong records. Verifying again starts another attempt with the same records and new deadlines; "domains watch" only watches.\n\n${EXIT_CODES_TEXT} Without --wait the exit code is 0 once the verification has started.`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--wait', 'wait until the domain is live or has failed')
    .option(...TIMEOUT_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains verify www.example.com --wait',
      'domains verify www.example.com --wait --timeout 2h',
      'domains verify www.example.com --wait --json | jq -r .status',
    )
    .action(async (domain: string, { wait, timeout }: Options, command: PetstoreCommand) => {
      readTimeoutMs({ timeout });
      const session = new DomainSession(command);
      const started = await session.changeDomain('domains.verify', { domain }, `verify the domain ${domain}`);
      const isWaiting = wait ?? timeout !== undefined;
      if (isWaiting) await watchAndShow(session, started, { timeout, sameFaults: SAME_FAULTS });
      else showStart(started, session);
    });
}

function showStart(report: DomainReport, session: DomainSession): void {
  const { domain, deadlines } = report;
  const until = deadlines.dns ? ` until ${exactTime(deadlines.dns)}` : '';
  const started = `The verification of ${domain} in ${session.environment} has started. It goes on by itself${until}. Watch it with:`;
  session.showReport(report, style =>
    // A live domain is only checked and repaired, even if it needs attention.
    report.status === 'live'
      ? domainText(report, style, session, Date.now())
      : sections(
          [prose(started, style), '', `  ${session.projectCommandLine(`domains watch ${domain}`)}`],
          recordLines(report, style),
          nextLines(report, session, style),
        ),
  );
}
