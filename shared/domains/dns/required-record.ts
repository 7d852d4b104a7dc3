import type { Domain } from '../life/domain.ts';

type StoredRecord = Domain['records'][number];

/** A DNS record that the owner of a domain has to create. Names and values have no dot at their end. */
export interface RequiredRecord {
  /** What the record is for: traffic points here, the claim is proven, the certificate can be issued and renewed. */
  readonly purpose: StoredRecord['purpose'];
  readonly type: StoredRecord['type'];
  readonly name: string;
  readonly value: string;
  readonly ttl: number;
}

const TTL_SECONDS = 3600;
export const CHALLENGE_LABEL = '_petstore-challenge';

interface Claim {
  readonly domain: string;
  readonly kind: Domain['kind'];
  /** `<label>.<platform zone>`: unguessable, so pointing at it proves the claim. */
  readonly target: string;
  /** The text that proves the claim where an ALIAS hides the target. */
  readonly challenge: string;
  /** The records by which ACM validates the domain; ACM names them some seconds after the request. */
  readonly certificate: {
    readonly validations: readonly { readonly name: string; readonly value: string }[];
  };
}

export function requiredRecords({ domain, kind, target, challenge, certificate }: Claim): RequiredRecord[] {
  const traffic: RequiredRecord = {
    purpose: 'traffic',
    type: kind === 'apex' ? 'ALIAS' : 'CNAME',
    name: domain,
    value: target,
    ttl: TTL_SECONDS,
  };
  const ownership: RequiredRecord = {
    purpose: 'ownership',
    type: 'TXT',
    name: `${CHALLENGE_LABEL}.${domain}`,
    value: challenge,
    ttl: TTL_SECONDS,
  };
  const validations = certificate.validations.map(
    (validation): RequiredRecord => ({
      purpose: 'certificate',
      type: 'CNAME',
      ...validation,
      ttl: TTL_SECONDS,
    }),
  );
  return [traffic, ...(kind === 'apex' ? [ownership] : []), ...validations];
}

/** The instruction to create the record. */
export function creationOf({ type, name, value }: RequiredRecord): string {
  return type === 'ALIAS'
    ? `Create an ALIAS or ANAME record at ${name} with the value ${value}.`
    : `Create a ${type} record at ${name} with the value ${value}.`;
}

/** Route 53 has no ALIAS to any host, but an alias to a domain name of API Gateway, which is known once it exists. */
export function aliasAtRoute53(gateway: { host: string; hostedZoneId: string } | null): string {
  return gateway
    ? `At Route 53 create an A alias to ${gateway.host} (hosted zone ${gateway.hostedZoneId}).`
    : 'At Route 53 leave it for now: what to create there is shown here once the certificate is issued.';
}
