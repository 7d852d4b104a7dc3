import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { remainingServers, removalConsequences } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';
import { readableName } from './domain-text.ts';

export function addRemove(domains: PetstoreCommand): void {
  domains
    .command('remove')
    .aliases(['rm', 'delete'])
    .summary('stop serving a domain and delete what was created for it')
    .description(
      'Stops serving a domain at once, then deletes everything that was created for it in AWS. Shows the consequences and asks first, in every environment, unless --yes is given. Links to the domain stop working: to keep them, redirect the domain instead. Redirects from the domain end, too.',
    )
    .argument('<domain>', 'the domain, as it was added')
    .examples(
      'domains remove www.example.com',
      'domains remove www.example.com --yes',
      'domains redirect www.example.com example.com',
    )
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const report = await session.readDomain(domain);
      const { domains: all } = await session.listDomains();
      for (const line of consequences(report, all, session)) {
        const isCommandLine = line.startsWith('  ');
        session.progress(line.trimStart(), isCommandLine ? '  ' : '');
      }
      await session.confirm(`This removes ${report.domain} from ${session.environment}.`);
      const removed = await session.changeDomain('domains.remove', { domain }, '', { isConfirmed: true });
      session.show(
        removed,
        `Removed ${readableName(removed.domain)} from ${session.environment}. ${report.status === 'live' ? 'It is no longer served; what' : 'What'} was created for it is being deleted.\nDelete its DNS records at your DNS provider, unless another project or environment uses the name: others can abuse a dangling record.`,
      );
    });
}

/** What the removal stops, which domain becomes the primary, and how links to the domain can be kept. */
export function consequences(
  report: DomainReport,
  all: readonly DomainReport[],
  session: Pick<DomainSession, 'projectCommandLine'>,
): string[] {
  const isUncovered = report.status === 'live' && report.redirect === null;
  return [...removalConsequences(report, all), ...(isUncovered ? keepLinksText(report, all, session) : [])];
}

/** The commands that make the domain redirect to another live one, in an order in which each of them is allowed. */
function keepLinksText(
  report: DomainReport,
  all: readonly DomainReport[],
  session: Pick<DomainSession, 'projectCommandLine'>,
): string[] {
  const { domain, primary } = report;
  const servers = remainingServers(report, all);
  const redirectsHere = (name: string) =>
    all.some(each => each.domain === name && each.redirect?.to === domain);
  const target =
    all.find(other => other.primary && other.domain !== domain)?.domain ??
    servers.find(name => !redirectsHere(name)) ??
    servers[0];
  const warning = `No redirect covers ${domain}: links to it stop working.`;
  if (target === undefined)
    return [`${warning} To keep them, bring another domain live and redirect this one to it.`];
  const otherSources = all.map(each => each.domain).filter(name => name !== target && redirectsHere(name));
  const commands = [
    ...(redirectsHere(target) ? [`domains unredirect ${target}`] : []),
    ...(primary ? [`domains primary ${target}`] : []),
    ...otherSources.map(name => `domains redirect ${name} ${target}`),
    `domains redirect ${domain} ${target}`,
  ];
  return [
    `${warning} To keep them, redirect it instead:`,
    ...commands.map(words => `  ${session.projectCommandLine(words)}`),
  ];
}
