import { log } from '../../log.ts';
import type { Certificates } from '../aws/certificates.ts';
import type { Reach } from '../https/reach.ts';
import { type Domain, nextRevision, type Obstacle } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { NEEDS_ATTENTION } from '../life/needs-attention.ts';
import { rechecked } from '../life/transitions.ts';
import { type DriftParts, driftOf, repairDrift } from './drift.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import type { ManagedRecords } from './managed-records.ts';
import { caaObstacle, certificateLoss, reachObstacle, recordObstacle } from './obstacles.ts';

interface RecheckParts extends InspectionParts, DriftParts {
  readonly domains: DomainStore;
  readonly certificates: Pick<Certificates, 'view' | 'serialOf'>;
  readonly managedRecords: ManagedRecords;
  readonly reach: Reach;
}

/**
 * Checks a live domain again. A domain that is not as it should be stays up: its report and the log say what is
 * wrong, and an alarm counts such domains.
 */
export function rechecker(parts: RecheckParts) {
  const { domains, certificates, now } = parts;
  const detectDrift = driftOf(parts);
  const restore = repairDrift(parts);

  /** What is wrong, the gravest first: an HTTPS request is sent only when nothing else explains a failure. */
  const troubleOf = async (seen: Domain): Promise<Obstacle | undefined> => {
    const known = certificateLoss(seen) ?? (await detectDrift(seen)) ?? recordTrouble(seen);
    if (known) return known;
    const blocked = await caaObstacle(seen, parts);
    if (blocked) return { ...blocked, message: cannotRenew(seen, blocked.message) };
    // A renewed certificate takes its time to reach API Gateway, which serves the earlier one until then.
    const isRenewed = seen.certificate.renewal !== null;
    const serial = isRenewed ? null : await certificates.serialOf(seen.certificate.arn ?? '');
    return reachObstacle(seen.domain, await parts.reach(seen.domain, serial));
  };

  const commit = async (seen: Domain): Promise<Domain> => {
    const trouble = await troubleOf(seen);
    if (trouble) {
      const { domain, project } = seen;
      log.warn(NEEDS_ATTENTION, { domain, project, reason: trouble.reason });
    }
    const after = nextRevision(rechecked(seen, trouble, now()));
    try {
      await domains.save(after);
      return after;
    } catch (error) {
      // A newer revision exists, and is not overwritten.
      if (error instanceof DomainChanged || error instanceof Superseded) return seen;
      throw error;
    }
  };

  return {
    recheck: async (before: Domain) => commit(await inspect(before, parts)),

    /** Restores what is ours of the domain and can be restored at once, then checks it. */
    async repair(before: Domain): Promise<Domain> {
      await restore(before);
      const seen = await inspect(before, parts);
      const { managedRecords } = parts;
      return commit(await managedRecords.createAlias(await managedRecords.create(seen)));
    },
  };
}

/** A record that is wrong, or a renewal that ACM says is stuck. */
function recordTrouble(seen: Domain): Obstacle | undefined {
  const { domain, certificate, records } = seen;
  const { renewal } = certificate;
  // An unreachable server says nothing about the record, and a record that is spreading is right.
  const wrong = records.find(
    ({ state, action }) => !['ok', 'unreachable', 'spreading'].includes(state) && action !== null,
  );
  const obstacle = wrong && recordObstacle(wrong);
  if (renewal === 'PENDING_VALIDATION' || renewal === 'FAILED') {
    const action = obstacle?.message ?? 'Check its records and its CAA records.';
    return { reason: 'renewal_action_required', message: cannotRenew(seen, action) };
  }
  if (!obstacle) return undefined;
  const what =
    wrong.purpose === 'certificate' ? 'its certificate cannot be renewed' : 'it no longer points here';
  return { ...obstacle, message: `${domain} is served, but ${what}. ${obstacle.message}` };
}

function cannotRenew({ domain }: Domain, action: string): string {
  return `The certificate of ${domain} cannot be renewed. ${action}`;
}
