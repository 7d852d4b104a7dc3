import * as z from 'zod/mini';
import { findItem, queryItems, scanAll } from '../../aws/document-client.ts';
import type { Write } from '../../aws/transaction.ts';
import { DOMAINS_TABLE, Domain, isClaim, nextRevision } from './domain.ts';
import { eventOf, movedEvent, removedEvent } from './domain-event.ts';
import { isAttached, STATUSES } from './domain-status.ts';
import { type Holder, leases } from './lease.ts';
import { looksIn, noteLooks } from './looks.ts';
import { outboxWrite } from './outbox.ts';
import { MAX_UNVERIFIED_CLAIMS } from './waits.ts';

/** The domain was written since it was read, or is gone: read it again. */
export class DomainChanged extends Error {
  override readonly name = 'DomainChanged';
}

export class AlreadyClaimed extends Error {
  override readonly name = 'AlreadyClaimed';
  readonly claim: Domain;

  constructor(claim: Domain) {
    super(`${claim.domain} is already in project ${claim.project}.`);
    this.claim = claim;
  }
}

/** Another project has proven the name. The message is shown to strangers, so it doesn't say which project. */
export class DomainTaken extends Error {
  override readonly name = 'DomainTaken';

  constructor(domain: string) {
    super(
      `${domain} is in use by another project. If that project is yours, move the domain from there. If it isn't, delete the DNS records that point ${domain} at that project, then add the domain again.`,
    );
  }
}

/** The project no longer has such a claim, or it is being removed. */
export class ClaimGone extends Error {
  override readonly name = 'ClaimGone';

  constructor(domain: string, project: string) {
    super(`${domain} is no longer in project ${project}, or is being removed.`);
  }
}

export class TooManyUnverified extends Error {
  override readonly name = 'TooManyUnverified';

  constructor(project: string) {
    super(
      `Project ${project} already has ${MAX_UNVERIFIED_CLAIMS} unverified domains, the maximum. Verify or remove some first.`,
    );
  }
}

export class ProjectHasDomains extends Error {
  override readonly name = 'ProjectHasDomains';
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`The project has the domains ${names.join(', ')}.`);
    this.names = names;
  }
}

/**
 * The claims of custom domains and the owners of their names, in the table whose layout is in domain.ts. Domains are
 * written as nextRevision() returns them. If a change emits an event, the same transaction puts it into the outbox.
 */
export interface DomainStore {
  find(domain: string, project: string): Promise<Domain | undefined>;
  /** The project that has proven a name. */
  ownerOf(domain: string): Promise<string | undefined>;
  /** The domains of a project, by name. */
  listOf(project: string): Promise<Domain[]>;
  /** At most `limit` of them, after a name; `next` is the last of these names, or null if none follows. */
  pageOf(
    project: string,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<{ readonly domains: Domain[]; readonly next: string | null }>;
  all(): Promise<Domain[]>;
  /** All claims of a name. */
  claimsOf(domain: string): Promise<Domain[]>;
  /** The claim with this target, whichever project has it by now. */
  present(claim: Pick<Domain, 'domain' | 'target'>): Promise<Domain | undefined>;
  /**
   * Does work for a name under its lease (lease.ts); if somebody else has it, returns the result of `busy`, or undefined.
   * Whoever acts on AWS for a name does so here, and commits through the holder.
   */
  holding<Result>(
    domain: string,
    work: (holder: Holder) => Promise<Result>,
    patienceMs?: number,
    busy?: (leftMs: number) => Result | undefined,
  ): Promise<Result | undefined>;
  /** Notes that somebody looked at these domains and found nothing new. That doesn't change them. */
  looked(domains: readonly string[], nowMs: number): Promise<void>;
  /** These claims with the time they were last looked at. */
  withLooks(claims: readonly Domain[]): Promise<Domain[]>;
  /** The writes of the next revision and its event; refused with DomainChanged if another revision was written since. */
  change(next: Domain): readonly Write[];
  /** The writes of the next revision that make its project the owner of the name; refused with DomainTaken, too. */
  proof(next: Domain, formerOwner?: string): readonly Write[];
  /** The writes that give claims of one project to another; `next` is a claim after that. Refused as `change` is, and with AlreadyClaimed. */
  move(
    moves: readonly { readonly before: Domain; readonly next: Domain }[],
    nowMs: number,
  ): Promise<readonly Write[]>;
  /** The write that makes a new claim the only one that has the kept records; refused with DomainChanged. */
  formerRecordsUse(claim: Domain): Write;
  /** The host and challenge a project had for a name before it removed it, while they are kept. */
  formerRecords(domain: string, project: string, nowMs: number): Promise<FormerRecords | undefined>;
  /**
   * The writes that delete a claim, and its ownership, at the end of its removal; refused as `change` is. Its records are kept
   * until `keptUntilMs`, for the next claim of the name by the same project.
   */
  end(claim: Domain, nowMs: number, keptUntilMs?: number): Promise<readonly Write[]>;
  /** The write that claims a name for a project; refused with AlreadyClaimed. */
  claim(domain: Domain): Write;
  /** The check, as part of a transaction, that a project has a claim that isn't being removed; refused with ClaimGone. */
  claimCheck(domain: string, project: string): Write;
  /** The write that counts new claims of a project among its unverified ones; refused with TooManyUnverified. */
  unverifiedCount(claims: readonly Domain[]): Write;
  /** The check, as part of a transaction, that a project has no claims; refused with ProjectHasDomains. */
  noClaimsCheck(project: string): Write;
}

/** DynamoDB reads 1 MB at a time, or 300 domains: 2,000 of them would take seven sequential reads. */
const SCANNED_PARTS = 4;

export function domainStore(tableName: string, now = Date.now): DomainStore {
  const names = nameWrites(tableName);

  const get = (domain: string, project: string) => findItem(tableName, { domain, project });

  const ownerOf: DomainStore['ownerOf'] = async domain => {
    const item = await get(domain, DOMAINS_TABLE.ownerSortKey);
    return item && String(item.provenBy);
  };

  const isOwner = async ({ domain, project }: Domain) => (await ownerOf(domain)) === project;

  const change = (next: Domain): readonly Write[] => {
    const event = eventOf(next);
    const put = {
      TableName: tableName,
      Item: next,
      // Rejects stale writers: the condition compares the revision that was read.
      ConditionExpression: 'revision = :read',
      ExpressionAttributeValues: { ':read': next.revision - 1 },
    };
    return [
      { item: { Put: put }, refusal: () => changed(next) },
      ...(event ? [outboxWrite(tableName, event)] : []),
    ];
  };

  const claim = (domain: Domain): Write => ({
    item: {
      Put: {
        TableName: tableName,
        Item: domain,
        ConditionExpression: 'attribute_not_exists(attempt)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: (present = {}) => new AlreadyClaimed(Domain.parse(present)),
  });

  const namesAfter = async (project: string, after = FIRST_NAME, count?: number): Promise<Domain[]> => {
    const { name, partitionKey, sortKey } = DOMAINS_TABLE.projectIndex;
    const items = await queryItems(
      {
        TableName: tableName,
        IndexName: name,
        KeyConditionExpression: '#project = :project AND #domain > :after',
        ExpressionAttributeNames: { '#project': partitionKey, '#domain': sortKey },
        ExpressionAttributeValues: { ':project': project, ':after': after },
      },
      count,
    );
    return items.map(item => Domain.parse(item));
  };

  const partition = (domain: string) =>
    queryItems({
      TableName: tableName,
      KeyConditionExpression: '#domain = :domain',
      ExpressionAttributeNames: { '#domain': DOMAINS_TABLE.partitionKey },
      ExpressionAttributeValues: { ':domain': domain },
      ConsistentRead: true,
    });

  const claimsOf = async (domain: string): Promise<Domain[]> => {
    const items = await partition(domain);
    return items.filter(isClaim).map(item => Domain.parse(item));
  };

  const claimDeletion = (claim: Domain): Write => ({
    item: {
      Delete: {
        TableName: tableName,
        Key: { domain: claim.domain, project: claim.project },
        // Only one delivery may delete the record and emit the event, because each would give it a different time.
        ConditionExpression: 'revision = :read',
        ExpressionAttributeValues: { ':read': claim.revision },
      },
    },
    refusal: () => changed(claim),
  });

  return {
    async find(domain, project) {
      const item = await get(domain, project);
      return item && Domain.parse(item);
    },

    ownerOf,

    listOf: project => namesAfter(project),

    async pageOf(project, { after, limit }) {
      const found = await namesAfter(project, after, limit + 1);
      const domains = found.slice(0, limit);
      return { domains, next: found.length > limit ? (domains.at(-1)?.domain ?? null) : null };
    },

    async all() {
      const items = await scanAll(tableName, SCANNED_PARTS);
      const claims = items.filter(isClaim).map(item => Domain.parse(item));
      return claims.map(withLook(looksIn(items)));
    },

    async withLooks(claims) {
      if (!claims.some(isAttached)) return [...claims];
      return claims.map(withLook(looksIn(await partition(DOMAINS_TABLE.looksPartitionKey))));
    },

    claimsOf,

    async present({ domain, target }) {
      return (await claimsOf(domain)).find(claim => claim.target === target);
    },

    holding: leases(tableName, now),

    looked: (domains, nowMs) => noteLooks(tableName, domains, nowMs),

    change,

    proof: (next, formerOwner) => [
      names.ownership(next, formerOwner),
      ...change(next),
      names.promotion(next),
    ],

    async move(moves, nowMs) {
      // A claim becomes the owner with a new revision, so this is still true when the claim before it is deleted.
      const owned = await Promise.all(moves.map(({ before }) => isOwner(before)));
      const arriving = (isOwned: boolean) =>
        moves.filter((_, index) => owned[index] === isOwned).map(({ next }) => next);
      return [
        ...moves.flatMap(({ before, next }, index) => {
          const events = [movedEvent(before, next.project, nowMs), ...[eventOf(next) ?? []].flat()];
          return [
            claimDeletion(before),
            claim(next),
            ...(owned[index] ? [names.ownership(next, before.project)] : []),
            ...events.map(event => outboxWrite(tableName, event)),
          ];
        }),
        names.countEnd(moves.map(({ before }) => before)),
        names.count(arriving(false), arriving(true)),
      ];
    },

    async end(before, nowMs, keptUntilMs = nowMs) {
      // A claim that is being removed can't become the owner any more, so this is still true when it is deleted.
      const ownershipEnd = (await isOwner(before)) ? [names.ownershipEnd(before)] : [];
      const event = outboxWrite(tableName, removedEvent(before, nowMs));
      const kept = names.formerRecords(before, keptUntilMs);
      return [claimDeletion(before), names.countEnd([before]), ...ownershipEnd, kept, event];
    },

    formerRecordsUse: names.formerRecordsUse,

    async formerRecords(domain, project, nowMs) {
      const item = await get(domain, formerKey(project));
      const { success, data } = FormerItem.safeParse(item);
      return success && data.expiresAt * 1000 > nowMs
        ? { target: data.target, challenge: data.challenge }
        : undefined;
    },

    claim,
    claimCheck: (domain, project) => ({
      item: {
        ConditionCheck: {
          TableName: tableName,
          Key: { domain, project },
          ConditionExpression: '#status <> :removing',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':removing': STATUSES.removing.reported },
        },
      },
      refusal: () => new ClaimGone(domain, project),
    }),

    unverifiedCount: claims => names.count(claims),
    noClaimsCheck: names.noClaimsCheck,
  };
}

function formerKey(project: string): string {
  return `#former ${project}`;
}

const FormerItem = z.object({ target: z.string(), challenge: z.string(), expiresAt: z.number() });

/** What DNS must show for a claim. */
export type FormerRecords = Pick<Domain, 'target' | 'challenge'>;

/** Sorts before every name, but after the keys with #, which aren't names. */
const FIRST_NAME = '-';

/** Commits the next revision. Returns false if somebody else changed the domain in the meantime, which then stays. */
export async function saveUnlessStale(commit: Promise<void>): Promise<boolean> {
  try {
    await commit;
    return true;
  } catch (error) {
    if (error instanceof DomainChanged) return false;
    throw error;
  }
}

/**
 * Commits a change to the claim's current version, whatever commands did to it: what was created must not be lost, even if it's
 * no longer wanted.
 */
export async function saveAnyway(
  domains: Pick<DomainStore, 'present' | 'change'>,
  holder: Holder,
  claim: Domain,
  change: (claim: Domain) => Domain,
): Promise<Domain> {
  let present: Domain | undefined = claim;
  while (present) {
    const next = nextRevision(change(present));
    if (await saveUnlessStale(holder.commit(domains.change(next)))) return next;
    present = await domains.present(claim);
  }
  throw new DomainChanged(`${claim.domain} is gone.`);
}

function changed({ domain }: Domain): DomainChanged {
  return new DomainChanged(`${domain} was changed in the meantime.`);
}

/**
 * The writes of the items beside the claims (domain.ts): the owner of a name, and the names of a project. They are
 * part of the transactions that write the claims, so they always agree with them, however many commands run at once.
 */
function nameWrites(tableName: string) {
  const ownerKey = ({ domain }: Domain) => ({ domain, project: DOMAINS_TABLE.ownerSortKey });
  const namesKey = (project: string) => ({ domain: DOMAINS_TABLE.namesPartitionKey, project });
  const isFreeOrOwn = 'attribute_not_exists(provenBy) OR provenBy = :project';

  const setOf = (claims: readonly Domain[]) => new Set(claims.map(({ domain }) => domain));
  /** Changes which names the project of these claims has. */
  const namesChange = (claims: readonly Domain[], UpdateExpression: string): Write => ({
    item: {
      Update: {
        TableName: tableName,
        Key: namesKey(claims[0]?.project ?? ''),
        UpdateExpression,
        ExpressionAttributeValues: { ':names': setOf(claims) },
      },
    },
    refusal: () => undefined,
  });

  return {
    /**
     * Makes a claim's project the owner of the name; refused with DomainTaken if somebody other than the former owner has
     * it.
     */
    ownership: (claim: Domain, formerOwner = claim.project): Write => ({
      item: {
        Put: {
          TableName: tableName,
          Item: { ...ownerKey(claim), provenBy: claim.project },
          ConditionExpression: isFreeOrOwn,
          ExpressionAttributeValues: { ':project': formerOwner },
        },
      },
      refusal: () => new DomainTaken(claim.domain),
    }),

    formerRecords: ({ domain, project, target, challenge }: Domain, keptUntilMs: number): Write => ({
      item: {
        Put: {
          TableName: tableName,
          Item: {
            domain,
            project: formerKey(project),
            target,
            challenge,
            [DOMAINS_TABLE.timeToLive]: Math.floor(keptUntilMs / 1000),
          },
        },
      },
      refusal: () => undefined,
    }),

    /** One of the claims may have been moved since, and two claims must never have the same host. */
    formerRecordsUse: ({ domain, project, target }: Domain): Write => ({
      item: {
        Delete: {
          TableName: tableName,
          Key: { domain, project: formerKey(project) },
          ConditionExpression: 'target = :target',
          ExpressionAttributeValues: { ':target': target },
        },
      },
      refusal: () => new DomainChanged(`${domain} was added in the meantime.`),
    }),

    /** Ends the ownership. Only the owner's claim may ask for it. */
    ownershipEnd: (claim: Domain): Write => ({
      item: {
        Delete: {
          TableName: tableName,
          Key: ownerKey(claim),
          ConditionExpression: isFreeOrOwn,
          ExpressionAttributeValues: { ':project': claim.project },
        },
      },
      refusal: () => new DomainTaken(claim.domain),
    }),

    /** Counts more claims of a project as unverified or verified; refused with TooManyUnverified. */
    count: (unverified: readonly Domain[], verified: readonly Domain[] = []): Write => {
      if (unverified.length === 0) return namesChange(verified, 'ADD verified :names');
      const [{ project } = { project: '' }] = unverified;
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: namesKey(project),
            UpdateExpression: `ADD unverified :unverified${verified.length > 0 ? ', verified :verified' : ''}`,
            ConditionExpression: 'attribute_not_exists(unverified) OR size(unverified) <= :most',
            ExpressionAttributeValues: {
              ':unverified': setOf(unverified),
              ...(verified.length > 0 && { ':verified': setOf(verified) }),
              ':most': MAX_UNVERIFIED_CLAIMS - unverified.length,
            },
          },
        },
        refusal: () => new TooManyUnverified(project),
      };
    },

    /** Counts a claim as verified. */
    promotion: (claim: Domain): Write => namesChange([claim], 'DELETE unverified :names ADD verified :names'),

    countEnd: (claims: readonly Domain[]): Write =>
      namesChange(claims, 'DELETE unverified :names, verified :names'),

    noClaimsCheck: (project: string): Write => ({
      item: {
        ConditionCheck: {
          TableName: tableName,
          Key: namesKey(project),
          ConditionExpression: 'attribute_not_exists(unverified) AND attribute_not_exists(verified)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: (present = {}) => {
        const { unverified = [], verified = [] } = present as Record<string, Iterable<string>>;
        return new ProjectHasDomains([...verified, ...unverified].toSorted());
      },
    }),
  };
}

/** Adds the time of the last noted look to a claim. */
function withLook(looks: ReadonlyMap<string, string>): (claim: Domain) => Domain {
  return claim => {
    const lookedAt = isAttached(claim) ? looks.get(claim.domain) : undefined;
    return lookedAt === undefined ? claim : { ...claim, lookedAt };
  };
}
