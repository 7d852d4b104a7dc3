import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import type { Style } from '../framework/style.ts';
import { awaitCertificateRecord, hasCertificateRecord, LONGEST_WAIT_MS } from './certificate-record.ts';
import { readableName } from './domain-name.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, noteLines, recordLines, sections } from './show-domain.ts';
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
      'AWS has not named the DNS record of the certificate yet, which is needed too. See it in a minute with:',
      style,
    ),
    '',
    `  ${session.projectCommandLine(`domains show ${report.domain}`)}`,
  ];
}
