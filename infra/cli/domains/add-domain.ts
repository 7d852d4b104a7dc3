import { setTimeout as sleep } from 'node:timers/promises';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import { READY_DAYS } from '../../../shared/domains/life/waits.ts';
import type { AddedDomain, DomainReport, OwnerLink } from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { EXIT_CODES, isTemporary, usageError } from '../../operator/connection/command-error.ts';
import { isLive, siblingsOf } from '../../operator/domains/domain-report.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose, type Style, sections } from '../framework/style.ts';
import { stoppable } from '../framework/terminal.ts';
import { DomainSession, ZONE_FILE_OPTION } from './domain-session.ts';
import { creationSteps, linkLines, nextLines, noteLines, readableName, recordLines } from './domain-text.ts';
import { DOMAINS_ARGUMENT, doSeveral, forEachOf, readDomains, SEVERAL_TEXT } from './several-domains.ts';
import { ADD_TIMEOUT_OPTION, awaitAndVerify, readTimeoutMs } from './verify-domain.ts';

interface Options {
  readonly switchLater?: true;
  readonly withWww?: true;
  readonly wait?: true;
  readonly timeout?: string;
  readonly zoneFile?: true;
}

export function addAdd(domains: PetstoreCommand): void {
  domains
    .command('add')
    .summary('claim domains and show their DNS records')
    .description(
      `Claims a domain for a project, requests its certificate and shows the DNS records to create. Waits up to ${LONGEST_WAIT_MS / 1000} seconds for AWS to provide the certificate's record. Adding a domain again shows the same records.\n\nIs the domain already in use? Add --switch-later: everything is prepared while its traffic still goes to the old site. Once the domain is ready, you have ${READY_DAYS} days to change the traffic record. There's no outage.\n\nWith --wait you see each record appear at your name servers. Once all are there, the domain is verified as by "domains verify --wait".\n\n${SEVERAL_TEXT}`,
    )
    .argument(DOMAINS_ARGUMENT, 'such as www.example.com, or example.com for an apex')
    .option('--switch-later', 'the domain is in use: prepare everything first, switch traffic last')
    .option(
      '--with-www',
      'also add the www name of an apex, or the apex of a www name; it redirects to the name you give',
    )
    .option(
      '--wait',
      "wait for the records, verify them once they're there, and wait until it's live or ready",
    )
    .option(...ADD_TIMEOUT_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains add www.example.com',
      'domains add www.example.com --wait',
      'domains add example.com --with-www',
      'domains add www.example.com --switch-later',
      'domains add a.example.com b.example.com --zone-file > records.zone',
      "domains add www.example.com --json | jq '.records[] | {type, name, value}'",
    )
    .action(async (given: string[], options: Options, command: PetstoreCommand) => {
      const { switchLater, withWww, timeout } = options;
      const names = readDomains(given, command);
      readTimeoutMs({ timeout });
      const session = new DomainSession(command);
      const isWaiting = options.wait ?? timeout !== undefined;
      if (isWaiting && options.zoneFile) throw usageError("--zone-file can't be used with --wait.");
      if (isWaiting && given.length > 1 && session.wantsJson) {
        throw usageError('--json with --wait takes one domain at a time.');
      }
      const how = { switchLater, withWww, isWaiting };
      const awaited =
        given.length > 1
          ? await addSeveral(session, names, how)
          : await addOne(session, { domain: names[0] ?? '', ...how });
      if (awaited.length > 0) await awaitAndVerify(session, awaited, timeout);
    });
}

interface Waiting {
  readonly isWaiting: boolean;
}

type Choices = Pick<InputOf<'domains.add'>, 'switchLater' | 'withWww'>;

async function addOne(
  session: DomainSession,
  { isWaiting, ...input }: Choices & Waiting & { domain: string },
): Promise<DomainReport[]> {
  const what = input.withWww ? `${input.domain} and its www or apex name` : input.domain;
  const summary = `add ${what} to project ${session.project}`;
  const claimed = await session.changeDomain('domains.add', input, summary);
  const { added, isStopped } = await stoppable(async stop => {
    const latest = await awaitCertificateRecord(session, claimed, stop);
    if (stop.aborted) session.endWith(EXIT_CODES.interrupted);
    return { added: await withLink(latest, session), isStopped: stop.aborted };
  });
  const reports = [added, ...siblingsOf(added)];
  const awaited = isWaiting && !isStopped ? reports.filter(report => isNew(report) && !report.detour) : [];
  // With --json there is one result, at the end.
  if (awaited.length === 0 || !session.wantsJson) {
    session.showReports(added, reports, style =>
      sections(
        [prose(additionText(reports, session), style), ...redirectLines(reports, style)],
        ...whatFollows([added], session, style, { isWaiting }),
        ...(awaited.length > 0 ? [['']] : []),
      ),
    );
  }
  return awaited;
}

/** With the link for the owner of both names of a pair. */
type Linked = AddedDomain & { readonly link?: OwnerLink | null };

async function withLink(added: AddedDomain, session: DomainSession): Promise<Linked> {
  return { ...added, link: await session.readLink(added, ...siblingsOf(added)) };
}

function additionText(reports: readonly DomainReport[], session: DomainSession): string {
  const namesOf = (some: readonly DomainReport[]) =>
    some.map(({ domain }) => readableName(domain)).join(' and ');
  const present = reports.filter(report => !isNew(report));
  const project = `project ${session.project} in ${session.environment}`;
  const wasThere =
    present.length < reports.length
      ? `${namesOf(present)} was already there.`
      : `${namesOf(present)} ${present.length === 1 ? 'is' : 'are'} already in ${project}.`;
  return [
    ...(present.length < reports.length ? [`Added ${namesOf(reports.filter(isNew))} to ${project}.`] : []),
    ...(present.length > 0 ? [wasThere] : []),
  ].join(' ');
}

async function addSeveral(
  session: DomainSession,
  names: readonly string[],
  { isWaiting, ...choices }: Choices & Waiting,
): Promise<DomainReport[]> {
  let awaited: DomainReport[] = [];
  await session.confirmInProduction(`add ${names.length} domains to project ${session.project}`);
  const options = [
    ...(choices.switchLater ? [' --switch-later'] : []),
    ...(choices.withWww ? [' --with-www'] : []),
  ];
  await doSeveral<Linked>(session, names, {
    command: `domains add${options.join('')}`,
    done: 'added',
    work: (domain, options) => session.changeDomain('domains.add', { domain, ...choices }, '', options),
    follow: async (outcomes, stop) => {
      const open = outcomes.filter(({ report }) => report);
      if (open.some(({ report }) => report && lacksCertificateRecord(report))) session.progress(WAITING);
      await forEachOf(open, stop, async ({ report }) =>
        withLink(await pollCertificateRecords(session, report as AddedDomain, stop), session),
      );
    },
    text(added, style) {
      const reports = added.flatMap(report => [report, ...siblingsOf(report)]);
      if (isWaiting) awaited = reports.filter(report => isNew(report) && !report.detour);
      return [redirectLines(reports, style), ...whatFollows(added, session, style, { isWaiting })];
    },
  });
  // What couldn't be added, or was interrupted, comes first.
  return process.exitCode ? [] : awaited;
}

function redirectLines(reports: readonly DomainReport[], style: Style): string[] {
  return reports.flatMap(({ domain, redirect, detour }) =>
    redirect?.isPending && !detour
      ? [prose(`${domain} will redirect to ${redirect.to} (${redirect.status}) once both are live.`, style)]
      : [],
  );
}

function whatFollows(
  all: readonly Linked[],
  session: DomainSession,
  style: Style,
  waiting: Waiting,
): string[][] {
  if (all.length === 0) return [];
  const reports = all.flatMap(report => [report, ...siblingsOf(report)]);
  const added = reports.filter(isNew);
  // Beside new domains, a live one has nothing to create and nothing to do.
  const shown = added.length === 0 ? reports : reports.filter(report => !isLive(report));
  const others = shown.filter(report => !isNew(report));
  return [
    ...shown.flatMap(({ detour, message }) => (detour ? [[prose(message, style)]] : [])),
    linkLines(
      all.flatMap(({ link }) => link ?? []),
      shown.map(({ domain }) => domain),
      style,
    ),
    recordLines(
      shown.filter(({ detour }) => !detour),
      style,
    ),
    missingCertificateRecord(reports, session, style),
    added.length > 0 ? creationSteps(added, session, style, waiting) : [],
    ...others.map(report => nextLines(report, session, style)),
    noteLines(reports, style),
  ];
}

function isNew(report: DomainReport): boolean {
  return factsOf(report).awaits === 'verification';
}

function missingCertificateRecord(
  reports: readonly DomainReport[],
  session: DomainSession,
  style: Style,
): string[] {
  const missing = reports.filter(lacksCertificateRecord);
  if (missing.length === 0) return [];
  return [
    prose("The certificate's DNS record isn't known yet. You need that one, too. In a minute, run:", style),
    '',
    ...missing.map(({ domain }) => `  ${session.projectCommandLine(`domains show ${domain}`)}`),
  ];
}

/** ACM names the validation record seconds to tens of seconds after the certificate was requested. */
const LONGEST_WAIT_MS = 30_000;
const INTERVAL_MS = 1_000;
const WAITING = "Waiting for AWS to provide the certificate's DNS record …";

/** Whether the record of a certificate is missing, of the domain or of the one that was added with it. */
function lacksCertificateRecord(added: AddedDomain): boolean {
  return [added, ...siblingsOf(added)].some(
    ({ records, detour }) => !detour && !records.some(({ purpose }) => purpose === 'certificate'),
  );
}

export async function awaitCertificateRecord(
  session: DomainSession,
  added: AddedDomain,
  signal?: AbortSignal,
): Promise<AddedDomain> {
  if (lacksCertificateRecord(added)) session.progress(WAITING);
  return pollCertificateRecords(session, added, signal);
}

/**
 * Waits for the records of certificates. The report lacks them if ACM doesn't name them in time, or if they can't be read:
 * the domain is added in any case.
 */
async function pollCertificateRecords(
  session: DomainSession,
  added: AddedDomain,
  signal?: AbortSignal,
): Promise<AddedDomain> {
  let latest = added;
  for (
    let waitedMs = 0;
    waitedMs < LONGEST_WAIT_MS && lacksCertificateRecord(latest);
    waitedMs += INTERVAL_MS
  ) {
    try {
      await sleep(INTERVAL_MS, undefined, { signal });
      const report = await session.readDomain(added.domain, signal);
      const sibling = latest.sibling && (await session.readDomain(latest.sibling.domain, signal));
      latest = sibling ? { ...report, sibling } : report;
    } catch (error) {
      if (signal?.aborted || !isTemporary(error)) return latest;
    }
  }
  return latest;
}
