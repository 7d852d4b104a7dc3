import type { Domain } from '../life/domain.ts';
import { isServed } from '../life/domain-status.ts';
import { isCloudflareProxy } from './ip-address.ts';

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
  /** Present if the domain can do without it: a subdomain's CNAME record proves the claim just as its TXT record does. */
  readonly isOptional?: boolean | undefined;
}

const TTL_SECONDS = 3600;
export const CHALLENGE_LABEL = '_petstore-challenge';

type Claim = Pick<
  Domain,
  'domain' | 'kind' | 'zone' | 'target' | 'challenge' | 'records' | 'status' | 'switchLater' | 'contest'
> & { readonly certificate: Pick<Domain['certificate'], 'validations'> };

/** The records of a domain, in the order its owner creates them: if the domain is in use, its traffic is switched last. */
export function requiredRecords(claim: Claim): RequiredRecord[] {
  const { domain, kind, zone, target, challenge, certificate } = claim;
  const record = (
    purpose: RequiredRecord['purpose'],
    type: RequiredRecord['type'],
    name: string,
    value: string,
  ): RequiredRecord => ({ purpose, type, name, label: labelIn(zone, name), value, ttl: TTL_SECONDS });
  const traffic = record('traffic', kind === 'apex' ? 'ALIAS' : 'CNAME', domain, target);
  const rest = [
    {
      ...record('ownership', 'TXT', `${CHALLENGE_LABEL}.${domain}`, challenge),
      ...(!needsText(claim) && { isOptional: true }),
    },
    ...certificate.validations.map(({ name, value }) => record('certificate', 'CNAME', name, value)),
  ];
  return isPreparedFirst(claim) ? [...rest, traffic] : [traffic, ...rest];
}

/** Whether only the TXT record proves the claim: an ALIAS, a flattened CNAME or a proxy hides the unguessable host. */
function needsText(claim: Claim): boolean {
  const { kind, contest } = claim;
  if (kind === 'apex' || contest !== undefined) return true;
  return isPreparedFirst(claim) || claim.records.some(isFlattened) || isBehindCloudflare(claim);
}

/** Whether DNS shows Cloudflare's proxy in place of the traffic record, and requests haven't shown that it leads here. */
export function isBehindCloudflare({ records }: Pick<Domain, 'records'>): boolean {
  return records.some(
    ({ purpose, state, observed }) =>
      purpose === 'traffic' && state !== 'ok' && observed.some(isCloudflareProxy),
  );
}

function isPreparedFirst(claim: Claim): boolean {
  return claim.switchLater === true && !isServed(claim);
}

/** Whether the DNS provider shows the host's addresses in place of the CNAME record. */
export function isFlattened({
  purpose,
  type,
  state,
  value,
  observed,
}: Pick<StoredRecord, 'purpose' | 'type' | 'state' | 'value'> & {
  readonly observed: readonly string[];
}): boolean {
  return purpose === 'traffic' && type === 'CNAME' && state === 'ok' && !observed.includes(value);
}

/** Whether DNS proves the claim: by the TXT record, or by a CNAME record to the unguessable host. */
export function isProven({ kind, contest, records }: Pick<Domain, 'kind' | 'contest' | 'records'>): boolean {
  return records.some(
    record =>
      record.state === 'ok' &&
      (record.purpose === 'ownership' ||
        (record.purpose === 'traffic' &&
          kind === 'subdomain' &&
          contest === undefined &&
          !isFlattened(record))),
  );
}

export function labelIn(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
