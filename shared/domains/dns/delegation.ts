import { isRegistered } from '../life/domain-name.ts';

/** Which name servers a zone is delegated to. */
export interface ZoneDelegation {
  readonly zone: string;
  /** The names of its servers. None: the domain is not registered, or its registrar names no servers. */
  readonly nameServers: readonly string[];
  /** What all servers answered instead of the zone; absent when one of them serves it. */
  readonly fault?: string;
}

/** What to do about a domain that nobody has delegated. */
export function notDelegated(zone: string): string {
  return (
    `${zone} isn't registered, or its registrar lists no name servers for it. Register it, or enter the name servers of ` +
    "your DNS provider at the registrar. If you've just done that, wait a few minutes."
  );
}

/** What to do about name servers that do not answer for a record; undefined when nothing is known of them. */
export function serverFault(
  { zone, nameServers, fault }: ZoneDelegation,
  { name, why }: { readonly name: string; readonly why: string | undefined },
): string | undefined {
  if (nameServers.length === 0) return undefined;
  const servers = `The name servers of ${zone} (${nameServers.join(', ')})`;
  const correction = isRegistered(zone)
    ? 'correct the name servers at your registrar'
    : 'correct its NS records in the parent zone';
  switch (fault) {
    case undefined:
      return why === 'SERVFAIL'
        ? `${servers} answer with SERVFAIL for ${name}. ${SERVFAIL_CAUSES}`
        : undefined;
    case 'SERVFAIL':
      return `${servers} answer with SERVFAIL. ${SERVFAIL_CAUSES}`;
    case NO_ANSWER:
      return `${servers} don't answer. This usually passes. If it persists, ask your DNS provider.`;
    case NO_ADDRESS:
      return `${servers} have no public IP address. Check their spelling, and ${correction}.`;
    default:
      // The delegation is lame: the servers refuse, or refer to others.
      return `${servers} don't serve this zone (${fault}). Create the zone there, or ${correction}.`;
  }
}

export const NO_ANSWER = 'no answer';
export const NO_ADDRESS = 'no address';

const SERVFAIL_CAUSES =
  'If this persists, look for CNAME records that point back at themselves and for errors in the zone file. Otherwise ask your DNS provider.';
