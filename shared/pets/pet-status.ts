import type { Write } from '../aws/transaction.ts';
import { shardOf } from '../time-id.ts';
import type { PetStatus } from './pet.ts';
import { indexAttributes } from './pet-tables.ts';

/** The pet has another status than the change starts from, or there is no such pet. */
export class PetNotAsExpected extends Error {
  override readonly name = 'PetNotAsExpected';
  readonly isUnknown: boolean;

  constructor(petId: bigint, present: unknown, expected: PetStatus) {
    const isUnknown = present === undefined;
    super(isUnknown ? `Pet ${petId} doesn't exist.` : `Pet ${petId} is ${present}, not ${expected}.`);
    this.isUnknown = isUnknown;
  }
}

/** Changes of pets that are committed together with other writes, in one transaction. */
export interface PetStatusChanges {
  /** The write that gives a pet another status; refused with PetNotAsExpected. */
  statusChange(petId: bigint, from: PetStatus, to: PetStatus): Write;
}

export function petStatusChanges(tableName: string): PetStatusChanges {
  return {
    statusChange(petId, from, to) {
      const shard = shardOf(petId);
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { shard, id: petId },
            UpdateExpression: 'SET #status = :to, statusShard = :toShard',
            ConditionExpression: '#status = :from',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':from': from,
              ':to': to,
              ':toShard': indexAttributes({ status: to }, shard).statusShard?.S,
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present => new PetNotAsExpected(petId, present?.status, from),
      };
    },
  };
}
