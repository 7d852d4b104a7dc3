import { validationOf } from './validation-record.ts';
import { HOUR_MS } from './virtual-time.ts';
import type { World } from './world.ts';

/** Another team of the account. It has names and certificates of its own at API Gateway and ACM, without our tags. */
export class ThirdParty {
  readonly #world: World;
  #requests = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Has a certificate for a name. */
  certify(domain: string): string {
    const { acm, trace } = this.#world;
    this.#requests += 1;
    const certificate = acm.request({
      DomainName: domain,
      IdempotencyToken: `another-team-${this.#requests}`,
    });
    this.#world.sharedValidations.add(validationOf(domain).name);
    certificate.status = 'ISSUED';
    certificate.issuedAtMs = this.#world.time.nowMs - HOUR_MS;
    trace.say('another team', `has the certificate ${certificate.arn} of ${domain}`);
    return certificate.arn;
  }

  /** Creates a domain name at API Gateway, which a name can have once in the region; false when there is one. */
  occupy(domain: string): boolean {
    const { gateway, trace } = this.#world;
    const isFree = !gateway.names.has(domain);
    if (isFree) gateway.createForeign(domain, this.certify(domain));
    trace.say('another team', isFree ? `has ${domain} at API Gateway` : `cannot have ${domain}`);
    this.#world.version += 1;
    return isFree;
  }

  /** Gives a domain name up. */
  leave(domain: string): void {
    this.#world.trace.say('another team', `gives ${domain} up`);
    this.#world.gateway.names.delete(domain);
    this.#world.version += 1;
  }
}
