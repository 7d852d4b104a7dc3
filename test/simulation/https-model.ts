import type { Reached } from '../../shared/domains/https/reach.ts';
import type { AcmModel } from './acm-model.ts';
import type { Call } from './call.ts';
import type { GatewayModel } from './gateway-model.ts';
import { addressOf, type PublicDns } from './public-dns.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface HttpsParts {
  readonly dns: PublicDns;
  readonly gateway: GatewayModel;
  readonly acm: AcmModel;
  readonly time: VirtualTime;
  /** When a domain was last reached. */
  readonly reachedAtMs: Map<string, number>;
}

/**
 * HTTPS requests from the service to a domain, through the first resolver. The addresses of a host of API Gateway serve
 * the domain name of this host and no other.
 */
export function httpsModel({ dns, gateway, acm, time, reachedAtMs }: HttpsParts) {
  return ({ input }: Call): Reached => {
    const { domain, serial } = input as { domain: string; serial: string | null };
    const addresses = (['A', 'AAAA'] as const).flatMap(type => {
      const found = dns.resolvers[0]?.resolve(domain, type);
      return found?.kind === 'records' ? found.values.map(address => ({ address, type })) : [];
    });
    if (addresses.length === 0) return { kind: 'unreachable', why: 'The name has no address.' };
    const name = gateway.names.get(domain);
    const isServed = name && addresses.every(({ address, type }) => address === addressOf(name.host, type));
    if (!isServed) return { kind: 'answer_foreign', why: 'Another server answers.' };
    const certificate = acm.find(name.certificateArn);
    if (certificate?.status !== 'ISSUED') return { kind: 'certificate_wrong', why: 'It is not valid.' };
    if (serial !== null && serial !== acm.servedSerial(certificate)) {
      return { kind: 'certificate_wrong', why: 'It is another one.' };
    }
    if (!name.mapping) return { kind: 'answer_foreign', why: 'The domain is not mapped.' };
    reachedAtMs.set(domain, time.nowMs);
    return { kind: 'reached' };
  };
}
