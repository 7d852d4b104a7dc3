import { transact } from '../../aws/transaction.ts';
import { log } from '../../log.ts';
import type { Project } from '../../projects/project.ts';
import { type ProjectStore, RoutingChanged } from '../../projects/project-store.ts';
import { withoutDomain } from '../../projects/routing.ts';
import type { Clock } from '../clock.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isAttached } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore } from '../life/domain-store.ts';
import { isDue } from '../life/due.ts';
import { PATIENCE_MS } from '../life/lease.ts';
import { VERIFICATION_DAYS } from '../life/waits.ts';
import { removalStarted } from '../life/wishes.ts';
import { eachDomain, within } from './each-domain.ts';
import type { SweepCounts, sweeper } from './sweep.ts';
import { isNoticeOutdated, updateNotice } from './takeover.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly projects: Pick<ProjectStore, 'find' | 'list' | 'routingChange'>;
  readonly isMismapped: (claim: Domain, project: Project | undefined) => boolean;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  /** Looks at attached domains, and does a pass over those that need it. */
  readonly sweep: ReturnType<typeof sweeper>;
  readonly tend: (domain: Domain, patienceMs: number) => Promise<unknown>;
  /** Remembers the current addresses of API Gateway's hosts. */
  readonly sampleAddresses: (hosts: readonly string[]) => Promise<void>;
  readonly clock: Clock;
}

/**
 * Restarts flows whose execution ended, reconciles domains whose command ended between commit and reconcile, removes expired
 * unverified claims, updates what owners are told about those who contest their names, samples API Gateway's addresses, and
 * sweeps over attached domains. `done` counts what it restarted, reconciled or removed, looked at and tended, even if some of
 * that fails.
 */
export async function reconcileAll(
  {
    domains,
    projects,
    isMismapped,
    reconcile,
    sweep,
    sampleAddresses,
    clock,
  }: Omit<ScheduledWorkParts, 'tend'>,
  done: ScheduledWork = { reconciled: 0, looked: 0, tended: 0 },
): Promise<ScheduledWork> {
  const all = await domains.all();
  const due = all.filter(domain => COMMANDED.some(work => isDue(domain, work, clock)));
  const reconcileDue = () =>
    eachDomain(within(due, COMMANDS_MS, clock), FEW_AT_A_TIME, async domain => {
      done.reconciled += 1;
      const current = isDue(domain, 'end', clock) ? await removeExpired(domain) : domain;
      if (current) await reconcile(current);
    });
  const sweepAll = async () => {
    const byId = new Map((await projects.list()).map(project => [project.id, project]));
    const each = (claim: Domain) => {
      const project = byId.get(claim.project);
      return { claim, project, isMismapped: isMismapped(claim, project) };
    };
    await sweep(all.map(each), done);
  };
  const outdated = all.filter(owner => isNoticeOutdated(owner, all, clock));
  const updateNotices = () =>
    eachDomain(outdated, FEW_AT_A_TIME, owner => updateNotice({ domains, clock }, owner));
  const sample = () => sampleAddresses(all.filter(isAttached).map(({ pointsAt }) => pointsAt));
  await inTurn(reconcileDue, updateNotices, sample, sweepAll);
  return done;

  /** Starts the removal of a claim; undefined if somebody changed the claim in the meantime. */
  async function removeExpired(claim: Domain): Promise<Domain | undefined> {
    const message = `Not verified within ${VERIFICATION_DAYS} days, so the claim has ended.`;
    const removing = nextRevision(removalStarted(claim, clock.now(), { message }));
    const project = await projects.find(claim.project);
    // A claim that was never live may have a pending redirect.
    const routing = project ? [projects.routingChange(project, withoutDomain(project, claim.domain))] : [];
    try {
      await transact([...domains.change(removing), ...routing]);
    } catch (error) {
      // The next run tries again.
      if (!isConflict(error)) throw error;
      return undefined;
    }
    log.info('An unverified claim has expired.', { domain: claim.domain, project: claim.project });
    return removing;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof DomainChanged || error instanceof RoutingChanged;
}

/** A part that fails doesn't stop the next; failures are thrown at the end. */
async function inTurn(...parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part().catch(error => failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, 'Parts of the scheduled work failed.');
  if (failures.length === 1) throw failures[0];
}

/** What a run has done so far. */
interface ScheduledWork extends SweepCounts {
  reconciled: number;
}

/** Tends the attached domains with one of these certificates; returns how many there are. */
export async function tendAffected(
  { domains, tend }: Pick<ScheduledWorkParts, 'domains' | 'tend'>,
  certificateArns: readonly string[],
): Promise<number> {
  const isAffected = (domain: Domain) =>
    isAttached(domain) && certificateArns.includes(domain.certificate.arn ?? '');
  const affected = (await domains.all()).filter(isAffected);
  await eachDomain(affected, FEW_AT_A_TIME, domain => tend(domain, PATIENCE_MS));
  return affected.length;
}

/** The part of a run's time for what commands left undone and executions that ended; the rest is for looks. */
const COMMANDS_MS = 40_000;

/** Work done the way a command does it; passes are up to the sweep. */
const COMMANDED = ['begin', 'restart', 'end'] as const;

/** A few domains at a time leave capacity for the flows. */
const FEW_AT_A_TIME = 4;
