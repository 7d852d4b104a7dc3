import { withReachableLink } from '../../operator/connection/target.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/style.ts';
import { DomainSession } from './domain-session.ts';
import { linkLines } from './domain-text.ts';

export function addLink(domains: PetstoreCommand): void {
  domains
    .command('link')
    .summary('make a link for whoever runs the DNS')
    .description(
      "Makes a link to a page for whoever runs the DNS of a domain. The page needs no account: it has the records to create, says what was found and what is wrong, and has a button that asks for a check. A link is the same all day and works for 90 days. It ends with the domain, or when you end all of the domain's links with --revoke. A domain and its apex or www that were added together have one page.",
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--revoke', 'end all links to the page')
    .examples(
      'domains link www.example.com',
      'domains link www.example.com --json | jq -r .url',
      'domains link www.example.com --revoke',
    )
    .action(async (domain: string, { revoke }: { revoke?: true }, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      if (revoke) {
        const summary = `end the links to the page for the owner of ${domain}`;
        const report = await session.changeDomain('domains.unlink', { domain }, summary);
        const names = [report.domain, report.pair ?? []].flat().join(' and ');
        const again = session.projectCommandLine(`domains link ${report.domain}`);
        return session.show(report, style =>
          prose(`Ended all links to the page for ${names}. For a new one, run: ${again}`, style),
        );
      }
      const given = await session.carryOut('domains.link', { domain }, '');
      const link = withReachableLink(given, session.target);
      session.show(link, style => linkLines([link], [domain], style).join('\n'));
    });
}
