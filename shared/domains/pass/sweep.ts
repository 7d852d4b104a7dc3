import { livePrimary, type Routing } from '../../projects/routing.ts';
import { ownCertificate } from '../aws/certificates.ts';
import type { Clock } from '../clock.ts';
import type { Domain } from '../life/domain.ts';
import { isServed } from '../life/domain-status.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { dueSinceMs } from '../life/due.ts';
import type { Reach } from '../reach.ts';
import { eachDomain, within } from './each-domain.ts';
import { isLookDue, isNews, isWorthALook, lookedAtMs } from './look.ts';

interface SweepParts {
  readonly domains: Pick<DomainStore, 'looked'>;
  readonly reach: Reach;
  /** One pass over a domain, unless somebody else is at work on it. */
  readonly tend: (claim: Domain) => Promise<unknown>;
  readonly clock: Clock;
}

/** A look is a few requests, which take half a second. */
export const LOOKS_AT_A_TIME = 32;
/** Of the four minutes that the function has: what is begun by then ends within half a minute. */
export const LOOKS_MS = 60_000;
export const PASSES_MS = 120_000;

/**
 * A pass makes two calls of API Gateway and one of Route 53 and ACM each, and a few more where it puts something right: 60 of
 * them every five minutes are less than one call a second, of the ten that an account has.
 */
export const MOST_PASSES = 60;
export const PASSES_AT_A_TIME = 4;

/** So many of them go to news ahead of what is due: where a pass can't put it right, it's news at every sweep. */
const NEWS_FIRST = 40;

/** A domain with the project that it belongs to. */
interface Swept {
  readonly claim: Domain;
  readonly project: Routing | undefined;
  /** Whether it isn't mapped, or doesn't say, what its project asks for. */
  readonly isMismapped: boolean;
}

/** What a sweep has done so far, also where something of it fails. */
export interface SweepCounts {
  looked: number;
  tended: number;
}

/**
 * Looks at the attached domains that are due, and tends those of which a look shows other than they say, and those that are due
 * for longest. What doesn't fit into this sweep comes first in the next one.
 */
export function sweeper({ domains, reach, tend, clock }: SweepParts) {
  /** Whether a look contradicts what the domain says. */
  const look = async (claim: Domain): Promise<boolean> => {
    // By the host that its record names, so that a look sees whether that is right before anybody is sent there.
    const observed = await reach(claim.domain, ownCertificate(claim), claim.target, [], { isSample: true });
    return isNews(claim, observed);
  };

  return async (
    all: readonly Swept[],
    done: SweepCounts = { looked: 0, tended: 0 },
  ): Promise<SweepCounts> => {
    const news = new Set<Domain>(all.filter(({ isMismapped }) => isMismapped).map(({ claim }) => claim));
    const isPrimary = ({ claim, project }: Swept) =>
      isServed(claim) && project !== undefined && livePrimary(project) === claim.domain;
    const toLookAt = all
      .filter(each => isLookDue(each.claim, isPrimary(each), clock))
      .map(({ claim }) => claim)
      .toSorted((one, other) => lookedAtMs(one) - lookedAtMs(other));
    const asKnown: string[] = [];
    const looks = eachDomain(within(toLookAt, LOOKS_MS, clock), LOOKS_AT_A_TIME, async claim => {
      if (await look(claim)) news.add(claim);
      else asKnown.push(claim.domain);
      done.looked += 1;
    });
    const failures = await Promise.allSettled([looks]);
    failures.push(...(await Promise.allSettled([domains.looked(asKnown, clock.now())])));

    const claims = all.map(({ claim }) => claim).filter(claim => !news.has(claim));
    const due = claims
      .flatMap(claim => {
        const sinceMs = dueSinceMs(claim, 'pass', clock);
        return sinceMs === undefined ? [] : [{ claim, sinceMs }];
      })
      .toSorted((one, other) => one.sinceMs - other.sinceMs)
      .map(({ claim }) => claim);
    const isDue = new Set(due);
    const besides = claims.filter(claim => !isDue.has(claim) && isWorthALook(claim, clock)).toSorted(byCheck);
    const told = [...news].toSorted(byCheck);
    const inOrder = [...told.slice(0, NEWS_FIRST), ...due, ...told.slice(NEWS_FIRST), ...besides];
    const passes = eachDomain(
      within(inOrder.slice(0, MOST_PASSES), PASSES_MS, clock),
      PASSES_AT_A_TIME,
      async claim => {
        await tend(claim);
        done.tended += 1;
      },
    );
    failures.push(...(await Promise.allSettled([passes])));
    for (const failure of failures) if (failure.status === 'rejected') throw failure.reason;
    return done;
  };
}

/** The one that was looked at in full longer ago comes first. */
function byCheck(one: Domain, other: Domain): number {
  return checkedAtMs(one) - checkedAtMs(other);
}

function checkedAtMs({ checkedAt }: Domain): number {
  return Date.parse(checkedAt ?? '') || 0;
}
