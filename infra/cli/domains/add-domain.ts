import type { PetstoreCommand } from '../petstore-command.ts';
import { hasCertificateRecord, LONGEST_WAIT_MS, withCertificateRecord } from './certificate-record.ts';
import type { DomainReport } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, recordLines, sections } from './show-domain.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

export function addAdd(domains: PetstoreCommand): void {
  domains
    .command('add')
    .summary('claim a domain and show its DNS records')
    .description(
      `Claims a domain for a project, requests its certificate and shows the DNS records that its owner has to create, ready to paste. Waits up to ${LONGEST_WAIT_MS / 1000} seconds for the record of the certificate. Adding a domain again shows the same records.`,
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
      const words = `add the domain ${domain} to the project ${session.project}`;
      const added = await session.act('add', { domain }, words);
      const report = await withCertificateRecord(session, added);
      session.showReport(report, style =>
        sections(
          [`Added ${report.domain} to the project ${report.project} in ${session.place}.`],
          recordLines(report, style),
          missingCertificateRecord(report, session),
          nextLines(report, session),
        ),
      );
    });
}

function missingCertificateRecord(report: DomainReport, session: DomainSession): string[] {
  if (hasCertificateRecord(report)) return [];
  return [
    'AWS has not named the record of the certificate yet; it is needed too. See it in a minute with:',
    '',
    `  ${session.line(`domains show ${report.domain}`)}`,
  ];
}
