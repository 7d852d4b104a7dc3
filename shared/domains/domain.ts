import * as z from 'zod/mini';

export const DomainStatus = z.enum(['pending_dns', 'verifying', 'issuing', 'live', 'failed', 'removing']);
export type DomainStatus = z.infer<typeof DomainStatus>;

const Time = z.nullable(z.string());

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
  /** Grows with every verify and with the removal. Whoever works for an earlier attempt may no longer write. */
  attempt: z.number(),
  /** The host in the platform zone that the domain points at, and the text that proves the claim of an apex. */
  target: z.string(),
  challenge: z.string(),
  /** Where that host leads at present. */
  pointsAt: z.string(),
  certificate: z.object({
    arn: z.nullable(z.string()),
    status: z.nullable(z.string()),
    failure: z.nullable(z.string()),
    validation: z.nullable(z.object({ name: z.string(), value: z.string() })),
  }),
  /** As they were seen at the last check. */
  records: z.array(CheckedRecord),
  /** How often this phase has been checked, which decides the next wait. */
  rounds: z.number(),
  nextCheckAt: Time,
  createdAt: z.string(),
  verifyStartedAt: Time,
  verifiedAt: Time,
  liveAt: Time,
  redirect: z.nullable(z.object({ to: z.string(), status: z.number() })),
  /** What was seen at each check that differed from the one before, the latest last. */
  history: z.array(z.object({ at: z.string(), what: z.string() })),
});
export type Domain = z.infer<typeof Domain>;

const KEPT_HISTORY = 50;

/** The domain with one more entry in its history, unless the last one says the same. */
export function withHistory(domain: Domain, at: string, what: string): Domain {
  if (domain.history.at(-1)?.what === what) return domain;
  return { ...domain, history: [...domain.history, { at, what }].slice(-KEPT_HISTORY) };
}
