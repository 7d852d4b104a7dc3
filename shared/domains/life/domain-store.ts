import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, itemInError } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb-client.ts';
import { queryItems } from '../../aws/query-items.ts';
import { scanAll } from '../../aws/scan-all.ts';
import { transact, type Write } from '../../aws/transaction.ts';
import { Domain } from './domain.ts';
import { eventOf, removedEvent } from './domain-event.ts';
import { DOMAINS_TABLE, isClaim } from './domain-table.ts';
import { nameWrites } from './name-writes.ts';
import { outboxWrite } from './outbox-write.ts';

/** A later attempt has begun, or the domain is gone: a writer of this attempt may no longer write. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The domain was written since it was read, by the same attempt: read it again. */
export class DomainChanged extends Error {
  override readonly name = 'DomainChanged';
}

/** The project has claimed the name already. */
export class AlreadyClaimed extends Error {
  override readonly name = 'AlreadyClaimed';
  readonly claim: Domain;

  constructor(claim: Domain) {
    super(`${claim.domain} is a domain of the project ${claim.project} already.`);
    this.claim = claim;
  }
}

/**
 * The claims of custom domains and the owners of their names, in the table whose layout is in domain-table.ts. Domains are
 * written as nextRevision() returns them. A write that changes a state which events tell puts the event into the outbox, in
 * the same transaction.
 */
export interface DomainStore {
  /** The claim of a name by a project. */
  find(domain: string, project: string): Promise<Domain | undefined>;
  /** The project that has proven a name. */
  ownerOf(domain: string): Promise<string | undefined>;
  /** Whether the project of this claim has proven the name: no other may change the domain name at API Gateway. */
  isOwner(claim: Pick<Domain, 'domain' | 'project'>): Promise<boolean>;
  listOf(project: string): Promise<Domain[]>;
  all(): Promise<Domain[]>;
  /** Writes the next revision; throws Superseded or DomainChanged when another was written since. */
  save(next: Domain): Promise<void>;
  /** Writes the next revision and makes its project the owner of the name; throws DomainTaken, too. */
  saveProven(next: Domain): Promise<void>;
  /** Deletes a claim at the end of its removal, and the ownership with it; throws Superseded or DomainChanged. */
  forget(claim: Domain, nowMs: number): Promise<void>;
  /** The write that claims a name for a project; refused with AlreadyClaimed. */
  claim(domain: Domain): Write;
  /** The writes of the next revision and of its event, as part of a transaction; refused as save is. */
  change(next: Domain): readonly Write[];
  /** The write that counts a new claim among the unverified ones; refused with TooManyUnverified. */
  unverifiedCount(claim: Domain): Write;
  /** The check, as part of a transaction, that a project has no claims; refused with ProjectHasDomains. */
  noClaimsCheck(project: string): Write;
}

export function domainStore(tableName: string): DomainStore {
  const names = nameWrites(tableName);
  const putNext = (next: Domain) => ({
    TableName: tableName,
    Item: next,
    // Rejects stale writers: the condition compares the revision that was read.
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': next.revision - 1 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  });

  const get = async (domain: string, project: string): Promise<Item | undefined> => {
    const Key = { domain, project };
    const { Item } = await orUnavailable(
      documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true })),
    );
    return Item;
  };

  const ownerOf: DomainStore['ownerOf'] = async domain => {
    const item = await get(domain, DOMAINS_TABLE.ownerSortKey);
    return item && String(item.provenBy);
  };

  const isOwner: DomainStore['isOwner'] = async ({ domain, project }) => (await ownerOf(domain)) === project;

  const change = (next: Domain): readonly Write[] => {
    const event = eventOf(next);
    return [
      { item: { Put: putNext(next) }, refusal: present => refusalOf(next, present) },
      ...(event ? [outboxWrite(tableName, event)] : []),
    ];
  };

  const claimDeletion = (claim: Domain): Write => ({
    item: {
      Delete: {
        TableName: tableName,
        Key: { domain: claim.domain, project: claim.project },
        // One delivery alone deletes the record, and makes the event: the time in it would differ from delivery to delivery.
        ConditionExpression: 'revision = :read',
        ExpressionAttributeValues: { ':read': claim.revision },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: present => present && staleness(claim, Domain.parse(present)),
  });

  return {
    async find(domain, project) {
      const item = await get(domain, project);
      return item && Domain.parse(item);
    },

    ownerOf,
    isOwner,

    async listOf(project) {
      const { name, partitionKey } = DOMAINS_TABLE.projectIndex;
      const items = await queryItems({
        TableName: tableName,
        IndexName: name,
        KeyConditionExpression: '#project = :project',
        ExpressionAttributeNames: { '#project': partitionKey },
        ExpressionAttributeValues: { ':project': project },
      });
      return items.filter(isClaim).map(item => Domain.parse(item));
    },

    async all() {
      const items = await scanAll(tableName);
      return items.filter(isClaim).map(item => Domain.parse(item));
    },

    async save(next) {
      if (eventOf(next)) return transact(change(next));
      try {
        await orUnavailable(documents.send(new PutCommand(putNext(next))));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const refusal = refusalOf(next, itemInError(error.Item));
        if (refusal) throw refusal;
      }
    },

    saveProven: next => transact([...change(next), names.ownership(next), names.promotion(next)]),

    async forget(claim, nowMs) {
      // A claim that is being removed cannot become the owner any more, so this is still true when it is deleted.
      const ownershipEnd = (await isOwner(claim)) ? [names.ownershipEnd(claim)] : [];
      const event = outboxWrite(tableName, removedEvent(claim, nowMs));
      await transact([claimDeletion(claim), names.countEnd(claim), ...ownershipEnd, event]);
    },

    claim: domain => ({
      item: {
        Put: {
          TableName: tableName,
          Item: domain,
          ConditionExpression: 'attribute_not_exists(attempt)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: (present = {}) => {
        const existing = Domain.parse(present);
        return existing.target === domain.target ? undefined : new AlreadyClaimed(existing);
      },
    }),

    change,
    unverifiedCount: names.unverifiedCount,
    noClaimsCheck: names.noClaimsCheck,
  };
}

/** Why a domain could not be written; undefined when the item there is this very write, whose answer was lost. */
function refusalOf(next: Domain, present: Item | undefined): Error | undefined {
  const current = present && Domain.parse(present);
  if (current && textOf(current) === textOf(next)) return undefined;
  return staleness(next, current);
}

/** Why a writer is stale: the same attempt has written another revision, or another attempt has begun. */
function staleness(
  { domain, target, attempt }: Domain,
  current: Domain | undefined,
): DomainChanged | Superseded {
  return current?.target === target && current.attempt === attempt
    ? new DomainChanged(`${domain} was changed in the meantime.`)
    : new Superseded(`The attempt ${attempt} at ${domain} is over.`);
}

/** Equal for equal domains: the schema puts the fields in order, and JSON leaves out what is undefined. */
function textOf(domain: Domain): string {
  return JSON.stringify(Domain.parse(domain));
}
