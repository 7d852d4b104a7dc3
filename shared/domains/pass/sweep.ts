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
  /** One pass over a domain, unless somebody else is working on it. */
  readonly tend: (claim: Domain) => Promise<unknown>;
  readonly clock: Clock;
}

/** A look is a few requests, which take half a second. */
export const LOOKS_AT_A_TIME = 32;
/** Out of the function's four minutes: anything begun by then ends within half a minute. */
export const LOOKS_MS = 60_000;
export const PASSES_MS = 120_000;

/**
 * A pass makes two calls to API Gateway, one each to Route 53 and ACM, and a few more if it puts something right: 60 passes every
 * five minutes are less than one call a second, out of the account's ten.
 */
export const MOST_PASSES = 60;
export const PASSES_AT_A_TIME = 4;

/** At most this many go to news before what is due: if a pass can't fix it, it's news again in every sweep. */
const NEWS_FIRST = 40;

/** A domain and its project. */
interface Swept {
  readonly claim: Domain;
  readonly project: Routing | undefined;
  /** Whether its mapping or message doesn't match what its project asks for. */
  readonly isMismapped: boolean;
}

/** What a sweep has done so far, even if some of it fails. */
export interface SweepCounts {
  looked: number;
  tended: number;
}

/**
 * Looks at the attached domains that are due, and tends those where a look contradicts what they say, and those that have been
 * due longest. Whatever doesn't fit into this sweep comes first in the next.
 */
export function sweeper({ domains, reach, tend, clock }: SweepParts) {
  /** Whether a look contradicts what the domain says. */
  const look = async (claim: Domain): Promise<boolean> => {
    // At the host that its record names, to see whether that is right before anybody is sent there.
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

/** Domains whose last full look is longer ago come first. */
function byCheck(one: Domain, other: Domain): number {
  return checkedAtMs(one) - checkedAtMs(other);
}

function checkedAtMs({ checkedAt }: Domain): number {
  return Date.parse(checkedAt ?? '') || 0;
}
