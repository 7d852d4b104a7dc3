import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose, type Style } from '../framework/style.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, noteLines, readableName, recordLines, sections } from './domain-text.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

export function addAdd(domains: PetstoreCommand): void {
  domains
    .command('add')
    .summary('claim a domain and show its DNS records')
    .description(
      `Claims a domain for a project, requests its certificate and shows the DNS records that its owner has to create. Waits up to ${LONGEST_WAIT_MS / 1000} seconds for AWS to name the record of the certificate. Adding a domain again shows the same records.`,
    )
    .argument('<domain>', 'such as www.example.com, or example.com for an apex')
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains add www.example.com',
      'domains add www.example.com --zone-file > www.example.com.zone',
      "domains add www.example.com --json | jq '.records[] | {type, name, value}'",
    )
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const summary = `add the domain ${domain} to the project ${session.project}`;
      const added = await session.changeDomain('domains.add', { domain }, summary);
      const report = await awaitCertificateRecord(session, added);
      session.showReport(report, style =>
        sections(
          [
            prose(
              `Added ${readableName(report.domain)} to the project ${report.project} in ${session.environment}.`,
              style,
            ),
          ],
          recordLines(report, style),
          missingCertificateRecord(report, session, style),
          nextLines(report, session, style),
          noteLines(report, style),
        ),
      );
    });
}

function missingCertificateRecord(report: DomainReport, session: DomainSession, style: Style): string[] {
  if (hasCertificateRecord(report)) return [];
  return [
    prose(
      "AWS hasn't named the DNS record of the certificate yet. You need that one, too. See it in a minute with:",
      style,
    ),
    '',
    `  ${session.projectCommandLine(`domains show ${report.domain}`)}`,
  ];
}

/** ACM names the validation record seconds to tens of seconds after the certificate was requested. */
const LONGEST_WAIT_MS = 30_000;
const INTERVAL_MS = 1_000;

function hasCertificateRecord({ records }: DomainReport): boolean {
  return records.some(({ purpose }) => purpose === 'certificate');
}

/** Waits for the record of the certificate. The report lacks it if ACM does not name it in time. */
export async function awaitCertificateRecord(
  session: DomainSession,
  earlier: DomainReport,
): Promise<DomainReport> {
  if (hasCertificateRecord(earlier)) return earlier;
  session.progress('Waiting for AWS to name the DNS record of the certificate …');
  let report = earlier;
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += INTERVAL_MS) {
    await sleep(INTERVAL_MS);
    report = await session.readDomain(earlier.domain);
    if (hasCertificateRecord(report)) break;
  }
  return report;
}
