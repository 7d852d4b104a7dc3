import type { PetstoreCommand } from '../petstore-command.ts';
import type { DomainReport } from './domain-report.ts';
import { DomainSession } from './domain-session.ts';

export function addRemove(domains: PetstoreCommand): void {
  domains
    .command('remove')
    .alias('rm')
    .summary('stop serving a domain and take it down')
    .description(
      'Stops serving a domain at once, then takes down everything that was made for it. Says first what stops, and asks, in every environment; --yes goes on without asking. Links that were shared stop working: to keep them, redirect the domain instead.',
    )
    .argument('<domain>', 'the domain, as it was added')
    .examples(
      'domains remove www.example.com',
      'domains remove www.example.com --yes',
      'domains redirect www.example.com example.com',
    )
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      const session = new DomainSession(command);
      const report = await session.look(domain);
      const { domains: all } = await session.list();
      for (const line of consequences(report, all, session)) session.note(line);
      await session.confirm(`This removes ${report.domain} from ${session.place}.`);
      const removed = await session.act('remove', { domain }, '', { isConfirmed: true });
      session.show(
        removed,
        () =>
          `Removed ${removed.domain} from ${session.place}. It is no longer served; what was made for it is being taken down.\nDelete its DNS records at your DNS provider: a record that leads nowhere can be abused by others.`,
      );
    });
}

/** What stops, what takes its place, and how links that were shared could be kept. */
export function consequences(
  report: DomainReport,
  all: readonly DomainReport[],
  session: Pick<DomainSession, 'line'>,
): string[] {
  const { domain, status, redirect, primary } = report;
  if (status === 'removing') return [`${domain} is being removed already.`];
  if (status !== 'live') return [`${domain} is not served yet, so nothing stops; its claim ends.`];
  const incoming = all.filter(other => other.redirect?.to === domain).map(other => other.domain);
  const servers = all
    .filter(other => other.domain !== domain && other.status === 'live')
    .filter(other => other.redirect === null || other.redirect.to === domain)
    .map(other => other.domain);
  return [
    redirect
      ? `https://${domain} stops at once: it no longer redirects to https://${redirect.to}.`
      : `https://${domain} stops being served at once.`,
    ...incoming.map(from => `https://${from} no longer redirects to it, and serves the project itself.`),
    ...(primary ? [`It is the primary domain of the project. ${successionText(servers)}`] : []),
    ...(redirect ? [] : coverText(report, all, servers, session)),
  ];
}

/** The service gives the role to the domain that has been live the longest. */
function successionText(servers: readonly string[]): string {
  if (servers.length === 0) return 'There is no other live domain: the project has no primary domain then.';
  return servers.length === 1
    ? `${servers[0]} becomes the primary domain.`
    : `The one of ${servers.join(', ')} that has been live the longest becomes the primary domain.`;
}

function coverText(
  { domain, primary }: DomainReport,
  all: readonly DomainReport[],
  servers: readonly string[],
  session: Pick<DomainSession, 'line'>,
): string[] {
  const target = all.find(other => other.primary && other.domain !== domain)?.domain ?? servers[0];
  const warning = `No redirect covers ${domain}: shared links stop working.`;
  if (target === undefined)
    return [`${warning} To keep them, bring another domain live and redirect this one to it.`];
  const redirectLine = `  ${session.line(`domains redirect ${domain} ${target}`)}`;
  return [
    `${warning} To keep them, redirect it instead:`,
    ...(primary ? [`  ${session.line(`domains primary ${target}`)}`] : []),
    redirectLine,
  ];
}
