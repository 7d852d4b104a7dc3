import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import type { Item, Write } from '../aws/transaction.ts';
import { Domain } from './domain.ts';
import { DOMAINS_TABLE } from './domain-table.ts';

/** Another attempt has begun, or the domain is gone: what was done for this one no longer counts. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The name belongs to someone. */
export class DomainTaken extends Error {
  override readonly name = 'DomainTaken';
  readonly owner: string;

  constructor(domain: string, owner: string) {
    super(`${domain} is a domain of the project ${owner} already.`);
    this.owner = owner;
  }
}

/** The custom domains, in the table whose layout is in domain-table.ts. */
export interface DomainStore {
  find(domain: string): Promise<Domain | undefined>;
  listOf(project: string): Promise<Domain[]>;
  /** Writes what a step of an attempt found; throws Superseded when the attempt is no longer the domain's. */
  save(domain: Domain): Promise<void>;
  /** Forgets a domain at the end of its removal. */
  forget(domain: Domain): Promise<void>;
  /** The write that claims a name; refused with DomainTaken. */
  claim(domain: Domain): Write;
  /** The write of an operator's change; refused with Superseded when something else changed since it was read. */
  change(before: Domain, after: Domain): Write;
  /** Milliseconds to wait for the next call of the kind that is limited to one in 30 s; 0 takes the slot. */
  takeSlot(nowMs: number): Promise<number>;
}

/** API Gateway takes one change of a domain name in 30 s per account; the rest allows for clocks that differ. */
const SLOT_MS = 31_000;

export function domainStore(tableName: string): DomainStore {
  const isAttempt = (attempt: number) => ({
    ConditionExpression: 'attempt = :attempt',
    ExpressionAttributeValues: { ':attempt': { N: String(attempt) } },
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

    async save(domain) {
      await fenced(
        domain,
        new PutItemCommand({ TableName: tableName, Item: domainItem(domain), ...isAttempt(domain.attempt) }),
      );
    },

    async forget(domain) {
      const Key = { domain: { S: domain.domain } };
      await fenced(
        domain,
        new DeleteItemCommand({ TableName: tableName, Key, ...isAttempt(domain.attempt) }),
      );
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
        return owner.challenge === domain.challenge
          ? undefined
          : new DomainTaken(domain.domain, owner.project);
      },
    }),

    change: (before, after) => ({
      item: {
        Put: {
          TableName: tableName,
          Item: domainItem(after),
          ConditionExpression: 'attempt = :attempt AND body = :body',
          ExpressionAttributeValues: {
            ':attempt': { N: String(before.attempt) },
            ':body': { S: JSON.stringify(before) },
          },
        },
      },
      refusal: () => new Superseded(`${before.domain} has changed in the meantime. Look again.`),
    }),

    async takeSlot(nowMs) {
      const update = new UpdateItemCommand({
        TableName: tableName,
        Key: { domain: { S: '#pacing' } },
        UpdateExpression: 'SET nextSlotMs = :next',
        ConditionExpression: 'attribute_not_exists(nextSlotMs) OR nextSlotMs <= :now',
        ExpressionAttributeValues: { ':now': { N: String(nowMs) }, ':next': { N: String(nowMs + SLOT_MS) } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      try {
        await orUnavailable(dynamoDb.send(update));
        return 0;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return Number(error.Item?.nextSlotMs?.N ?? nowMs) - nowMs;
      }
    },
  };
}

async function fenced(domain: Domain, command: PutItemCommand | DeleteItemCommand): Promise<void> {
  try {
    await orUnavailable(dynamoDb.send(command as PutItemCommand));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new Superseded(`The attempt ${domain.attempt} at ${domain.domain} is over.`, { cause: error });
  }
}

function domainItem(domain: Domain): Item {
  return {
    domain: { S: domain.domain },
    project: { S: domain.project },
    attempt: { N: String(domain.attempt) },
    body: { S: JSON.stringify(domain) },
  };
}

function domainFromItem({ body }: Item): Domain {
  return Domain.parse(JSON.parse(body?.S ?? 'null'));
}
