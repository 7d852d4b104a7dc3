import type { DomainKind } from './domain-name.ts';

/** What a record is for: to lead traffic here, to prove the claim, or to let the certificate be issued and renewed. */
export type RecordPurpose = 'traffic' | 'ownership' | 'certificate';

/** A DNS record that the owner of a domain has to create. Names and values have no dot at their end. */
export interface WantedRecord {
  readonly purpose: RecordPurpose;
  readonly type: 'CNAME' | 'ALIAS' | 'TXT';
  readonly name: string;
  readonly value: string;
  readonly ttl: number;
}

const TTL_SECONDS = 3600;
export const CHALLENGE_LABEL = '_petstore-challenge';

export interface Claim {
  readonly domain: string;
  readonly kind: DomainKind;
  /** `<label>.<platform zone>`: unguessable, so pointing at it proves the claim. */
  readonly target: string;
  /** The text that proves the claim where an ALIAS hides the target. */
  readonly challenge: string;
  /** The record by which ACM validates the domain; ACM names it some seconds after the request. */
  readonly validation: { readonly name: string; readonly value: string } | null;
}

export function wantedRecords({ domain, kind, target, challenge, validation }: Claim): WantedRecord[] {
  const traffic: WantedRecord = {
    purpose: 'traffic',
    type: kind === 'apex' ? 'ALIAS' : 'CNAME',
    name: domain,
    value: target,
    ttl: TTL_SECONDS,
  };
  const ownership: WantedRecord = {
    purpose: 'ownership',
    type: 'TXT',
    name: `${CHALLENGE_LABEL}.${domain}`,
    value: challenge,
    ttl: TTL_SECONDS,
  };
  const certificate: WantedRecord[] = validation
    ? [{ purpose: 'certificate', type: 'CNAME', ...validation, ttl: TTL_SECONDS }]
    : [];
  return [traffic, ...(kind === 'apex' ? [ownership] : []), ...certificate];
}
