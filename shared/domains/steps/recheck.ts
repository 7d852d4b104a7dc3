import { log } from '../../log.ts';
import { type Domain, nextRevision, type Obstacle } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { NEEDS_ATTENTION } from '../life/needs-attention.ts';
import { rechecked } from '../life/transitions.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import { certificateLoss, recordObstacle } from './obstacles.ts';

interface RecheckParts extends InspectionParts {
  readonly domains: DomainStore;
}

/**
 * Checks a live domain again. A domain that no longer points here, or whose certificate cannot be renewed, stays up: its
 * report says what is wrong, and an alarm counts the log line.
 */
export function rechecker(parts: RecheckParts) {
  const { domains, now } = parts;
  return async (before: Domain): Promise<Domain> => {
    const seen = await inspect(before, parts);
    const trouble = troubleOf(seen);
    if (trouble) {
      const { domain, project } = before;
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
}

function troubleOf(seen: Domain): Obstacle | undefined {
  const loss = certificateLoss(seen);
  if (loss) return loss;
  const { domain, certificate, records } = seen;
  const { renewal } = certificate;
  // An unreachable server says nothing about the record, and a record that is spreading is right.
  const wrong = records.find(
    ({ state, action }) => !['ok', 'unreachable', 'spreading'].includes(state) && action !== null,
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
