import { log } from '../../log.ts';
import { type Domain, nextRevision, withHistory } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { NEEDS_ATTENTION } from '../life/needs-attention.ts';
import {
  type InspectionParts,
  inspect,
  liveMessage,
  lossOfCertificate,
  type Obstacle,
  recordObstacle,
} from './inspection.ts';

export interface RecheckParts extends InspectionParts {
  readonly store: DomainStore;
}

/**
 * Looks at a live domain again. One that no longer points here or whose certificate cannot be renewed is not taken down:
 * its report says what is wrong, and an alarm is raised.
 */
export function recheck(parts: RecheckParts) {
  const { store, now } = parts;
  return async (before: Domain): Promise<Domain> => {
    const seen = await inspect(before, parts);
    const trouble = troubleOf(seen);
    const { reason, message } = trouble ?? { reason: null, message: liveMessage(before.domain) };
    const time = new Date(now()).toISOString();
    const after = withHistory(nextRevision(seen, { reason, message }), time, `live: ${message}`);
    if (trouble) log.warn(NEEDS_ATTENTION, { domain: before.domain, project: before.project, reason });
    try {
      await store.save(after);
      return after;
    } catch (error) {
      // Someone has just changed it, who has seen it too.
      if (error instanceof DomainChanged || error instanceof Superseded) return seen;
      throw error;
    }
  };
}

function troubleOf(seen: Domain): Obstacle | undefined {
  const loss = lossOfCertificate(seen);
  if (loss) return loss;
  const { domain, certificate, records } = seen;
  const { renewal } = certificate;
  // A server that does not answer says nothing about the record, and one that is only spreading is right.
  const wrong = records.find(
    ({ state, action }) => state !== 'ok' && state !== 'unreachable' && action !== null,
  );
  const obstacle = wrong && recordObstacle(wrong);
  if (renewal === 'PENDING_VALIDATION' || renewal === 'FAILED') {
    const action = obstacle?.message ?? 'Check its records and its CAA records.';
    return {
      reason: 'renewal_action_required',
      message: `The certificate of ${domain} cannot be renewed. ${action}`,
    };
  }
  if (!obstacle) return undefined;
  const what =
    wrong.purpose === 'certificate' ? 'its certificate cannot be renewed' : 'it no longer points here';
  return { ...obstacle, message: `${domain} is served, but ${what}. ${obstacle.message}` };
}
