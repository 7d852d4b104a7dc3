import { type Clock, clock, timeOf } from '../../../shared/domains/clock.ts';
import { type Domain, Domain as DomainSchema } from '../../../shared/domains/life/domain.ts';
import type { DomainEvent } from '../../../shared/domains/life/domain-event.ts';
import type { DomainStatus } from '../../../shared/domains/life/domain-status.ts';

export const NAME = 'www.zoo.example';
export const AT_MS = Date.UTC(2026, 0, 31, 12);
export const AT = timeOf(AT_MS);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The time so long before that. */
export const ago = (ms: number) => timeOf(AT_MS - ms);
export const TARGET = '0123456789abcdef0123.apps.petstore.example';
export const CHALLENGE = 'petstore-fedcba9876543210';
export const ENDPOINT = 'abcdefghij.execute-api.us-east-1.amazonaws.com';
/** The host of its domain name at API Gateway. */
export const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';
export const VALIDATION = { name: '_v.www.zoo.example', value: '_w.acm-validations.aws' };

/** The API of the project, and that of redirects. */
export const PUBLISHED = { apiId: 'abcdefghij', stage: 'test' };
export const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

/** The record that points the domain of a claim at its target. */
export const TRAFFIC = {
  purpose: 'traffic',
  type: 'CNAME',
  name: NAME,
  label: 'www',
  value: TARGET,
  ttl: 3600,
} as const;

/** www.zoo.example as a claim of the project zoo leaves it, with these differences. */
export function claimed(changes: Partial<Domain> = {}): Domain {
  return DomainSchema.parse({
    domain: NAME,
    project: 'zoo',
    kind: 'subdomain',
    registrable: 'zoo.example',
    zone: 'zoo.example',
    status: 'pending_dns',
    reason: null,
    message: 'Create the records at your DNS provider, then verify.',
    attempt: 1,
    revision: 1,
    target: TARGET,
    challenge: CHALLENGE,
    pointsAt: ENDPOINT,
    gateway: null,
    route: null,
    slotAt: null,
    certificate: { arn: null, status: null, failure: null, requests: 0, renewal: null, validations: [] },
    records: [],
    managed: [],
    rounds: 0,
    checkedAt: null,
    nextCheckAt: null,
    createdAt: AT,
    verifyStartedAt: null,
    verifiedAt: null,
    issuedAt: null,
    attachedAt: null,
    readyAt: null,
    remindedAt: null,
    provenAt: null,
    liveAt: null,
    failedAt: null,
    removalStartedAt: null,
    history: [{ at: AT, status: 'pending_dns', what: 'Added.' }],
    ...MARKS[changes.status ?? 'pending_dns'],
    ...changes,
  });
}

const VERIFYING = { verifyStartedAt: AT };
const ISSUING = { ...VERIFYING, verifiedAt: AT, provenAt: AT };
const LIVE = { ...ISSUING, issuedAt: AT, attachedAt: AT, liveAt: AT };
const REMOVING = { removalStartedAt: AT };

/** What has happened to a domain by its status. */
const MARKS: Readonly<Record<DomainStatus, Partial<Domain>>> = {
  pending_dns: {},
  verifying: VERIFYING,
  issuing: ISSUING,
  ready: { ...ISSUING, issuedAt: AT, attachedAt: AT, readyAt: AT },
  live: LIVE,
  needs_attention: LIVE,
  failed: { ...VERIFYING, failedAt: AT },
  removing: REMOVING,
  stalled: REMOVING,
};

/** A certificate that ACM has validated by the record VALIDATION, with these differences. */
export function certified(changes: Partial<Domain['certificate']> = {}): Domain['certificate'] {
  return {
    arn: 'arn:aws:acm:us-east-1:000000000000:certificate/1',
    status: 'ISSUED',
    serial: 'aa:01',
    failure: null,
    requests: 0,
    renewal: null,
    validations: [VALIDATION],
    ...changes,
  };
}

/** www.zoo.example when it is live. */
export function live(changes: Partial<Domain> = {}): Domain {
  return claimed({
    status: 'live',
    message: 'https://www.zoo.example is live.',
    attempt: 2,
    pointsAt: HOST,
    gateway: { host: HOST, hostedZoneId: 'Z1UJRXOUMOOFQ8' },
    route: PUBLISHED,
    certificate: certified(),
    verifyStartedAt: AT,
    verifiedAt: AT,
    provenAt: AT,
    liveAt: AT,
    ...changes,
  });
}

/** www.zoo.example when its removal has begun. */
export function removing(changes: Partial<Domain> = {}): Domain {
  const message = 'No longer served.';
  return live({ status: 'removing', message, attempt: 3, ...changes });
}

/** An event of www.zoo.example, with these differences. */
export function someEvent(changes: Partial<DomainEvent> = {}): DomainEvent {
  const revision = changes.revision ?? 8;
  return {
    id: `0123456789abcdef0123-${revision}`,
    type: 'failed',
    domain: NAME,
    project: 'zoo',
    status: 'failed',
    reason: 'caa_blocked',
    message: 'A CAA record forbids it.',
    revision,
    at: AT,
    ...changes,
  };
}

/** A clock that stands still at this time. */
export function clockAt(ms: number, scale = 1): Clock {
  return clock(scale, () => ms);
}
