import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, itemInError } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb-client.ts';
import { scanAll } from '../../aws/scan-all.ts';
import type { Write } from '../../aws/transaction.ts';
import { Domain } from './domain.ts';
import { DOMAINS_TABLE } from './domain-table.ts';

/** A later attempt has begun, or the domain is gone: a writer of this attempt may no longer write. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The domain was written since it was read, by the same attempt: read it again. */
export class DomainChanged extends Error {
  override readonly name = 'DomainChanged';
}

/** The name is claimed by a project already. */
export class DomainTaken extends Error {
  override readonly name = 'DomainTaken';
  readonly owner: Domain;

  constructor(owner: Domain) {
    super(`${owner.domain} is a domain of the project ${owner.project}.`);
    this.owner = owner;
  }
}

/** The custom domains, in the table whose layout is in domain-table.ts. Domains are written as nextRevision() returns them. */
export interface DomainStore {
  find(domain: string): Promise<Domain | undefined>;
  listOf(project: string): Promise<Domain[]>;
  all(): Promise<Domain[]>;
  /** Writes the next revision; throws Superseded or DomainChanged when another was written since. */
  save(next: Domain): Promise<void>;
  /** Deletes a domain at the end of its removal; throws Superseded. */
  forget(domain: Domain): Promise<void>;
  /** The write that claims a name; refused with DomainTaken. */
  claim(domain: Domain): Write;
  /** The write of the next revision as part of a transaction; refused as save is. */
  change(next: Domain): Write;
}

export function domainStore(tableName: string): DomainStore {
  const putNext = (next: Domain) => ({
    TableName: tableName,
    Item: next,
    // Rejects stale writers: the condition compares the revision that was read.
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': next.revision - 1 },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  });

  return {
    async find(domain) {
      const { Item } = await orUnavailable(
        documents.send(new GetCommand({ TableName: tableName, Key: { domain }, ConsistentRead: true })),
      );
      return Item && Domain.parse(Item);
    },

    async listOf(project) {
      const { name, partitionKey } = DOMAINS_TABLE.projectIndex;
      const domains: Domain[] = [];
      let ExclusiveStartKey: Record<string, unknown> | undefined;
      do {
        const page = await orUnavailable(
          documents.send(
            new QueryCommand({
              TableName: tableName,
              IndexName: name,
              KeyConditionExpression: '#project = :project',
              ExpressionAttributeNames: { '#project': partitionKey },
              ExpressionAttributeValues: { ':project': project },
              ExclusiveStartKey,
            }),
          ),
        );
        domains.push(...(page.Items ?? []).map(item => Domain.parse(item)));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      return domains;
    },

    async all() {
      const items = await scanAll(tableName);
      return items.filter(({ domain }) => domain !== DOMAINS_TABLE.slotsItem).map(item => Domain.parse(item));
    },

    async save(next) {
      try {
        await orUnavailable(documents.send(new PutCommand(putNext(next))));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const refusal = refusalOf(next, itemInError(error.Item));
        if (refusal) throw refusal;
      }
    },

    async forget({ domain, attempt }) {
      try {
        await orUnavailable(
          documents.send(
            new DeleteCommand({
              TableName: tableName,
              Key: { domain },
              ConditionExpression: 'attribute_not_exists(attempt) OR attempt = :attempt',
              ExpressionAttributeValues: { ':attempt': attempt },
            }),
          ),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        throw new Superseded(`The attempt ${attempt} at ${domain} is over.`, { cause: error });
      }
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
        const owner = Domain.parse(present);
        return owner.target === domain.target ? undefined : new DomainTaken(owner);
      },
    }),

    change: next => ({
      item: { Put: putNext(next) },
      refusal: present => refusalOf(next, present),
    }),
  };
}

/** Why a domain could not be written; undefined when the item there is this very write, whose answer was lost. */
function refusalOf(next: Domain, present: Item | undefined): Error | undefined {
  const owner = present && Domain.parse(present);
  if (owner && textOf(owner) === textOf(next)) return undefined;
  const isSameAttempt = owner?.target === next.target && owner.attempt === next.attempt;
  return isSameAttempt
    ? new DomainChanged(`${next.domain} was changed in the meantime.`)
    : new Superseded(`The attempt ${next.attempt} at ${next.domain} is over.`);
}

/** Equal for equal domains: the schema puts the fields in order, and JSON leaves out what is undefined. */
function textOf(domain: Domain): string {
  return JSON.stringify(Domain.parse(domain));
}
