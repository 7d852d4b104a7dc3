import { usageError } from '../command-error.ts';
import type { PetstoreCommand } from '../petstore-command.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, sections } from './show-domain.ts';

/** Permanent, permanent with the method kept (308), and the same for the time being (302, 307). */
const STATUSES = [301, 302, 307, 308];
const DEFAULT_STATUS = 301;

export function addRedirect(domains: PetstoreCommand): void {
  domains
    .command('redirect')
    .summary('lead visitors of one domain to another')
    .description(
      'Answers requests to one live domain of the project with a redirect to another, whatever their path. 301 and 308 are for good, and browsers remember them; 302 and 307 are for the time being; 307 and 308 keep the method, such as POST.',
    )
    .argument('<from>', 'the domain that is to redirect; not the primary one')
    .argument('<to>', 'the live domain that is to be led to')
    .option('--status <code>', `${STATUSES.join(', ')} (default: ${DEFAULT_STATUS})`, readStatus)
    .examples(
      'domains redirect example.com www.example.com',
      'domains redirect old.example.com www.example.com --status 308',
      'domains unredirect example.com',
    )
    .action(
      async (
        from: string,
        to: string,
        { status = DEFAULT_STATUS }: { status?: number },
        command: PetstoreCommand,
      ) => {
        const session = new DomainSession(command);
        const words = `redirect ${from} to ${to} with ${status}`;
        const report = await session.act('redirect', { domain: from, to, status }, words);
        session.show(report, () =>
          sections(
            [`https://${report.domain} redirects to https://${report.redirect?.to ?? to} with ${status}.`],
            nextLines(report, session),
          ),
        );
      },
    );
}

export function addUnredirect(domains: PetstoreCommand): void {
  domains
    .command('unredirect')
    .summary('end a redirect: the domain serves the project again')
    .description('Ends the redirect of a domain, which then serves the project itself again.')
    .argument('<domain>', 'the domain that redirects')
    .examples('domains unredirect example.com', 'domains unredirect example.com --stage production --yes')
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const report = await session.act('unredirect', { domain }, `end the redirect of ${domain}`);
      session.show(report, () =>
        sections(
          [`https://${report.domain} no longer redirects: it serves the project ${report.project}.`],
          nextLines(report, session),
        ),
      );
    });
}

function readStatus(text: string): number {
  const status = STATUSES.find(known => String(known) === text);
  if (status === undefined) throw usageError(`--status is one of ${STATUSES.join(', ')}, not "${text}".`);
  return status;
}
