import { log } from '../../log.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { isUnreconciled, mayBeMapped } from '../life/reconciliation.ts';
import { removalStarted } from '../life/transitions.ts';
import { hasExpired, UNVERIFIED_CLAIM_DAYS } from '../life/unverified-claims.ts';
import { eachDomain, FEW_AT_A_TIME, type Pace } from './each-domain.ts';
import { isInFlow } from './flow-watch.ts';
import type { MappingFailure } from './pending-mappings.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly remap: () => Promise<readonly MappingFailure[]>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
  /** Restarts the flow of a domain whose execution has ended; returns whether it had. */
  readonly watchFlow: (domain: Domain) => Promise<boolean>;
  readonly now: () => number;
  readonly waitScale: number;
}

/**
 * A check takes up to 20 s where name servers are silent, and most of a second otherwise. 32 at a time are 1,000 silent
 * domains in 11 minutes, of the 15 that the function has. Four starts a second keep healthy ones below what an account may
 * ask: Route 53 and ACM answer ten requests a second each, of which a check makes one and two.
 */
const CHECK_PACE: Pace = { concurrency: 32, everyMs: 250 };

/**
 * Restarts flows whose execution has ended, reconciles the domains whose command ended between commit and reconcile,
 * removes unverified claims that have expired, maps the domains whose mapping is pending and unmaps those that failed;
 * returns how many domains there were, but for the last two.
 */
export async function reconcileAll({
  domains,
  reconcile,
  remap,
  watchFlow,
  now,
}: Omit<ScheduledWorkParts, 'recheck' | 'waitScale'>): Promise<number> {
  const all = await domains.all();
  const restarted = new Set<Domain>();
  const watch = () =>
    eachDomain(all.filter(isInFlow), FEW_AT_A_TIME, async domain => {
      if (await watchFlow(domain)) restarted.add(domain);
    });
  const mapPending = async () => {
    const [failure] = (await remap()).filter(({ isRetried }) => isRetried);
    if (failure) throw failure.error;
  };
  const isDue = (domain: Domain) => isUnreconciled(domain) || hasExpired(domain, now());
  const due = () => all.filter(domain => !restarted.has(domain) && isDue(domain));
  const reconcileDue = () =>
    eachDomain(due(), FEW_AT_A_TIME, async domain => {
      const current = hasExpired(domain, now()) ? await removeExpired(domain) : domain;
      if (current) await reconcile(current);
    });
  const failedOnes = all.filter(domain => mayBeMapped(domain, now()));
  const unmapFailed = () => eachDomain(failedOnes, FEW_AT_A_TIME, reconcile);
  await oneAfterTheOther(watch, mapPending, reconcileDue, unmapFailed);
  return due().length + restarted.size;

  /** Starts the removal of a claim; undefined when somebody has changed the claim in the meantime. */
  async function removeExpired(claim: Domain): Promise<Domain | undefined> {
    const message = `Not verified within ${UNVERIFIED_CLAIM_DAYS} days, so the claim has ended.`;
    const removing = nextRevision(removalStarted(claim, now(), message));
    try {
      await domains.save(removing);
      log.info('An unverified claim has expired.', { domain: claim.domain, project: claim.project });
      return removing;
    } catch (error) {
      if (error instanceof DomainChanged || error instanceof Superseded) return undefined;
      throw error;
    }
  }
}

/** A part that fails does not keep the next from being done; what failed is thrown at the end. */
async function oneAfterTheOther(...parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part().catch(error => failures.push(error));
  if (failures.length > 1) throw new AggregateError(failures, 'Parts of the scheduled work failed.');
  if (failures.length === 1) throw failures[0];
}

/** Checks the live domains again, or those of them with one of these certificates; returns how many there were. */
export async function recheckAll(
  { domains, recheck, waitScale }: Pick<ScheduledWorkParts, 'domains' | 'recheck' | 'waitScale'>,
  certificateArns?: readonly string[],
): Promise<number> {
  const isAffected = (arn: string | null) => !certificateArns || certificateArns.includes(arn ?? '');
  const live = (await domains.all()).filter(
    ({ status, certificate }) => status === 'live' && isAffected(certificate.arn),
  );
  await eachDomain(live, { ...CHECK_PACE, everyMs: waitScale * CHECK_PACE.everyMs }, recheck);
  return live.length;
}
