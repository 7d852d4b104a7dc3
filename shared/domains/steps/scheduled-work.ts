import { log } from '../../log.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { isUnreconciled } from '../life/reconciliation.ts';
import { removalStarted } from '../life/transitions.ts';
import { hasExpired, UNVERIFIED_CLAIM_DAYS } from '../life/unverified-claims.ts';
import { eachDomain } from './each-domain.ts';

interface ScheduledWorkParts {
  readonly domains: DomainStore;
  readonly reconcile: (domain: Domain) => Promise<Domain>;
  readonly recheck: (domain: Domain) => Promise<Domain>;
  readonly now: () => number;
}

/**
 * Reconciles the domains whose command ended between commit and reconcile, and removes unverified claims that have expired;
 * returns how many there were.
 */
export async function reconcileAll({
  domains,
  reconcile,
  now,
}: Pick<ScheduledWorkParts, 'domains' | 'reconcile' | 'now'>): Promise<number> {
  const due = (await domains.all()).filter(domain => isUnreconciled(domain) || hasExpired(domain, now()));
  await eachDomain(due, async domain => {
    const current = hasExpired(domain, now()) ? await removeExpired(domain) : domain;
    if (current) await reconcile(current);
  });
  return due.length;

  /** Starts the removal of a claim; undefined when somebody has changed the claim in the meantime. */
  async function removeExpired(claim: Domain): Promise<Domain | undefined> {
    const message = `Not verified within ${UNVERIFIED_CLAIM_DAYS} days, so the claim has ended.`;
    const removing = nextRevision(removalStarted(claim, now(), { message }));
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

/** Checks the live domains again, or those of them with one of these certificates; returns how many there were. */
export async function recheckAll(
  { domains, recheck }: Pick<ScheduledWorkParts, 'domains' | 'recheck'>,
  certificateArns?: readonly string[],
): Promise<number> {
  const isAffected = (arn: string | null) => !certificateArns || certificateArns.includes(arn ?? '');
  const live = (await domains.all()).filter(
    ({ status, certificate }) => status === 'live' && isAffected(certificate.arn),
  );
  await eachDomain(live, recheck);
  return live.length;
}
