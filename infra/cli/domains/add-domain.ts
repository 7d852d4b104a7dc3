import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainReport, ResultOf } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { printable, prose, type Style } from '../framework/style.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, noteLines, readableName, recordLines, sections } from './domain-text.ts';
import {
  DOMAINS_ARGUMENT,
  doSeveral,
  FILE_OPTION,
  forEachOf,
  readDomains,
  SEVERAL_TEXT,
} from './several-domains.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

type Added = ResultOf<'domains.add'>;

interface Options {
  readonly file?: string;
}

export function addAdd(domains: PetstoreCommand): void {
  domains
    .command('add')
    .summary('claim domains and show their DNS records')
    .description(
      `Claims a domain for a project, requests its certificate and shows the DNS records to create. Waits up to ${LONGEST_WAIT_MS / 1000} seconds for AWS to name the certificate's record. Adding a domain again shows the same records.\n\n${SEVERAL_TEXT}`,
    )
    .argument(DOMAINS_ARGUMENT, 'such as www.example.com, or example.com for an apex')
    .option(...FILE_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains add www.example.com',
      'domains add www.example.com shop.example.com',
      'domains add --file domains.txt --zone-file > records.zone',
      "domains add www.example.com --json | jq '.records[] | {type, name, value}'",
    )
    .action(async (given: string[], { file }: Options, command: PetstoreCommand) => {
      const { names, areSeveral } = readDomains(given, file, command);
      const session = new DomainSession(command);
      if (areSeveral) await addSeveral(session, names);
      else await addOne(session, names[0] ?? '');
    });
}

async function addOne(session: DomainSession, domain: string): Promise<void> {
  const summary = `add the domain ${domain} to the project ${session.project}`;
  const added = await session.changeDomain('domains.add', { domain }, summary);
  const report = await awaitCertificateRecord(session, added);
  session.showReports(report, [report], style =>
    sections(
      [
        prose(
          `Added ${readableName(report.domain)} to the project ${report.project} in ${session.environment}.`,
          style,
        ),
      ],
      ...whatFollows([report], session, style),
    ),
  );
}

async function addSeveral(session: DomainSession, names: readonly string[]): Promise<void> {
  await session.confirmInProduction(`add ${names.length} domains to the project ${session.project}`);
  await doSeveral<Added>(session, names, {
    command: 'domains add',
    done: 'added',
    work: ({ domain, warnings }) =>
      session.changeDomain('domains.add', { domain }, '', { isConfirmed: true, warnings }),
    follow: async (outcomes, stop) => {
      const open = outcomes.filter(({ report }) => report && !hasCertificateRecord(report));
      if (open.length > 0) session.progress(WAITING);
      await forEachOf(open, stop, async ({ report }) => {
        const added = report as Added;
        // The domain is added, whether or not it can be read now.
        return pollCertificateRecord(session, added, stop).catch(() => added);
      });
    },
    text: (reports, style) => whatFollows(reports, session, style),
  });
}

/** The records, and what to do with them, in order. */
function whatFollows(reports: readonly DomainReport[], session: DomainSession, style: Style): string[][] {
  if (reports.length === 0) return [];
  const isNew = reports.every(({ status }) => status === 'pending_dns');
  return [
    recordLines(reports, style),
    missingCertificateRecord(reports, session, style),
    ...(isNew
      ? [stepLines(reports, session, style)]
      : reports.map(report => nextLines(report, session, style))),
    noteLines(reports, style),
  ];
}

function stepLines(reports: readonly DomainReport[], session: DomainSession, style: Style): string[] {
  const names = reports.map(({ domain }) => domain);
  return [
    'Next:',
    ...obstaclesOf(reports).map(step => prose(printable(step), style, '  ')),
    prose('1. Create the records above at your DNS provider.', style, '  '),
    ...(session.target.isLocal
      ? names.map(
          name => `     ${session.projectCommandLine(`dns apply ${name}`)}   # sets them on this machine`,
        )
      : []),
    prose('2. Then verify:', style, '  '),
    `     ${session.projectCommandLine(`domains verify ${names.join(' ')} --wait`)}`,
  ];
}

/** The next steps besides creating the records and verifying, such as the delegation of a zone. */
function obstaclesOf(reports: readonly DomainReport[]): string[] {
  const steps = reports.flatMap(({ domain, next, records }) =>
    next.filter(step => step !== `Then verify ${domain}.` && !records.some(({ action }) => action === step)),
  );
  return [...new Set(steps)];
}

function missingCertificateRecord(
  reports: readonly DomainReport[],
  session: DomainSession,
  style: Style,
): string[] {
  const missing = reports.filter(report => !hasCertificateRecord(report));
  if (missing.length === 0) return [];
  return [
    prose(
      "AWS hasn't named the certificate's DNS record yet. You need that one, too. See it in a minute:",
      style,
    ),
    '',
    ...missing.map(({ domain }) => `  ${session.projectCommandLine(`domains show ${domain}`)}`),
  ];
}

/** ACM names the validation record seconds to tens of seconds after the certificate was requested. */
const LONGEST_WAIT_MS = 30_000;
const INTERVAL_MS = 1_000;
const WAITING = "Waiting for AWS to name the certificate's DNS record …";

function hasCertificateRecord({ records }: DomainReport): boolean {
  return records.some(({ purpose }) => purpose === 'certificate');
}

/** Waits for the record of the certificate. The report lacks it if ACM does not name it in time. */
export async function awaitCertificateRecord(
  session: DomainSession,
  earlier: DomainReport,
): Promise<DomainReport> {
  if (hasCertificateRecord(earlier)) return earlier;
  session.progress(WAITING);
  return pollCertificateRecord(session, earlier);
}

async function pollCertificateRecord(
  session: DomainSession,
  earlier: DomainReport,
  signal?: AbortSignal,
): Promise<DomainReport> {
  let report = earlier;
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += INTERVAL_MS) {
    await sleep(INTERVAL_MS, undefined, { signal });
    report = await session.readDomain(earlier.domain);
    if (hasCertificateRecord(report)) break;
  }
  return report;
}
