import type { Domain } from '../life/domain.ts';

type StoredRecord = Domain['records'][number];

/** A DNS record that the owner of a domain has to create. Names and values have no dot at their end. */
export interface RequiredRecord {
  /** What the record is for: traffic points here, the claim is proven, the certificate can be issued and renewed. */
  readonly purpose: StoredRecord['purpose'];
  readonly type: StoredRecord['type'];
  readonly name: string;
  /** The name relative to its zone, as most DNS providers ask for it; `@` for the zone's own name. */
  readonly label: string;
  readonly value: string;
  readonly ttl: number;
}

const TTL_SECONDS = 3600;
export const CHALLENGE_LABEL = '_petstore-challenge';

interface Claim {
  readonly domain: string;
  readonly kind: Domain['kind'];
  /** The closest zone that encloses the domain. */
  readonly zone: string;
  /** `<label>.<platform zone>`: unguessable, so pointing at it proves the claim. */
  readonly target: string;
  /** The text that proves the claim where an ALIAS hides the target. */
  readonly challenge: string;
  /** The records by which ACM validates the domain; ACM names them some seconds after the request. */
  readonly certificate: {
    readonly validations: readonly { readonly name: string; readonly value: string }[];
  };
}

export function requiredRecords(claim: Claim): RequiredRecord[] {
  const { domain, kind, zone, target, challenge, certificate } = claim;
  const record = (
    purpose: RequiredRecord['purpose'],
    type: RequiredRecord['type'],
    name: string,
    value: string,
  ): RequiredRecord => ({ purpose, type, name, label: labelIn(zone, name), value, ttl: TTL_SECONDS });
  const isApex = kind === 'apex';
  return [
    record('traffic', isApex ? 'ALIAS' : 'CNAME', domain, target),
    ...(isApex ? [record('ownership', 'TXT', `${CHALLENGE_LABEL}.${domain}`, challenge)] : []),
    ...certificate.validations.map(({ name, value }) => record('certificate', 'CNAME', name, value)),
  ];
}

function labelIn(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** The instruction to create the record; `alias` is what the DNS provider calls an ALIAS, where that is known. */
export function creationOf({ type, name, value }: RequiredRecord, alias = 'ALIAS or ANAME'): string {
  const article = type === 'ALIAS' && alias.startsWith('A') ? 'an' : 'a';
  return `Create ${article} ${type === 'ALIAS' ? alias : type} record at ${name} with the value ${value}.`;
}
