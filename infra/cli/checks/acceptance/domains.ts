import { randomBytes } from 'node:crypto';
import { resolveNs } from 'node:dns/promises';
import { CommandError } from '../../../operator/connection/command-error.ts';
import { HostedZones } from '../../../operator/domains/hosted-zones.ts';
import { isRecord } from '../../../operator/domains/set-record.ts';
import type { DomainSession } from '../../domains/domain-session.ts';
import { recordLines } from '../../domains/domain-text.ts';
import { interruptible } from '../../framework/terminal.ts';
import { type Finding, failed, ok, skipped, undecided } from '../check.ts';
import { DomainTrial } from '../domain-trial.ts';
import { runWithoutKeys } from '../http/connect.ts';
import { type SmokeCheck, smokeCheckOf } from '../smoke-command.ts';
import { type Acceptance, DOMAIN_KINDS, type DomainNames, durationText } from './report.ts';

export async function tryDomains({ session, settings, domains }: Acceptance): Promise<Finding> {
  if (!session.target.isLocal) return tryNames(session, domains, settings.managedZoneIds);
  const { names, remove } = await createLocalDomains(session);
  try {
    return await tryNames(session, names);
  } finally {
    await remove();
  }
}

/** Takes the domains through the flow, all at once: most of the time is spent waiting. */
async function tryNames(
  session: DomainSession,
  names: DomainNames,
  managedZoneIds?: readonly string[],
): Promise<Finding> {
  const given = DOMAIN_KINDS.flatMap(kind => {
    const name = names[kind];
    return name === undefined ? [] : [{ kind, name }];
  });
  if (given.length === 0) {
    return skipped('no domain was given: --subdomain, --delegated, --apex');
  }
  if (!session.target.isLocal && names.delegated !== undefined) await requireDelegation(names.delegated);
  const results = await runTrials(
    session,
    given.map(({ name }) => new DomainTrial(session, managedZoneIds, name)),
  );
  const tried = given.map((domain, index) => ({ ...domain, checks: results[index] ?? [] }));
  const kindsWith = (isWanted: (checks: readonly SmokeCheck[]) => boolean) =>
    tried.filter(({ checks }) => isWanted(checks)).map(({ kind }) => kind);
  const broken = kindsWith(checks => checks.some(({ outcome }) => outcome === 'broken'));
  const done = kindsWith(checks => checks.every(({ outcome }) => outcome === 'ok'));
  const open = DOMAIN_KINDS.filter(kind => !broken.includes(kind) && !done.includes(kind));
  const message = [
    ...(done.length > 0 ? [`live, responding over HTTPS, then removed: ${done.join(', ')}`] : []),
    ...(broken.length > 0 ? [`failed: ${broken.join(', ')}`] : []),
    ...(open.length > 0 ? [`not finished: ${open.join(', ')}`] : []),
  ].join('; ');
  const facts = [
    ...tried.map(({ kind, name, checks }) =>
      [`${kind} ${name}`, ...checks.map(check => `  - ${checkText(check)}`)].join('\n'),
    ),
    ...DOMAIN_KINDS.filter(kind => names[kind] === undefined).map(kind => `${kind}: no name was given`),
  ];
  const verdict = broken.length > 0 ? failed : open.length > 0 ? undecided : ok;
  return verdict(message, facts);
}

async function runTrials(session: DomainSession, trials: readonly DomainTrial[]): Promise<SmokeCheck[][]> {
  const runAll = (signal: AbortSignal, from: number, to?: number) =>
    Promise.all(trials.map(trial => runWithoutKeys(trial.checks(signal).slice(from, to), session, signal)));
  try {
    return await interruptible(async signal => {
      const claims = await runAll(signal, 0, 1);
      await publish(session, trials);
      const rest = await runAll(signal, 1);
      return claims.map((claim, index) => [...claim, ...(rest[index] ?? [])].map(smokeCheckOf));
    }, 'Interrupted.');
  } finally {
    await Promise.all(trials.map(trial => trial.cleanUp()));
  }
}

/**
 * Shows all DNS records that somebody has to create, and waits until they are created: a check before that would make
 * resolvers remember that they are missing. If nobody can say so, the verification waits for them.
 */
async function publish(session: DomainSession, trials: readonly DomainTrial[]): Promise<void> {
  const claims = (await Promise.all(trials.map(trial => trial.claimToPublish()))).flatMap(
    claim => claim ?? [],
  );
  if (claims.length === 0) return;
  const style = session.styleOf(process.stderr);
  for (const claim of claims) process.stderr.write(`\n${recordLines([claim], style).join('\n')}\n`);
  process.stderr.write('\n');
  const isCreated = await session.ask('Create these records at your DNS provider. Done?');
  if (isCreated === false) throw new CommandError('cancelled', "The DNS records weren't created.");
}

function checkText({ name, outcome, message, durationMs = 0 }: SmokeCheck): string {
  return outcome === 'skipped'
    ? `skipped: ${name}: ${message}`
    : `${outcome} after ${durationText(durationMs)}: ${name}${outcome === 'ok' ? '' : `: ${message}`}`;
}

async function requireDelegation(name: string): Promise<void> {
  const zone = name.replace(/^[^.]*\./, '');
  const servers = await resolveNs(zone).catch(() => []);
  if (servers.length === 0) {
    throw new Error(
      `--delegated needs a name in a delegated zone, such as www.dev.example.com: ${zone} has no name servers of its own`,
    );
  }
}

interface LocalDomains {
  readonly names: DomainNames;
  /** Deletes the zones, from which the records of the domains have been deleted. */
  remove(): Promise<void>;
}

/**
 * The domains of one machine, with their zones at its DNS provider, one of which is delegated. Each run has a registrable
 * domain of its own, so that no resolver remembers records of an earlier one.
 */
async function createLocalDomains({ target }: DomainSession): Promise<LocalDomains> {
  const apex = `petstore-accept-${randomBytes(4).toString('hex')}.com`;
  const zones = await HostedZones.of(target);
  const parent = await zones.create(apex);
  const child = await zones.create(`dev.${apex}`);
  const servers = (await zones.recordsOf(child)).find(isRecord(child.name, 'NS'));
  if (servers === undefined) throw new Error(`The zone ${child.name} has no NS record.`);
  await zones.change(parent, { action: 'UPSERT', record: servers });
  return {
    names: { subdomain: `www.${apex}`, delegated: `www.${child.name}`, apex },
    async remove() {
      await zones.change(parent, { action: 'DELETE', record: servers });
      for (const zone of [child, parent]) await zones.remove(zone);
    },
  };
}
