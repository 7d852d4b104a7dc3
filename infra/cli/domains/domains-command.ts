import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type { CommandsOf, DomainReport } from '../../../shared/operator/contract.ts';
import { DEFAULT_REDIRECT_STATUS, SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { rolesMoved, siblingOf } from '../../../shared/projects/routing.ts';
import { PROGRAM_NAME, usageError } from '../../operator/connection/command-error.ts';
import { isLive, siblingsOf } from '../../operator/domains/domain-report.ts';
import { LETTER_OPTION, letter } from '../../operator/domains/letter.ts';
import { addRow, type SubcommandRow } from '../framework/command-row.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose, type Style, sections } from '../framework/style.ts';
import { addAdd } from './add-domain.ts';
import { CHECK } from './check-domain.ts';
import { DomainSession, ZONE_FILE_OPTION } from './domain-session.ts';
import { domainText, nextLines, readableName } from './domain-text.ts';
import { addLink } from './link-domain.ts';
import { addList } from './list-domains.ts';
import { addRemove } from './remove-domain.ts';
import { addVerify, addWatch, EXIT_CODES_TEXT, exitCodeOf } from './verify-domain.ts';

type DomainRow<Name extends CommandsOf<'domains'>> = SubcommandRow<Name, DomainSession>;
const sessionOf = (command: PetstoreCommand) => new DomainSession(command);

export function declareGroup(domains: PetstoreCommand): void {
  domains
    .description(
      `Manages the custom domains of a project. To take one live: add it, create the DNS records it shows at your DNS provider (with --local: "${PROGRAM_NAME} dns apply <domain> --local"), then verify it with --wait. The project needs the pro plan or above and a successful deploy: see "${PROGRAM_NAME} projects --help".`,
    )
    .examples(
      'domains check example.com',
      'domains add www.example.com',
      'domains verify www.example.com --wait',
      'domains add example.com --with-www',
      'domains add www.example.com --switch-later',
      'domains show www.example.com',
      'domains redirect example.com www.example.com',
    );
  addRow(domains, CHECK, sessionOf);
  addAdd(domains);
  addVerify(domains);
  addWatch(domains);
  addShow(domains);
  addLink(domains);
  addList(domains);
  addRow(domains, PRIMARY, sessionOf);
  addRow(domains, REDIRECT, sessionOf);
  addRow(domains, UNREDIRECT, sessionOf);
  addMove(domains);
  addRemove(domains);
  for (const command of domains.commands) {
    const whose = command.name() === 'list' ? 'the project' : "the domain's project";
    command.option('--project <id>', `${whose} (default: ${SERVICE_PROJECT_ID})`);
  }
}

interface ShowOptions {
  readonly zoneFile?: true;
  readonly letter?: true;
}

function addShow(domains: PetstoreCommand): void {
  domains
    .command('show')
    .alias('inspect')
    .summary("show a domain's status, records and next steps")
    .description(
      `Shows a domain: its status, the records it needs and what DNS answers, its certificate, the next steps and its history. If nobody has looked at a live domain for an hour, it's looked at first.\n\n${EXIT_CODES_TEXT} With --zone-file or --letter the exit code is 0.`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option(...ZONE_FILE_OPTION)
    .option(...LETTER_OPTION)
    .examples(
      'domains show www.example.com',
      'domains show www.example.com --letter',
      'domains show www.example.com --zone-file > www.example.com.zone',
      'domains show www.example.com --json | jq -r .status',
    )
    .action(async (domain: string, options: ShowOptions, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const report = await session.readLooked(domain);
      const link = await session.readLink(report);
      if (options.letter) {
        if (session.wantsJson) throw usageError("--letter can't be used with --json.");
        const pair = report.pair ? [await session.readDomain(report.pair)] : [];
        return session.show(report, () => letter([report, ...pair], link));
      }
      session.showReports({ ...report, link }, [report], style =>
        domainText(report, style, session, Date.now(), link),
      );
      if (!options.zoneFile) session.endWith(exitCodeOf(report));
    });
}

const PRIMARY: DomainRow<'domains.primary'> = {
  command: 'domains.primary',
  summary: 'make a live domain the primary domain of its project',
  description:
    'Makes a live domain the primary domain of its project. Until you choose one, the first domain that went live is primary.',
  fields: { domain: ['<domain>', "a live domain that doesn't redirect"] },
  examples: ['domains primary www.example.com', 'domains primary www.example.com --stage production --yes'],
  question: ({ domain }, { project }) => `make ${domain} the primary domain of project ${project}`,
  done: (report, session) =>
    changedText(
      session,
      report,
      `${report.domain} is now the primary domain of project ${report.project} in ${session.environment}.`,
    ),
};

const REDIRECT: DomainRow<'domains.redirect'> = {
  command: 'domains.redirect',
  summary: 'redirect one domain to another',
  description:
    'Redirects every path of a domain to another domain of the same project. You can do this before both are live: the redirect is pending until they are. 301 and 308 are permanent, and browsers remember them; 302 and 307 are temporary. 307 and 308 keep the method, such as POST.',
  fields: {
    domain: ['<from>', 'the domain that redirects; not the primary domain'],
    to: ['<to>', 'the domain that it redirects to'],
    status: ['--status <code>', '{choices} (default: {default})'],
  },
  examples: [
    'domains redirect example.com www.example.com',
    'domains redirect old.example.com www.example.com --status 308',
    'domains unredirect example.com',
  ],
  input: ({ status = DEFAULT_REDIRECT_STATUS, ...names }) => ({ ...names, status }),
  question: ({ domain, to, status }) => `redirect ${domain} to ${to} with ${status}`,
  done: (report, session, { to, status = DEFAULT_REDIRECT_STATUS }) =>
    changedText(session, report, redirectOutcome(report, report.redirect?.to ?? to, status)),
};

function redirectOutcome({ domain, redirect }: DomainReport, to: string, status: number): string {
  if (redirect?.isSuspended)
    return `Suspended: https://${domain} will redirect to https://${to} with ${status} once its visitors arrive here.`;
  return redirect?.isPending
    ? `Pending: https://${domain} will redirect to https://${to} with ${status} once both are live.`
    : `https://${domain} now redirects to https://${to} with ${status}.`;
}

const UNREDIRECT: DomainRow<'domains.unredirect'> = {
  command: 'domains.unredirect',
  summary: 'stop redirecting a domain, so that it serves the project',
  description:
    'Stops redirecting a domain, or cancels a pending redirect. The domain then serves the project.',
  fields: { domain: ['<domain>', 'the domain that redirects'] },
  examples: ['domains unredirect example.com', 'domains unredirect example.com --stage production --yes'],
  question: ({ domain }) => `stop redirecting ${domain}`,
  done: (report, session) =>
    factsOf(report).group === 'served'
      ? `https://${report.domain} no longer redirects. It serves project ${report.project}.`
      : changedText(
          session,
          report,
          `https://${report.domain} won't redirect when it goes live. It will serve project ${report.project}.`,
        ),
};

function addMove(domains: PetstoreCommand): void {
  domains
    .command('move')
    .summary('move a domain to another project without an outage')
    .description(
      "Moves a domain to another project of the environment. A live domain serves the other project within seconds, without an outage; its DNS records and certificate stay the same. An apex and its www move together, with the redirect between them; other redirects from and to them end, and if the primary domain leaves its project, another live domain takes its place. The other project needs the pro plan or above and a successful deploy. You can't move a domain while it's being verified or removed.",
    )
    .argument('<domain>', 'the domain, as it was added')
    .requiredOption('--to <project>', 'the project to move it to')
    .option('--alone', 'leave the apex or www of the domain in its project')
    .examples(
      'domains move www.example.com --to shop',
      'domains move www.example.com --to shop --alone',
      'domains move www.example.com --project shop --to petstore --stage production --yes',
    )
    .action(async (domain: string, options: { to: string; alone?: true }, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const { to, alone = false } = options;
      const names = await announceMove(session, domain, options);
      const summary = `move ${names.join(' and ')} from project ${session.project} to project ${to}`;
      const report = await session.changeDomain('domains.move', { domain, to, alone }, summary);
      const moved = [report, ...siblingsOf(report)].map(each => readableName(each.domain)).join(' and ');
      const sentence = `Moved ${moved} from project ${session.project} to project ${report.project} in ${session.environment}.`;
      session.show(report, changedText(session, report, sentence, ...report.notes));
    });
}

/** Says what a move changes, before it does, and returns the names that move. */
async function announceMove(
  session: DomainSession,
  domain: string,
  { to, alone }: { readonly to: string; readonly alone?: true },
): Promise<string[]> {
  const listed = await session.listDomains();
  const isNamed = ({ domain: name, unicode }: DomainReport) => [name, unicode].includes(domain.toLowerCase());
  const named = listed.find(isNamed)?.domain ?? domain;
  const siblings = listed.filter(
    each => each.domain === siblingOf(named) && factsOf(each).group !== 'removing',
  );
  const names = [named, ...(alone ? [] : siblings).map(each => each.domain)];
  const [from, target] = [await session.readRouting(), await session.readRouting(to)];
  const [, sibling] = names;
  if (sibling) session.progress(`${sibling} moves, too. To leave it in project ${from.id}, add --alone.`);
  for (const sentence of rolesMoved(names, from, target)) session.progress(sentence);
  return names;
}

function changedText(
  session: DomainSession,
  report: DomainReport,
  ...sentences: readonly string[]
): (style: Style) => string {
  // What holds for a domain that has just gone live is old news here; what browsers do about a redirect isn't.
  const next = isLive(report) && !report.redirect ? [] : report.next;
  return style =>
    sections(
      sentences.map(sentence => prose(sentence, style)),
      nextLines({ ...report, next }, session, style),
    );
}
