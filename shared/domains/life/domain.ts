import * as z from 'zod/mini';
import { DOMAIN_REASONS, type DomainReason } from './domain-reason.ts';
import { EVENT_TYPES } from './event-type.ts';

export const DomainStatus = z.enum(['pending_dns', 'verifying', 'issuing', 'live', 'failed', 'removing']);
export type DomainStatus = z.infer<typeof DomainStatus>;

const Time = z.nullable(z.string());

/** The phases of a verification, in their order. A step that runs again for an earlier phase has nothing left to do. */
export const PHASES = ['dns', 'certificate', 'attachment', 'live'] as const;
export type Phase = (typeof PHASES)[number];

const CheckedRecord = z.object({
  purpose: z.enum(['traffic', 'ownership', 'certificate']),
  type: z.enum(['CNAME', 'ALIAS', 'TXT']),
  name: z.string(),
  /** The name relative to its zone; `@` for the zone's own name. */
  label: z.string(),
  value: z.string(),
  ttl: z.number(),
  /** `spreading`: the record is right, and a resolver does not see it yet. */
  state: z.enum(['ok', 'missing', 'mismatch', 'conflict', 'unreachable', 'spreading']),
  observed: z.array(z.string()),
  action: z.nullable(z.string()),
});

/** A DNS record that the flow creates, and later deletes, in a hosted zone of this account. */
export const ManagedRecord = z.object({
  zoneId: z.string(),
  type: z.enum(['CNAME', 'TXT', 'A']),
  name: z.string(),
  value: z.string(),
  ttl: z.number(),
  /** The zone of the value, where that is the target of an alias. */
  aliasZoneId: z.nullable(z.string()),
});
export type ManagedRecord = z.infer<typeof ManagedRecord>;

/** A custom domain of a project, from its claim to its removal. Times are RFC 3339, in UTC. */
export const Domain = z.object({
  domain: z.string(),
  project: z.string(),
  kind: z.enum(['apex', 'subdomain']),
  /** The registrable domain that it belongs to. */
  registrable: z.string(),
  /** The closest zone that encloses it, as DNS last showed it. */
  zone: z.string(),
  status: DomainStatus,
  /** Why the domain is in this status. */
  reason: z.nullable(z.enum(DOMAIN_REASONS)),
  message: z.string(),
  phase: z.enum(PHASES),
  /** Counts verifications and removals. A step of an earlier attempt is superseded and may no longer write. */
  attempt: z.number(),
  /** Counts writes. A write is rejected when the record has another revision than the one that was read. */
  revision: z.number(),
  /** The host in the platform zone that the domain points at, and the text that proves the claim of an apex. */
  target: z.string(),
  challenge: z.string(),
  /** What the target is a CNAME of. */
  pointsAt: z.string(),
  /** The endpoint of the domain name at API Gateway, once there is one. */
  gateway: z.nullable(z.object({ host: z.string(), hostedZoneId: z.string() })),
  /** The slot that was booked for a change of the domain name at API Gateway (gateway-slots.ts). */
  slotAt: Time,
  certificate: z.object({
    arn: z.nullable(z.string()),
    /** The ARN of a certificate that was pending for too long: it is deleted before another is requested. */
    replaces: z.optional(z.string()),
    status: z.nullable(z.string()),
    failure: z.nullable(z.string()),
    /** How many replacements this attempt has requested. */
    requests: z.number(),
    /** ACM's status of the renewal. */
    renewal: z.nullable(z.string()),
    /** When the certificate expires; absent until ACM has issued it and a check has read it. */
    expiresAt: z.optional(z.nullable(z.string())),
    /** The records by which ACM validates the domain; empty until ACM names them. */
    validations: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  /** The required records as the last check saw them. */
  records: z.array(CheckedRecord),
  managed: z.array(ManagedRecord),
  /** How often this phase was checked, by which the backoff is chosen. */
  rounds: z.number(),
  checkedAt: Time,
  nextCheckAt: Time,
  createdAt: z.string(),
  phaseStartedAt: z.string(),
  verifyStartedAt: Time,
  verifiedAt: Time,
  /** When this attempt had its certificate, and when API Gateway had its domain name. Records of 1.0 have neither. */
  issuedAt: z.optional(Time),
  attachedAt: z.optional(Time),
  /** When the claim was first proven in DNS, by which the project became the owner of the name. */
  provenAt: Time,
  liveAt: Time,
  /** While a delivery of `takeDown` is at work: which one, and when it has ended at the latest. */
  takeDownLease: z.optional(z.object({ holder: z.string(), until: z.string() })),
  /** When the removal had deleted everything at AWS. */
  takenDownAt: z.optional(z.string()),
  /** The last event of the domain, and the revision that was written together with it. */
  lastEvent: z.optional(z.object({ type: z.enum(EVENT_TYPES), revision: z.number(), at: z.string() })),
  /** The statuses and messages that the domain has had, the latest last. */
  history: z.array(z.object({ at: z.string(), what: z.string() })),
});
export type Domain = z.infer<typeof Domain>;

/** What ACM says of a certificate, in ACM's own terms. */
export type CertificateView = Pick<
  Domain['certificate'],
  'status' | 'failure' | 'renewal' | 'expiresAt' | 'validations'
>;

/** A required record as a check has seen it. */
export type SeenRecord = Readonly<Omit<Domain['records'][number], 'observed'>> & {
  readonly observed: readonly string[];
};

/** A certificate that was not requested. */
export const NO_CERTIFICATE: Domain['certificate'] = {
  arn: null,
  status: null,
  failure: null,
  requests: 0,
  renewal: null,
  validations: [],
};

/** Why a domain is not live, or not as it should be: for programs, and for people. */
export interface Obstacle {
  readonly reason: DomainReason;
  readonly message: string;
}

/** The record as it is to be written: every write counts the revision up, and is refused if it does not fit. */
export function nextRevision(domain: Domain): Domain {
  return { ...domain, revision: domain.revision + 1 };
}

/** The label of the target. It cannot be guessed, names the claim, and is never used for another one. */
export function claimOf({ target }: Pick<Domain, 'target'>): string {
  return target.slice(0, target.indexOf('.'));
}
