import { transact } from '../../aws/transaction.ts';
import { describeError, log } from '../../log.ts';
import { type ProjectStore, RoutingChanged } from '../../projects/project-store.ts';
import { livePrimary, reachedPrimary, withoutDomain } from '../../projects/routing.ts';
import type { Clock } from '../clock.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isReady, isServed } from '../life/domain-status.ts';
import { DomainChanged, type DomainStore } from '../life/domain-store.ts';
import { isFlowLost, isUnreconciled } from '../life/reconciliation.ts';
import { removalStarted } from '../life/transitions.ts';
import { hasExpired, UNVERIFIED_CLAIM_DAYS } from '../life/waits.ts';
import type { MappingFailure } from './live-routing.ts';
import { isNoticeOutdated, updateNotice } from './takeover.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly projects: Pick<ProjectStore, 'find' | 'routingChange'>;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly remapAll: (domains: readonly Domain[]) => Promise<readonly MappingFailure[]>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
  /** Restarts the flow of a domain of which no step was done when it was due; returns whether that was so. */
  readonly watchFlow: (domain: Domain) => Promise<boolean>;
  /** Checks whether the traffic of a domain that is ready arrives. */
  readonly checkReady: (domain: Domain) => Promise<Domain>;
  readonly clock: Clock;
}

/**
 * A check takes up to 20 s where name servers are silent, and most of a second otherwise. 32 at a time are 1,000 silent
 * domains in 11 minutes, of the 15 that the function has. Four starts a second keep healthy ones below what an account may
 * ask: Route 53 and ACM allow ten requests a second each, of which a check makes one each. The reconcile, which has a minute,
 * checks 200 domains that are ready.
 */
export const CHECK_PACE: Pace = { concurrency: 32, everyMs: 250 };

/**
 * Restarts flows whose execution has ended, reconciles the domains whose command ended between commit and reconcile,
 * removes unverified claims that have expired, maps the domains that are not mapped as they should be, updates what owners
 * are told of those who contest their names, and checks and repairs the domains that are ready. Returns how many it restarted, reconciled or removed.
 */
export async function reconcileAll({
  domains,
  projects,
  reconcile,
  remapAll,
  watchFlow,
  checkReady,
  clock,
}: Omit<ScheduledWorkParts, 'recheck'>): Promise<number> {
  const all = await domains.all();
  const restarted = new Set<Domain>();
  const lost = (domain: Domain) => isFlowLost(domain, clock);
  const watch = () =>
    eachDomain(all.filter(lost), FEW_AT_A_TIME, async domain => {
      if (await watchFlow(domain)) restarted.add(domain);
    });
  const mapPending = async () => {
    const failures = (await remapAll(all)).flatMap(({ error, isRetried }) => (isRetried && error) || []);
    if (failures.length > 0) throw failures[0];
  };
  const isDue = (domain: Domain) => isUnreconciled(domain) || hasExpired(domain, clock.now());
  const due = () => all.filter(domain => !restarted.has(domain) && isDue(domain));
  const reconcileDue = () =>
    eachDomain(due(), FEW_AT_A_TIME, async domain => {
      const current = hasExpired(domain, clock.now()) ? await removeExpired(domain) : domain;
      if (current) await reconcile(current);
    });
  const readyOnes = all.filter(isReady);
  const checkReadyOnes = () => eachDomain(readyOnes, checkPace(clock), checkReady);
  const outdated = all.filter(owner => isNoticeOutdated(owner, all, clock));
  const updateNotices = () =>
    eachDomain(outdated, FEW_AT_A_TIME, owner => updateNotice({ domains, clock }, owner));
  await inTurn(watch, mapPending, reconcileDue, updateNotices, checkReadyOnes);
  return due().length + restarted.size;

  /** Starts the removal of a claim; undefined when somebody has changed the claim in the meantime. */
  async function removeExpired(claim: Domain): Promise<Domain | undefined> {
    const message = `Not verified within ${UNVERIFIED_CLAIM_DAYS} days, so the claim has ended.`;
    const removing = nextRevision(removalStarted(claim, clock.now(), { message }));
    const project = await projects.find(claim.project);
    // A claim that was never live may have a redirect, which is pending.
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

/** A part that fails does not keep the next from being done; what failed is thrown at the end. */
async function inTurn(...parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part().catch(error => failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, 'Parts of the scheduled work failed.');
  if (failures.length === 1) throw failures[0];
}

/** Checks the live domains again, or those of them with one of these certificates; returns how many there were. */
export async function recheckAll(
  { domains, recheck, clock }: Pick<ScheduledWorkParts, 'domains' | 'recheck' | 'clock'>,
  certificateArns?: readonly string[],
): Promise<number> {
  const isAffected = (arn: string | null) => !certificateArns || certificateArns.includes(arn ?? '');
  const live = (await domains.all()).filter(domain => isServed(domain) && isAffected(domain.certificate.arn));
  await eachDomain(live, checkPace(clock), recheck);
  return live.length;
}

/** Only look-ups and requests: 1,000 primary domains take 50 s of the four minutes that the function has. */
const ARRIVAL_PACE: Pace = { concurrency: 32, everyMs: 50 };

interface PrimaryCheckParts {
  readonly domains: Pick<DomainStore, 'find'>;
  readonly projects: Pick<ProjectStore, 'list'>;
  readonly checkArrival: (domain: Domain, isAway: boolean) => Promise<Domain>;
}

/** Checks whether visitors of the primary domains that replace a default URL arrive here. */
export async function checkPrimaries({ domains, projects, checkArrival }: PrimaryCheckParts): Promise<void> {
  const replacing = (await projects.list()).flatMap(project => {
    const domain = project.whileLive === 'serve' ? undefined : livePrimary(project);
    return domain === undefined ? [] : [{ domain, project }];
  });
  await eachDomain(replacing, ARRIVAL_PACE, async ({ domain: primary, project }) => {
    const domain = await domains.find(primary, project.id);
    if (domain && isServed(domain)) await checkArrival(domain, reachedPrimary(project) === undefined);
  });
}

/** How many domains are worked on at a time, and the least time between two starts. */
interface Pace {
  readonly concurrency: number;
  readonly everyMs: number;
}

function checkPace(clock: Clock): Pace {
  return { ...CHECK_PACE, everyMs: clock.scaled(CHECK_PACE.everyMs) };
}

/** A few domains at a time leave capacity for the flows. */
const FEW_AT_A_TIME: Pace = { concurrency: 4, everyMs: 0 };

/** Does something with every domain. A failure does not stop the rest; all failures are thrown at the end. */
export async function eachDomain<Each extends Pick<Domain, 'domain'>>(
  domains: readonly Each[],
  { concurrency, everyMs }: Pace,
  work: (domain: Each) => Promise<unknown>,
): Promise<void> {
  const queue = domains.values();
  const failures: unknown[] = [];
  let nextStart = Promise.resolve();
  const untilNextStart = () => {
    const start = nextStart;
    nextStart = start.then(() => pause(everyMs));
    return start;
  };
  const worker = async () => {
    for (const domain of queue) {
      if (everyMs > 0) await untilNextStart();
      await work(domain).catch((error: unknown) => {
        failures.push(error);
        log.error('The work on a domain failed.', { domain: domain.domain, error: describeError(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw new AggregateError(failures, 'The work on some domains failed.');
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
