import type { RedirectStatus } from '../../../shared/operator/contract.ts';
import { DEFAULT_REDIRECT_STATUS, REDIRECT_STATUSES } from '../../../shared/projects/project-choices.ts';
import { usageError } from '../framework/command-error.ts';
import { withValues } from '../framework/known-values.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/prose.ts';
import { DomainSession } from './domain-session.ts';
import { nextLines, sections } from './show-domain.ts';

export function addRedirect(domains: PetstoreCommand): void {
  domains
    .command('redirect')
    .summary('redirect one domain to another')
    .description(
      'Redirects every path of one live domain of the project to another live domain. 301 and 308 are permanent, and browsers remember them; 302 and 307 are temporary. 307 and 308 keep the method, such as POST.',
    )
    .argument('<from>', 'the domain that redirects; not the primary one')
    .argument('<to>', 'the live domain that it redirects to')
    .option(
      '--status <code>',
      `${REDIRECT_STATUSES.join(', ')} (default: ${DEFAULT_REDIRECT_STATUS})`,
      withValues(REDIRECT_STATUSES, readStatus),
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
        session.show(report, style =>
          sections(
            [
              prose(
                `https://${report.domain} redirects to https://${report.redirect?.to ?? to} with ${status}.`,
                style,
              ),
            ],
            nextLines(report, session, style),
          ),
        );
      },
    );
}

export function addUnredirect(domains: PetstoreCommand): void {
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
      session.show(report, style =>
        sections(
          [
            prose(
              `https://${report.domain} no longer redirects: it serves the project ${report.project}.`,
              style,
            ),
          ],
          nextLines(report, session, style),
        ),
      );
    });
}

function readStatus(text: string): RedirectStatus {
  const status = REDIRECT_STATUSES.find(known => String(known) === text);
  if (status === undefined)
    throw usageError(`--status is one of ${REDIRECT_STATUSES.join(', ')}, not "${text}".`);
  return status;
}
