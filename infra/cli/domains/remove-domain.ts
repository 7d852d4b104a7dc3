import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import {
  inOrderOfRemoval,
  isInEffect,
  type Routing,
  remainingServers,
  removalConsequences,
} from '../../operator/domains/domain-report.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { prose } from '../framework/style.ts';
import { DomainSession } from './domain-session.ts';
import { readableName } from './domain-text.ts';
import { DOMAINS_ARGUMENT, doSeveral, readDomains, SEVERAL_TEXT } from './several-domains.ts';

export function addRemove(domains: PetstoreCommand): void {
  domains
    .command('remove')
    .aliases(['rm', 'delete'])
    .summary('stop serving domains and delete their AWS resources')
    .description(
      `Stops serving a domain, then deletes its AWS resources. Shows the consequences and asks first, in every environment, unless you add --yes. Links to the domain stop working; to keep them working, redirect the domain instead.\n\n${SEVERAL_TEXT}`,
    )
    .argument(DOMAINS_ARGUMENT, 'the domains, as they were added')
    .examples(
      'domains remove www.example.com',
      'domains remove a.example.com b.example.com --yes',
      'domains redirect www.example.com example.com',
    )
    .action(async (given: string[], _: object, command: PetstoreCommand) => {
      const names = readDomains(given, command);
      const session = new DomainSession(command);
      if (given.length > 1) await removeSeveral(session, names);
      else await removeOne(session, names[0] ?? '');
    });
}

const DELETE_RECORDS = 'at your DNS provider, unless something else uses the name.';

async function removeOne(session: DomainSession, domain: string): Promise<void> {
  const report = await session.readDomain(domain);
  warn(session, consequences(report, await session.readRouting()));
  await session.confirm(`This removes ${report.domain} from ${session.environment}.`);
  const removed = await session.changeDomain('domains.remove', { domain }, '', {
    isConfirmed: true,
    part: '',
  });
  session.show(
    removed,
    `Removed ${readableName(removed.domain)} from ${session.environment}. Its AWS resources are being deleted.\nNow delete its DNS records ${DELETE_RECORDS}`,
  );
}

async function removeSeveral(session: DomainSession, names: readonly string[]): Promise<void> {
  const [all, routing] = [await session.listDomains(), await session.readRouting()];
  const leaving = inOrderOfRemoval(all.filter(({ domain }) => names.includes(domain)));
  const leavingNames = leaving.map(({ domain }) => domain);
  const unknown = names.filter(name => !leavingNames.includes(name));
  const links = brokenLinks(leaving);
  warn(session, {
    sentences: [
      ...unknown.map(name => `${name} isn't in project ${session.project}.`),
      ...leaving.flatMap(report => removalConsequences(report, routing, leavingNames)),
      ...links.sentences,
    ],
    commands: links.commands,
  });
  if (leaving.length > 0) {
    const count = leaving.length === 1 ? '1 domain' : `${leaving.length} domains`;
    await session.confirm(`This removes ${count} from ${session.environment}.`);
  }
  await doSeveral<DomainReport>(session, [...leavingNames, ...unknown], {
    command: 'domains remove',
    done: 'removed',
    work: (domain, options) => session.changeDomain('domains.remove', { domain }, '', options),
    text: (reports, style) => [
      reports.length > 0
        ? [prose(`Now delete the DNS records of the removed domains ${DELETE_RECORDS}`, style)]
        : [],
    ],
  });
}

/** What a removal stops, and the commands that keep links working, which the last sentence announces. */
interface Warning {
  readonly sentences: readonly string[];
  readonly commands: readonly string[];
}

function warn(session: DomainSession, { sentences, commands }: Warning): void {
  for (const sentence of sentences) session.progress(sentence);
  for (const words of commands) session.progress(session.projectCommandLine(words), '  ');
}

function brokenLinks(leaving: readonly DomainReport[]): Warning {
  const uncovered = leaving.filter(isUncovered).map(({ domain }) => domain);
  if (uncovered.length === 0) return { sentences: [], commands: [] };
  return {
    sentences: [`Links to ${uncovered.join(', ')} stop working. To keep them working, redirect instead:`],
    commands: ['domains redirect <domain> <to>'],
  };
}

function isUncovered(report: DomainReport): boolean {
  const { redirect } = report;
  return factsOf(report).group === 'served' && !isInEffect(redirect);
}

/** What the removal stops, which domain becomes the primary, and how links to the domain can be kept. */
export function consequences(report: DomainReport, routing: Routing): Warning {
  const links = isUncovered(report) ? keptLinks(report, routing) : { sentences: [], commands: [] };
  return { ...links, sentences: [...removalConsequences(report, routing), ...links.sentences] };
}

/** The commands that make the domain redirect to another live one, in an order in which each of them is allowed. */
function keptLinks({ domain, primary }: DomainReport, routing: Routing): Warning {
  const servers = remainingServers(routing, [domain]);
  const sources = routing.redirects.filter(({ to }) => to === domain).map(({ from }) => from);
  const target =
    (primary ? null : routing.primary) ?? servers.find(name => !sources.includes(name)) ?? servers[0];
  const warning = `Links to ${domain} stop working.`;
  if (target === undefined) {
    const advice = 'To keep them working, add another domain and redirect this one to it.';
    return { sentences: [`${warning} ${advice}`], commands: [] };
  }
  const commands = [
    ...(sources.includes(target) ? [`domains unredirect ${target}`] : []),
    ...(primary ? [`domains primary ${target}`] : []),
    ...sources.filter(name => name !== target).map(name => `domains redirect ${name} ${target}`),
    `domains redirect ${domain} ${target}`,
  ];
  return { sentences: [`${warning} To keep them working, redirect it instead:`], commands };
}
