import type { Certificates } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import type { Clock } from '../clock.ts';
import type { Front } from '../front.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import { failed, reminded, switchSeen } from '../life/transitions.ts';
import { READY_DAYS, REMINDER_DAYS, switchEndsAt } from '../life/waits.ts';
import type { Reach } from '../reach.ts';
import { notSwitched } from './obstacles.ts';

interface ReadinessParts {
  readonly domains: DomainStore;
  readonly certificates: Pick<Certificates, 'serialOf'>;
  readonly front: Pick<Front, 'unroute'>;
  readonly flows: Pick<Flows, 'startVerification'>;
  readonly reach: Reach;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Looks whether the traffic of a domain that is ready arrives by now; then a verification takes it live. Returns the domain
 * as it is afterwards.
 */
export function readiness({ domains, certificates, front, flows, reach, clock }: ReadinessParts) {
  /** The record after a check that found the traffic elsewhere; undefined if there is nothing to write. */
  const afterWait = (domain: Domain): Domain | undefined => {
    const readyAtMs = Date.parse(domain.readyAt ?? '');
    const days = clock.unscaled(clock.now() - readyAtMs) / DAY_MS;
    if (days >= READY_DAYS) return failed(domain, notSwitched(domain), clock.now());
    if (days < READY_DAYS - REMINDER_DAYS || domain.remindedAt) return undefined;
    return reminded(domain, switchEndsAt(readyAtMs, clock), clock.now());
  };

  return async (domain: Domain): Promise<Domain> => {
    const serial = await certificates.serialOf(domain.certificate.arn ?? '');
    const { kind } = await reach(domain.domain, serial);
    const changed = kind === 'reached' ? switchSeen(domain, clock.now()) : afterWait(domain);
    if (!changed) return domain;
    const next = nextRevision(changed);
    if (!(await saveUnlessStale(domains, next))) return domain;
    if (next.status === 'verifying') await flows.startVerification(next);
    if (next.status === 'failed') await front.unroute(next);
    return next;
  };
}
