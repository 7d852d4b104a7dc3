import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../infra/local/virtual/random.ts';
import { localTarget } from '../../../infra/operator/connection/target.ts';
import { readValues } from '../../../infra/operator/domains/dns-record.ts';
import { HostedZones } from '../../../infra/operator/domains/hosted-zones.ts';
import { setRecord } from '../../../infra/operator/domains/set-record.ts';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { REDIRECT_STATUSES, SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import type { DomainEntry } from '../ledger/domain-ledger.ts';
import type { StageContext } from '../stage-context.ts';
import type { OperatorClient } from './operator-client.ts';

const SECOND_PROJECT = 'soak';

/** The projects whose domains the soak adds: that of the service itself, and another. */
export const PROJECTS: readonly string[] = [SERVICE_PROJECT_ID, SECOND_PROJECT];

/** Creates the second project, with what custom domains require. */
export async function createProjects(operator: OperatorClient): Promise<void> {
  await operator.insist('projects.create', { id: SECOND_PROJECT, plan: 'pro' });
  await operator.insist('projects.deployed', { id: SECOND_PROJECT });
}

const POLL_MS = 1000;

/** What an owner does with a domain, and in the end there is the domain or nothing of it. */
const LIVES = ['live', 'live', 'removed when live', 'removed while verified', 'removed at once'] as const;

/** As many domains as one owner brings live and leaves so; more would only make every settling longer. */
const MOST_LIVE = 2;

/** Adds domains, creates their DNS records, verifies and removes them, one after the other, until the run is over. */
export async function ownDomains(context: StageContext, owner: number, random: Random): Promise<void> {
  const { stage, operator, domains, tally, violations, service, seed } = context;
  let live = 0;
  for (let number = 1; !context.isOver(); number += 1) {
    const zone = `soak-${seed}-${stage}-${owner}-${number}.com`;
    const domain = random.chance(0.75) ? `www.${zone}` : zone;
    const project = random.pick(PROJECTS);
    const life = live < MOST_LIVE ? random.pick(LIVES) : random.pick(LIVES.slice(2));
    await bring(domain, project, life);
    if (life === 'live') live += 1;
  }

  async function bring(domain: string, project: string, life: (typeof LIVES)[number]): Promise<void> {
    const input = { domain, project };
    const entry = domains.added({ domain, project, stage, goal: 'live' });
    const added = await operator.insist('domains.add', input);
    tally.count('domains added');
    if (!added.ok) return refused('domains.add', domain, added.error.message);
    if (life === 'removed at once') return remove(entry);
    const report = await awaited(input, hasCertificateRecord);
    if (!report) return;
    await untilDone(() => createRecords(report));
    await verify(input);
    if (life === 'removed while verified') {
      await delay(random.between(0, 15_000));
      return remove(entry);
    }
    if (!(await awaited(input, ({ status, reason }) => status === 'live' && reason === null))) return;
    tally.count('domains live');
    if (life === 'removed when live') return remove(entry);
  }

  async function verify(input: { domain: string; project: string }): Promise<void> {
    const reply = await operator.insist('domains.verify', input);
    tally.count('verifications');
    if (!reply.ok) refused('domains.verify', input.domain, reply.error.message);
  }

  async function remove(entry: DomainEntry): Promise<void> {
    const { domain, project } = entry;
    domains.removing(entry);
    const reply = await operator.insist('domains.remove', { domain, project });
    tally.count('domains removed');
    if (!reply.ok) refused('domains.remove', domain, reply.error.message);
  }

  /** Waits until the report of a domain is as expected; a verification that was given up is started again. */
  async function awaited(
    input: { domain: string; project: string },
    isExpected: (report: DomainReport) => boolean,
  ): Promise<DomainReport | undefined> {
    let last = 'without a report';
    while (!context.isRestOver()) {
      const reply = await operator.ask('domains.show', input);
      if (reply?.ok) {
        if (isExpected(reply.result)) return reply.result;
        last = `${reply.result.status} (${reply.result.reason}): ${reply.result.message}`;
        if (reply.result.status === 'failed') await verify(input);
      }
      await delay(POLL_MS);
    }
    violations.add('not at its goal', `${input.domain} of ${stage} is ${last} at the end`);
    return undefined;
  }

  /** Creates the records as `petstore dns apply` does. */
  async function createRecords({ records }: DomainReport): Promise<void> {
    const running = await service.whenRunning();
    const zones = await HostedZones.of(localTarget(stage, { ...running, baseUrls: {} }));
    for (const { name, type, value } of records) {
      await setRecord(zones, { name, type, ttl: 60, values: readValues(type, [value]) });
    }
  }

  function refused(command: string, domain: string, message: string): void {
    violations.add('false conflict', `${command} ${domain} of ${stage} returned ${message}`);
  }
}

const hasCertificateRecord = ({ records }: DomainReport) =>
  records.some(({ purpose }) => purpose === 'certificate');

/** Repeats what fails because the service was killed. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 100) throw error;
      await delay(POLL_MS);
    }
  }
}

/** What a change of the routing may be refused with: another domain is not live, or has a role that is in the way. */
const REFUSALS = [
  'domain_not_live',
  'is_primary',
  'redirects_elsewhere',
  'redirects_here',
  'redirect_to_itself',
  'redirect_loop',
  'domain_unknown',
  'removal_in_progress',
  'changed_meanwhile',
];

/** Makes domains primary, lets them redirect and takes redirects back until the run is over. */
export async function routeDomains(context: StageContext, random: Random): Promise<void> {
  const { stage, operator, domains, tally, violations } = context;
  const own = () => domains.entries.filter(entry => entry.stage === stage && entry.goal === 'live');

  while (!context.isOver()) {
    await delay(random.between(500, 3000));
    const entry = random.pick(own());
    const target = random.pick(own().filter(({ project }) => project === entry?.project));
    if (!entry || !target) continue;
    const { domain, project } = entry;
    const command = random.pick([
      'domains.primary',
      'domains.redirect',
      'domains.redirect',
      'domains.unredirect',
    ] as const);
    const status = random.pick(REDIRECT_STATUSES);
    const before = entry.redirect;
    const reply =
      command === 'domains.redirect'
        ? await operator.insist(command, { domain, project, to: target.domain, status })
        : await operator.insist(command, { domain, project });
    tally.count('changes of the routing');
    if (!reply.ok) {
      const isExplained = REFUSALS.includes(reply.error.reason ?? '');
      if (!isExplained)
        violations.add('false conflict', `${command} ${domain} of ${stage}: ${reply.error.message}`);
      continue;
    }
    // A removal that was asked for in the meantime ends the redirect.
    if (entry.goal !== 'live' || entry.redirect !== before) continue;
    if (command === 'domains.unredirect') entry.redirect = undefined;
    if (command === 'domains.redirect' && target.goal === 'live')
      entry.redirect = { to: target.domain, status };
  }
}
