import * as z from 'zod/mini';
import type { Item } from '../../aws/document-client.ts';
import { DOMAIN_REASONS, type DomainReason } from './domain-reason.ts';
import { DOMAIN_STATUSES } from './domain-status.ts';

const Time = z.nullable(z.string());

const CheckedRecord = z.object({
  purpose: z.enum(['traffic', 'ownership', 'certificate']),
  type: z.enum(['CNAME', 'ALIAS', 'TXT']),
  name: z.string(),
  /** The name relative to its zone; `@` for the zone's own name. */
  label: z.string(),
  value: z.string(),
  ttl: z.number(),
  isOptional: z.optional(z.boolean()),
  /** `spreading`: the record is right, but a resolver doesn't see it yet. */
  state: z.enum(['ok', 'missing', 'mismatch', 'conflict', 'unreachable', 'spreading']),
  observed: z.array(z.string()),
  /** What to do about it, as facts (record-advice.ts) and in words. */
  advice: z.readonly(
    z.array(z.object({ kind: z.string(), about: z.optional(z.readonly(z.array(z.string()))) })),
  ),
  action: z.nullable(z.string()),
});

/**
 * A DNS record that the flow creates, and later deletes, in a hosted zone of this account. An alias A comes with an AAAA.
 */
export const ManagedRecord = z.object({
  zoneId: z.string(),
  type: z.enum(['CNAME', 'TXT', 'A']),
  name: z.string(),
  value: z.string(),
  ttl: z.number(),
  /** The zone of the value, if that is the target of an alias. */
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
  /** The name servers it's delegated to, as DNS last showed them; empty for a domain nobody has delegated. */
  nameServers: z.optional(z.array(z.string())),
  status: z.enum(DOMAIN_STATUSES),
  /** Why the domain is in this status. */
  reason: z.nullable(z.enum(DOMAIN_REASONS)),
  message: z.string(),
  /** The AWS quota that kept the last attempt from attaching the domain. */
  quota: z.optional(z.string()),
  /** Identifies the execution that works on the domain. A wake-up of an earlier one has nothing left to do. */
  attempt: z.number(),
  /** Counts writes. A write is rejected if the record's revision isn't the one that was read. */
  revision: z.number(),
  /** The host in the platform zone that the domain points at, and the text that proves the claim if the host doesn't. */
  target: z.string(),
  challenge: z.string(),
  /** What the target is a CNAME of. */
  pointsAt: z.string(),
  /** The endpoint of the domain name at API Gateway, once there is one. */
  gateway: z.nullable(z.object({ host: z.string(), hostedZoneId: z.string() })),
  /** The slot booked for a change at the front: the ticket to come back with. */
  slotAt: Time,
  certificate: z.object({
    arn: z.nullable(z.string()),
    /** The ARN of a certificate that was pending for too long: it's deleted before another is requested. */
    replaces: z.optional(z.string()),
    status: z.nullable(z.string()),
    failure: z.nullable(z.string()),
    /** The serial number as ACM writes it, and the one before the renewal; absent until a check reads them. */
    serial: z.optional(z.nullable(z.string())),
    formerSerial: z.optional(z.nullable(z.string())),
    /** How many replacements this attempt has requested. */
    requests: z.number(),
    /** ACM's status of the renewal. */
    renewal: z.nullable(z.string()),
    /** The certificate's validity; absent until ACM issues it and a check reads it. */
    validFrom: z.optional(z.nullable(z.string())),
    expiresAt: z.optional(z.nullable(z.string())),
    /** The records by which ACM validates the domain; empty until ACM names them. */
    validations: z.array(z.object({ name: z.string(), value: z.string() })),
  }),
  /** The required records as the last check saw them. */
  records: z.array(CheckedRecord),
  /** Whether visitors come through a proxy with its own certificate, as the last request that arrived showed. */
  isProxied: z.optional(z.boolean()),
  /** What the last check couldn't tell about a live domain's visitors, in words. */
  unconfirmed: z.optional(z.string()),
  /** The CAA records at a name that keep Amazon from issuing the certificate, as last looked up. */
  caa: z.optional(
    z.object({
      at: z.string(),
      record: z.string(),
      /** The critical property that Amazon doesn't know, if that's the cause. */
      unknownTag: z.optional(z.string()),
      /** Whether a record for Amazon is missing. */
      lacksAmazon: z.boolean(),
    }),
  ),
  managed: z.array(ManagedRecord),
  /** How many checks the current wait has had; sets the backoff. */
  rounds: z.number(),
  checkedAt: Time,
  /** When a look last found nothing new, unless the last check was later. Stored beside the claim (looks.ts). */
  lookedAt: z.optional(z.string()),
  nextCheckAt: Time,
  /** Whether the next check is so far off that no execution waits for it: the sweep starts one then. */
  isResting: z.optional(z.boolean()),
  createdAt: z.string(),
  verifyStartedAt: Time,
  /** Whether its owner has started this verification, which doesn't extend the claim. */
  isStartedByOwner: z.optional(z.boolean()),
  /** Since when this attempt is late, which the owner was told. */
  lateAt: z.optional(z.string()),
  verifiedAt: Time,
  /** When this attempt got its certificate, and its domain name at API Gateway. */
  issuedAt: Time,
  attachedAt: Time,
  /** When the claim was first proven in DNS, which made the project the owner of the name. */
  provenAt: Time,
  liveAt: Time,
  /** When this attempt was given up. */
  failedAt: Time,
  /** Whether the owner prepares the domain first and switches its traffic later: the TXT record proves the claim. */
  switchLater: z.optional(z.boolean()),
  /** When this attempt was ready for the switch, and when its owner was reminded of it. */
  readyAt: Time,
  remindedAt: Time,
  /** When an operator removed it, or its claim ended. */
  removalStartedAt: Time,
  /**
   * Present while another project owns the name. `since`: the time since which every check has seen this claim's TXT record in
   * DNS and no record of the owner.
   */
  contest: z.optional(z.object({ since: Time })),
  /** Present while other projects are about to take the name over: the earliest time one of them may. */
  takeover: z.optional(z.string()),
  /**
   * What the domain is mapped to at API Gateway, as last left there; null before it is mapped, and after the mapping is deleted.
   * `open`: somebody is changing it, or ended before that was done.
   */
  route: z.nullable(z.union([z.literal('open'), z.object({ apiId: z.string(), stage: z.string() })])),
  /** Until when a command may be deleting the mapping of a removed domain, without the name's lease. */
  unmappedUntil: z.optional(z.string()),
  /** Whether the removal has deleted the mapping and gone on to the domain name, which no command touches any more. */
  isUnmapped: z.optional(z.boolean()),
  /** How many executions in a row ended or were lost before completing a pass. */
  restarts: z.optional(z.number()),
  /** The domain's last event, and the revision written with it; `message` if it differs from the domain's. */
  lastEvent: z.optional(
    z.object({
      type: z.string(),
      revision: z.number(),
      at: z.string(),
      message: z.optional(z.string()),
    }),
  ),
  /** The reported statuses and the messages that the domain has had, the latest last. */
  history: z.array(z.object({ at: z.string(), status: z.string(), what: z.string() })),
  /** The secret of the links to the page for its owner (setup/link.ts); absent until somebody asks for one. It's in no report. */
  linkKey: z.optional(z.string()),
  /** When its owner last asked for a look, and until when the asks so far use up the limit (setup/ask-limit.ts). */
  asks: z.optional(z.object({ lastAt: z.string(), takenUntil: z.string() })),
});
export type Domain = z.infer<typeof Domain>;

/** What ACM says about a certificate, in ACM's own terms. */
export type CertificateView = Pick<
  Domain['certificate'],
  'status' | 'serial' | 'failure' | 'renewal' | 'validFrom' | 'expiresAt' | 'validations'
>;

/** A required record as a check saw it. */
export type SeenRecord = Readonly<Omit<Domain['records'][number], 'observed'>> & {
  readonly observed: readonly string[];
};

/** A certificate that was never requested. */
export const NO_CERTIFICATE: Domain['certificate'] = {
  arn: null,
  status: null,
  failure: null,
  requests: 0,
  renewal: null,
  validations: [],
};

/** Why a domain isn't live, or isn't as it should be: for programs, and for people. */
export interface Trouble {
  readonly reason: DomainReason;
  readonly message: string;
  /** The AWS quota that an operator has to raise. */
  readonly quota?: string | undefined;
}

/**
 * Messages quote what DNS says. A record has to stay far below an item's 400 KB, or it couldn't even be removed, and ten events
 * in one request below 256 KB.
 */
const MAX_MESSAGE_LENGTH = 1000;
const MAX_VALUE_LENGTH = 255;
const MAX_VALUES = 20;

/** The domain with texts and lists of bounded length, whatever others put into DNS. */
export function withinLimits(domain: Domain): Domain {
  const { nameServers, records, history } = domain;
  const short = (values: readonly string[]) =>
    values.slice(0, MAX_VALUES).map(value => shortened(value, MAX_VALUE_LENGTH));
  return {
    ...domain,
    ...(nameServers && { nameServers: short(nameServers) }),
    message: shortened(domain.message),
    ...(domain.unconfirmed && { unconfirmed: shortened(domain.unconfirmed) }),
    records: records.map(record => ({
      ...record,
      observed: short(record.observed),
      advice: record.advice.map(({ kind, about }) => ({ kind, ...(about && { about: short(about) }) })),
      action: record.action && shortened(record.action),
    })),
    history: history.map(entry => ({ ...entry, what: shortened(entry.what) })),
  };
}

/** Cuts a text. If the cut splits a surrogate pair, the lone half is replaced. */
export function shortened(text: string, length = MAX_MESSAGE_LENGTH): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** The record to write: every write increments the revision, and is refused if it doesn't follow the stored one. */
export function nextRevision(domain: Domain): Domain {
  return { ...domain, revision: domain.revision + 1 };
}

/**
 * The target's label. It can't be guessed, and identifies the claim; only the same project gets it again, for the same
 * name.
 */
export function claimOf({ target }: Pick<Domain, 'target'>): string {
  return target.slice(0, target.indexOf('.'));
}

/**
 * Domains table: partition key `domain` (S), sort key `project` (S). Index `byProject`: partition key `project`, sort key
 * `domain`. The keys with `#` are neither names nor ids of projects. The items:
 * - a claim: a project's claim of a name. The attributes are the fields of Domain, its objects maps and its arrays lists.
 *   Several projects may claim one name.
 * - the lease of a name, sort key `#lease`: `holder` (S) is who acts on AWS for it, until `untilMs` (N) at the latest,
 *   which is 0 once it was given back; `expiresAt` (N, seconds) is when DynamoDB may delete the item. All claims of the
 *   name share it.
 * - the owner of a name, sort key `#owner`: `provenBy` (S) is the project that was the first to prove the name. The item is
 *   written when its claim passes the DNS phase, and deleted with the claim.
 * - the names of a project, partition key `#names`: `unverified` and `verified` (SS) are the names it has claimed but not
 *   proven, and those it has proven.
 * - an event that is not yet published, partition key `#outbox`, sort key `#`, its time and its id: `event` (M) has the
 *   fields of DomainEvent (domain-event.ts). The item is written with the change of the domain, and deleted when
 *   EventBridge has accepted the event.
 * - the records that a project had for a name it removed, sort key `#former` and the project: `target`, `challenge`, and
 *   `expiresAt` (N, seconds), after which they are not used again and DynamoDB deletes the item.
 * - default URLs, partition key `#default`: a domain name of them by itself as the sort key, such as
 *   `*.apps.petstore.example`, and with `#` and the platform domain what they have in common. The attributes are those of
 *   Setup and Name (default-urls.ts). Whoever changes them holds the lease of the platform domain.
 * - the slots, key `#slots`, `#slots`: `create`, `update` and `delete` (N) are the next times at which API Gateway, which
 *   allows each of these changes of domain names once in 30 seconds, has none booked.
 * - what a sweep has looked at and found as it was known, partition key `#looks`, sort key its time and a number: `names`
 *   (L) are the names, `at` (S) the time, `expiresAt` (N, seconds) when DynamoDB may delete the item.
 * - the addresses of API Gateway, key `#addresses`, `#addresses`: `seenMs` (M) is when each address of IPv6 was last among
 *   those of our hosts, `lastHost` (S) which host was looked up last, `expiresAt` (N, seconds) when DynamoDB may delete the
 *   item.
 */
export const DOMAINS_TABLE = {
  partitionKey: 'domain',
  sortKey: 'project',
  timeToLive: 'expiresAt',
  projectIndex: { name: 'byProject', partitionKey: 'project', sortKey: 'domain' },
  ownerSortKey: '#owner',
  leaseSortKey: '#lease',
  namesPartitionKey: '#names',
  outboxPartitionKey: '#outbox',
  defaultUrlsPartitionKey: '#default',
  looksPartitionKey: '#looks',
  slotsKey: { domain: '#slots', project: '#slots' },
  addressesKey: { domain: '#addresses', project: '#addresses' },
} as const;

/** The claim of default URLs in tags. It can't be a custom domain's label, which has 20 hexadecimal digits. */
export const DEFAULT_CLAIM = 'default';

/** Whether an item of the table is a claim. */
export function isClaim({ domain, project }: Item): boolean {
  return ![domain, project].some(key => String(key).startsWith('#'));
}
