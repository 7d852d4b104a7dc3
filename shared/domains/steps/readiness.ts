import { isDeepStrictEqual } from 'node:util';
import { ownCertificate } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import { trafficHost } from '../dns/dns-provider.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { isInFlow, isReady, isUnmapped } from '../life/domain-status.ts';
import { saveUnlessStale } from '../life/domain-store.ts';
import { type Holder, PATIENCE_MS } from '../life/lease.ts';
import { failed, readyChecked, switchSeen, verificationStarted } from '../life/transitions.ts';
import { READY_DAYS, REMINDER_DAYS, switchEndsAt } from '../life/waits.ts';
import type { Reach, Reached } from '../reach.ts';
import { type InspectionParts, inspect } from './inspection.ts';
import { type DriftRepairParts, REATTACHED, repairDrift } from './recheck.ts';
import {
  certificateLoss,
  edgeTrouble,
  isWrong,
  notSwitched,
  ofSome,
  reachTrouble,
  recordTrouble,
  withProxyAdvice,
} from './troubles.ts';

interface ReadinessParts extends DriftRepairParts, InspectionParts {
  readonly flows: Flows;
  readonly reach: Reach;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Checks a domain that is ready, and restores what is ours of it. If its traffic arrives by now, or its domain name has to be
 * created again, a verification goes on with it. Returns the domain as it is afterwards.
 */
export function readiness(parts: ReadinessParts) {
  const { domains, certificates, flows, reach, clock } = parts;
  /** The domain with what ACM, API Gateway, the platform's zone and our edge show of it. */
  const checked = async (ready: Domain, holder: Holder) => {
    const { domain, drift } = await repairDrift(ready, holder, parts);
    const certificate = await certificates.view(domain.certificate.arn ?? '');
    const readyAtMs = Date.parse(domain.readyAt ?? '');
    const days = clock.unscaled(clock.now() - readyAtMs) / DAY_MS;
    const endsAt = switchEndsAt(readyAtMs, clock);
    const isReminder = days >= READY_DAYS - REMINDER_DAYS && !domain.remindedAt;
    const after = (trouble?: Trouble) =>
      readyChecked(
        domain,
        { certificate, trouble, endsAt, host: trafficHost(domain) ?? domain.target, isReminder },
        clock.now(),
      );
    const own = certificateLoss(after()) ?? drift;
    const { edge, visitors } = await reach(domain.domain, ownCertificate(after()), domain.pointsAt);
    const trouble = own ?? edgeTrouble(domain, edge) ?? (await strayTraffic(domain, visitors, parts));
    const seen = withProxyAdvice(after(trouble), visitors);
    return { seen, hasArrived: visitors.kind === 'reached', isOver: days >= READY_DAYS };
  };

  const check = async (domain: Domain, holder: Holder): Promise<Domain> => {
    const { seen, hasArrived, isOver } = await checked(domain, holder);
    const nextOf = () => {
      if (REATTACHED.includes(seen.reason ?? '')) return verificationStarted(seen, 'kept', clock.now());
      if (hasArrived) return switchSeen(seen, clock.now());
      return isOver ? failed(seen, notSwitched(seen), clock.now()) : seen;
    };
    const changed = nextOf();
    if (isDeepStrictEqual(changed, domain)) return domain;
    const next = nextRevision(changed);
    if (!(await saveUnlessStale(holder.commit(domains.change(next))))) return domain;
    if (isInFlow(next)) await flows.start(next);
    return isUnmapped(next) ? ((await parts.map(next, holder)) ?? next) : next;
  };

  return async (before: Domain): Promise<Domain> => {
    const look = async (holder: Holder) => {
      const domain = await domains.find(before.domain, before.project);
      return domain && isReady(domain) ? check(domain, holder) : (domain ?? before);
    };
    const after = await domains.holding(before.domain, look, PATIENCE_MS);
    return after ?? before;
  };
}

/** What leads some visitors elsewhere, although others arrive: the owner has switched one address and not another. */
async function strayTraffic(
  domain: Domain,
  visitors: Reached,
  parts: InspectionParts,
): Promise<Trouble | undefined> {
  if (visitors.kind === 'reached' || !visitors.isPartial) return undefined;
  if (visitors.kind === 'unconfirmed') return reachTrouble(domain, visitors);
  const { records } = await inspect(domain, parts);
  const traffic = records.find(record => record.purpose === 'traffic' && isWrong(record));
  return traffic ? ofSome(domain, visitors, recordTrouble(traffic)) : reachTrouble(domain, visitors);
}
