import { isRegistered } from '../life/domain-name.ts';
import type { ZoneFault } from './record-advice.ts';

/** Which name servers a zone is delegated to. */
export interface ZoneDelegation {
  readonly zone: string;
  /** The names of its servers. Empty if the domain isn't registered, or its registrar lists no servers. */
  readonly nameServers: readonly string[];
  /** What all servers answered instead of serving the zone; absent if one of them serves it. */
  readonly fault?: string;
}

/** A domain that nobody has delegated. */
export function notDelegated(zone: string): ZoneFault {
  return { kind: 'not_delegated', about: [zone] };
}

/** What is wrong with the name servers of a zone; undefined if nothing is, or none are known. */
export function serverFault({ zone, nameServers, fault }: ZoneDelegation): ZoneFault | undefined {
  if (nameServers.length === 0) return undefined;
  const about = [zone, ...nameServers];
  const correction = isRegistered(zone) ? 'registrar' : 'parent';
  switch (fault) {
    case undefined:
      return undefined;
    case SERVFAIL:
      return { kind: 'servers_failing', about };
    case NO_ANSWER:
      return { kind: 'servers_silent', about };
    case NO_ADDRESS:
      return { kind: 'servers_without_address', about: [correction, ...about] };
    default:
      // The delegation is lame: the servers refuse, or refer to others.
      return { kind: 'servers_lame', about: [correction, fault, ...about] };
  }
}

export const SERVFAIL = 'SERVFAIL';
export const NO_ANSWER = 'no answer';
export const NO_ADDRESS = 'no address';
