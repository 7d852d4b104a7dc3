import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../../aws/dynamodb.ts';
import { scanAll } from '../../aws/scan-all.ts';
import type { Item, Write } from '../../aws/transaction.ts';
import { Domain } from './domain.ts';
import { DOMAINS_TABLE } from './domain-table.ts';

/** Another attempt has begun, or the domain is gone: what was done for this one no longer counts. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Someone else has written the domain since it was read: read it again. */
export class DomainChanged extends Error {
  override readonly name = 'DomainChanged';
}

/** The name belongs to someone. */
export class DomainTaken extends Error {
  override readonly name = 'DomainTaken';
  readonly owner: Domain;

  constructor(owner: Domain) {
    super(`${owner.domain} is a domain of the project ${owner.project}.`);
    this.owner = owner;
  }
}

/** The custom domains, in the table whose layout is in domain-table.ts. Domains are written as nextRevision() gives them. */
export interface DomainStore {
  find(domain: string): Promise<Domain | undefined>;
  listOf(project: string): Promise<Domain[]>;
  all(): Promise<Domain[]>;
  /** Writes the next revision; throws Superseded or DomainChanged when it is not the next any more. */
  save(next: Domain): Promise<void>;
  /** Forgets a domain at the end of its removal; throws Superseded. */
  forget(domain: Domain): Promise<void>;
  /** The write that claims a name; refused with DomainTaken. */
  claim(domain: Domain): Write;
  /** The write of the next revision as part of a transaction; refused as save is. */
  change(next: Domain): Write;
}

export function domainStore(tableName: string): DomainStore {
  const putNext = (next: Domain) => ({
    TableName: tableName,
    Item: domainItem(next),
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': { N: String(next.revision - 1) } },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  });

  return {
    async find(domain) {
      const { Item } = await orUnavailable(
        dynamoDb.send(
          new GetItemCommand({ TableName: tableName, Key: { domain: { S: domain } }, ConsistentRead: true }),
        ),
      );
      return Item && domainFromItem(Item);
    },

    async listOf(project) {
      const { name, partitionKey } = DOMAINS_TABLE.projectIndex;
      const domains: Domain[] = [];
      let ExclusiveStartKey: Item | undefined;
      do {
        const page = await orUnavailable(
          dynamoDb.send(
            new QueryCommand({
              TableName: tableName,
              IndexName: name,
              KeyConditionExpression: '#project = :project',
              ExpressionAttributeNames: { '#project': partitionKey },
              ExpressionAttributeValues: { ':project': { S: project } },
              ExclusiveStartKey,
            }),
          ),
        );
        domains.push(...(page.Items ?? []).map(domainFromItem));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey);
      return domains;
    },

    async all() {
      const items = await scanAll(tableName);
      return items.filter(({ body }) => body !== undefined).map(domainFromItem);
    },

    async save(next) {
      try {
        await orUnavailable(dynamoDb.send(new PutItemCommand(putNext(next))));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const refusal = refusalOf(next, error.Item);
        if (refusal) throw refusal;
      }
    },

    async forget({ domain, attempt }) {
      try {
        await orUnavailable(
          dynamoDb.send(
            new DeleteItemCommand({
              TableName: tableName,
              Key: { domain: { S: domain } },
              ConditionExpression: 'attribute_not_exists(attempt) OR attempt = :attempt',
              ExpressionAttributeValues: { ':attempt': { N: String(attempt) } },
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
          Item: domainItem(domain),
          ConditionExpression: 'attribute_not_exists(attempt)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: (present = {}) => {
        const owner = domainFromItem(present);
        return owner.target === domain.target ? undefined : new DomainTaken(owner);
      },
    }),

    change: next => ({
      item: { Put: putNext(next) },
      refusal: present => refusalOf(next, present),
    }),
  };
}

/** Why a domain could not be written; undefined when what is there is this very write, whose answer was lost. */
function refusalOf(next: Domain, present: Item | undefined): Error | undefined {
  if (present?.body?.S === JSON.stringify(next)) return undefined;
  const owner = present && domainFromItem(present);
  const isSameAttempt = owner?.target === next.target && owner.attempt === next.attempt;
  return isSameAttempt
    ? new DomainChanged(`${next.domain} was changed in the meantime.`)
    : new Superseded(`The attempt ${next.attempt} at ${next.domain} is over.`);
}

function domainItem(domain: Domain): Item {
  return {
    domain: { S: domain.domain },
    project: { S: domain.project },
    attempt: { N: String(domain.attempt) },
    revision: { N: String(domain.revision) },
    body: { S: JSON.stringify(domain) },
  };
}

function domainFromItem({ body }: Item): Domain {
  return Domain.parse(JSON.parse(body?.S ?? 'null'));
}
