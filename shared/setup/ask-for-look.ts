import { transact } from '../aws/transaction.ts';
import type { Flows } from '../domains/aws/flows.ts';
import type { Clock } from '../domains/clock.ts';
import { nextRevision } from '../domains/life/domain.ts';
import { type DomainStore, saveUnlessStale } from '../domains/life/domain-store.ts';
import { lookAsked } from '../domains/life/wishes.ts';
import { ApiError } from '../errors.ts';
import { describeError, log } from '../log.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import { nextAsk } from './ask-limit.ts';
import { linkedClaims } from './linked-claims.ts';

interface AskParts {
  readonly domains: DomainStore;
  readonly projects: Pick<ProjectStore, 'find'>;
  readonly clock: Clock;
  readonly flows: Flows;
}

/** A pass that changes the claims at the same time writes them a few times. */
const MAX_ATTEMPTS = 5;

/**
 * Whoever runs the DNS of a domain asks for a look; returns whether the link leads somewhere. If the execution can't be started,
 * the domains are due all the same, and a sweep comes.
 */
export function askForLook({ domains, projects, clock, flows }: AskParts) {
  const find = linkedClaims({ domains, projects, clock });

  return async (path: Parameters<typeof find>[0]): Promise<boolean> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const linked = await find(path);
      if (!linked) return false;
      const { claims } = linked;
      const nowMs = clock.now();
      const asks = nextAsk(claims[0].asks, nowMs);
      if ('againAtMs' in asks) return true;
      const asked = claims.map(claim => nextRevision(lookAsked(claim, asks, nowMs)));
      if (!(await saveUnlessStale(transact(asked.flatMap(domains.change))))) continue;
      const woken = asked.filter((claim, index) => claim.attempt !== claims[index]?.attempt);
      await Promise.all(woken.map(flows.start)).catch(error =>
        log.warn('A look that its owner asked for waits for the next sweep.', {
          error: describeError(error),
        }),
      );
      return true;
    }
    throw new ApiError('unavailable');
  };
}
