import { Option } from 'commander';
import type { DomainReport, RedirectStatus } from '../../../shared/operator/contract.ts';
import {
  DEFAULT_REDIRECT_STATUS,
  REDIRECT_STATUSES,
  SERVICE_PROJECT_ID,
} from '../../../shared/projects/project-choices.ts';
import { PROGRAM_NAME, usageError } from '../framework/command-error.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/style.ts';
import { addAdd } from './add-domain.ts';
import { DomainSession } from './domain-session.ts';
import { domainText, nextLines, sections } from './domain-text.ts';
import { addList } from './list-domains.ts';
import { addRemove } from './remove-domain.ts';
import {
  addVerify,
  addWatch,
  EXIT_CODES_TEXT,
  exitCodeOf,
  readTimeoutMs,
  TIMEOUT_OPTION,
  watchAndShow,
} from './verify-domain.ts';
import { ZONE_FILE_OPTION } from './zone-file.ts';

const COMMANDS = [
  addAdd,
  addVerify,
  addWatch,
  addShow,
  addList,
  addPrimary,
  addRedirect,
  addUnredirect,
  addRemove,
];

/** petstore domains …: the custom domains of a project. */
export function declareDomains(domains: PetstoreCommand): void {
  domains
    .description(
      `The custom domains of a project. To bring one live: add it, create the listed DNS records at your DNS provider (with --local: "${PROGRAM_NAME} dns apply <domain> --local"), then verify it with --wait; "domains watch" watches it again. The project needs the plan pro or above and a successful deploy: see "${PROGRAM_NAME} projects --help".`,
    )
    .examples(
      'domains add www.example.com',
      'domains verify www.example.com --wait',
      'domains show www.example.com',
      'domains redirect example.com www.example.com',
    );
  for (const addCommand of COMMANDS) addCommand(domains);
  for (const command of domains.commands) {
    command.option('--project <id>', `the project of the domain (default: ${SERVICE_PROJECT_ID})`);
  }
}

interface ShowOptions {
  readonly watch?: true;
  readonly timeout?: string;
  readonly zoneFile?: true;
}

function addShow(domains: PetstoreCommand): void {
  domains
    .command('show')
    .alias('inspect')
    .summary('show a domain: its status, its records and the next steps')
    .description(
      `Shows a domain: its status, the records it needs and what DNS answers, its certificate, the next steps and its history.\n\n${EXIT_CODES_TEXT} With --zone-file the exit code is 0.`,
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--watch', 'watch it until it is live or has failed, as "domains watch" does')
    .option(...TIMEOUT_OPTION)
    .option(...ZONE_FILE_OPTION)
    .examples(
      'domains show www.example.com',
      'domains show www.example.com --watch',
      'domains show www.example.com --zone-file > www.example.com.zone',
      'domains show www.example.com --json | jq -r .status',
    )
    .action(async (domain: string, options: ShowOptions, command: PetstoreCommand) => {
      readTimeoutMs(options);
      const session = new DomainSession(command);
      const report = await session.readDomain(domain);
      if (options.watch ?? options.timeout !== undefined) return watchAndShow(session, report, options);
      session.showReports(report, [report], style => domainText(report, style, session, Date.now()));
      if (!options.zoneFile) session.endWith(exitCodeOf(report));
    });
}

function addPrimary(domains: PetstoreCommand): void {
  domains
    .command('primary')
    .summary('make a live domain the primary domain of its project')
    .description(
      'Makes a live domain the primary domain of its project. The first domain that goes live is the primary domain until another one is chosen.',
    )
    .argument('<domain>', 'a live domain that does not redirect')
    .examples('domains primary www.example.com', 'domains primary www.example.com --stage production --yes')
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const summary = `make ${domain} the primary domain of the project ${session.project}`;
      const report = await session.changeDomain('domains.primary', { domain }, summary);
      showChanged(
        session,
        report,
        `${report.domain} is the primary domain of the project ${report.project} in ${session.environment}.`,
      );
    });
}

function addRedirect(domains: PetstoreCommand): void {
  domains
    .command('redirect')
    .summary('redirect one domain to another')
    .description(
      'Redirects every path of one live domain of the project to another live domain. 301 and 308 are permanent, and browsers remember them; 302 and 307 are temporary. 307 and 308 keep the method, such as POST.',
    )
    .argument('<from>', 'the domain that redirects; not the primary one')
    .argument('<to>', 'the live domain that it redirects to')
    .addOption(
      new Option('--status <code>', `${REDIRECT_STATUSES.join(', ')} (default: ${DEFAULT_REDIRECT_STATUS})`)
        .choices(REDIRECT_STATUSES.map(String))
        .argParser(readStatus),
    )
    .examples(
      'domains redirect example.com www.example.com',
      'domains redirect old.example.com www.example.com --status 308',
      'domains unredirect example.com',
    )
    .action(
      async (
        from: string,
        to: string,
        { status = DEFAULT_REDIRECT_STATUS }: { status?: RedirectStatus },
        command: PetstoreCommand,
      ) => {
        const session = new DomainSession(command);
        const summary = `redirect ${from} to ${to} with ${status}`;
        const report = await session.changeDomain('domains.redirect', { domain: from, to, status }, summary);
        showChanged(
          session,
          report,
          `https://${report.domain} redirects to https://${report.redirect?.to ?? to} with ${status}.`,
        );
      },
    );
}

function addUnredirect(domains: PetstoreCommand): void {
  domains
    .command('unredirect')
    .summary('end a redirect, so that the domain serves the project again')
    .description('Ends the redirect of a domain. The domain then serves the project again.')
    .argument('<domain>', 'the domain that redirects')
    .examples('domains unredirect example.com', 'domains unredirect example.com --stage production --yes')
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const report = await session.changeDomain(
        'domains.unredirect',
        { domain },
        `end the redirect of ${domain}`,
      );
      showChanged(
        session,
        report,
        `https://${report.domain} no longer redirects: it serves the project ${report.project}.`,
      );
    });
}

function showChanged(session: DomainSession, report: DomainReport, sentence: string): void {
  session.show(report, style => sections([prose(sentence, style)], nextLines(report, session, style)));
}

function readStatus(text: string): RedirectStatus {
  const status = REDIRECT_STATUSES.find(known => String(known) === text);
  if (status === undefined)
    throw usageError(`--status is one of ${REDIRECT_STATUSES.join(', ')}, not "${text}".`);
  return status;
}
