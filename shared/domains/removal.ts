import type { Certificates } from './certificates.ts';
import { withHistory } from './domain.ts';
import { type DomainStore, Superseded } from './domain-store.ts';
import type { GatewayDomains } from './gateway-domains.ts';
import type { PlatformZone } from './platform-zone.ts';
import type { Attempt, StepResult } from './verification.ts';

export interface RemovalParts {
  readonly store: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly now: () => number;
}

/** A certificate stays in use for minutes, at times for hours, after the domain name that used it is gone. */
const IN_USE_WAIT_SECONDS = 300;

/** Takes down everything that was made for a domain, a piece at each run, until nothing is left. */
export function removal({ store, certificates, gateway, zone, now }: RemovalParts) {
  return {
    async takeDown({ domain: name, attempt }: Attempt): Promise<StepResult> {
      const result = (outcome: StepResult['outcome'], waitSeconds = 0) => ({
        domain: name,
        attempt,
        outcome,
        waitSeconds,
      });
      const domain = await store.find(name);
      if (!domain || domain.attempt !== attempt) return result('ended');
      try {
        await gateway.unmap(name);
        if ((await gateway.hostOf(name)) !== undefined) {
          const waitMs = await store.takeSlot(now());
          if (waitMs > 0) return result('waiting', Math.ceil(waitMs / 1000));
          await gateway.remove(name);
        }
        const { arn } = domain.certificate;
        if (arn !== null && !(await certificates.remove(arn))) {
          const message =
            'No longer served. Its certificate is still in use and is deleted as soon as it can be.';
          await store.save(withHistory({ ...domain, message }, new Date(now()).toISOString(), message));
          return result('waiting', IN_USE_WAIT_SECONDS);
        }
        await zone.remove(domain.target, domain.pointsAt);
        await store.forget(domain);
        return result('ended');
      } catch (error) {
        if (error instanceof Superseded) return result('ended');
        throw error;
      }
    },
  };
}
