import * as z from 'zod/mini';

export const DomainStatus = z.enum(['pending_dns', 'verifying', 'issuing', 'live', 'failed', 'removing']);
export type DomainStatus = z.infer<typeof DomainStatus>;

const Time = z.nullable(z.string());

/** What a verification is at, in this order. A step that comes again for what is behind it has nothing left to do. */
export const PHASES = ['dns', 'certificate', 'attachment', 'live'] as const;
export type Phase = (typeof PHASES)[number];

const CheckedRecord = z.object({
  purpose: z.enum(['traffic', 'ownership', 'certificate']),
  type: z.enum(['CNAME', 'ALIAS', 'TXT']),
  name: z.string(),
  value: z.string(),
  ttl: z.number(),
  state: z.enum(['ok', 'missing', 'mismatch', 'conflict', 'unreachable']),
  observed: z.array(z.string()),
  action: z.nullable(z.string()),
});

/** A record that the flow made itself, in a zone of this account, and so deletes itself. */
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
  status: DomainStatus,
  /** Why it is where it is, for programs: `dns_not_found`, `caa_blocked`. */
  reason: z.nullable(z.string()),
  message: z.string(),
  phase: z.enum(PHASES),
  /** Grows with every verify and with the removal. Whoever works for an earlier attempt may no longer write. */
  attempt: z.number(),
  /** Grows with every write, so that nobody overwrites what he has not seen. */
  revision: z.number(),
  /** The host in the platform zone that the domain points at, and the text that proves the claim of an apex. */
  target: z.string(),
  challenge: z.string(),
  /** Where that host leads at present. */
  pointsAt: z.string(),
  /** What serves the domain at API Gateway, once it is there. */
  gateway: z.nullable(z.object({ host: z.string(), hostedZoneId: z.string() })),
  /** When API Gateway will take a change for this domain, if a turn was taken. */
  slotAt: Time,
  certificate: z.object({
    arn: z.nullable(z.string()),
    status: z.nullable(z.string()),
    failure: z.nullable(z.string()),
    /** How often this attempt has requested another one. */
    requests: z.number(),
    /** How ACM's renewal of it goes, in ACM's words. */
    renewal: z.nullable(z.string()),
    /** The records by which ACM validates it, none until ACM names them. */
    validations: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  /** As they were seen at the last check. */
  records: z.array(CheckedRecord),
  managed: z.array(ManagedRecord),
  /** How often this phase has been checked, which decides the next wait. */
  rounds: z.number(),
  checkedAt: Time,
  nextCheckAt: Time,
  createdAt: z.string(),
  phaseStartedAt: z.string(),
  verifyStartedAt: Time,
  verifiedAt: Time,
  liveAt: Time,
  /** When a removal had nothing left to take down. */
  takenDownAt: z.optional(z.string()),
  /** What was seen at each check that differed from the one before, the latest last. */
  history: z.array(z.object({ at: z.string(), what: z.string() })),
});
export type Domain = z.infer<typeof Domain>;

/** The domain as it is to be written next. */
export function nextRevision(domain: Domain, news: Partial<Domain>): Domain {
  return { ...domain, ...news, revision: domain.revision + 1 };
}

/** The part of the target that no one can guess: it stands for the claim, and is never used for another. */
export function claimOf({ target }: Pick<Domain, 'target'>): string {
  return target.slice(0, target.indexOf('.'));
}

const KEPT_HISTORY = 50;

/** The domain with one more entry in its history, unless the last one says the same. */
export function withHistory(domain: Domain, at: string, what: string): Domain {
  if (domain.history.at(-1)?.what === what) return domain;
  return { ...domain, history: [...domain.history, { at, what }].slice(-KEPT_HISTORY) };
}
