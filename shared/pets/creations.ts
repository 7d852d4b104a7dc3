import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { Unavailable } from '../aws/unavailable.ts';
import type { NewPet, Pet } from './pet.ts';
import { petIds } from './pet-id.ts';
import { newPetItem, petAttributes, petFromItem } from './pet-store.ts';

const KEPT_FOR_SECONDS = 24 * 60 * 60;

/** Whose request it is and the Idempotency-Key it came with. */
export interface RequestIdentity {
  readonly caller: string;
  readonly idempotencyKey: string;
}

export type Creation =
  | { readonly outcome: 'created' | 'replayed'; readonly pet: Pet }
  /** The same key came before with another animal. */
  | { readonly outcome: 'mismatch' };

export interface Creations {
  /** Adds the animal once for this request, however often and from wherever the request is repeated. */
  addOnce(request: RequestIdentity, newPet: NewPet): Promise<Creation>;
}

/** Conflicts with other copies of the request end as soon as one of them is through; this outlasts a dozen. */
const ATTEMPTS = 20;
const LONGEST_WAIT_MS = 100;

/**
 * Remembers for 24 hours what was created for which Idempotency-Key. The animal and the memory of it are written in
 * one transaction, so a crash at any moment leaves both or neither.
 */
export function creations(
  tables: { pets: string; creations: string },
  activeShards: number,
  now: () => number = Date.now,
): Creations {
  const nextId = petIds(activeShards, now);

  return {
    async addOnce({ caller, idempotencyKey }, newPet) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const pet = { id: nextId(), ...newPet };
        const writeToken = randomUUID();
        const nowSeconds = Math.floor(now() / 1000);
        const memory = {
          Item: {
            request: { S: `${caller}#${idempotencyKey}` },
            ...petAttributes(pet),
            writeToken: { S: writeToken },
            expiresAt: { N: String(nowSeconds + KEPT_FOR_SECONDS) },
          },
          // DynamoDB may take days to remove what has expired; until then it counts as gone.
          ConditionExpression: 'attribute_not_exists(expiresAt) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
        };
        const write = new TransactWriteItemsCommand({
          TransactItems: [
            { Put: { TableName: tables.creations, ...memory } },
            { Put: { TableName: tables.pets, ...newPetItem(pet, writeToken) } },
          ],
        });
        try {
          await orUnavailable(dynamoDb.send(write));
          return { outcome: 'created', pet };
        } catch (error) {
          if (!(error instanceof TransactionCanceledException)) throw error;
          const remembered = error.CancellationReasons?.[0]?.Item;
          if (remembered) return earlierCreation(remembered, writeToken, newPet);
          // The id is taken, or another copy of this request is being written right now: come again.
          await pause(Math.random() * LONGEST_WAIT_MS);
        }
      }
      throw new Unavailable('Other requests with this Idempotency-Key kept getting in the way.');
    },
  };
}

function earlierCreation(
  remembered: Record<string, AttributeValue>,
  writeToken: string,
  newPet: NewPet,
): Creation {
  const pet = petFromItem(remembered);
  if (remembered.writeToken?.S === writeToken) return { outcome: 'created', pet };
  const isSameAnimal =
    pet.name === newPet.name && pet.categoryId === newPet.categoryId && pet.status === newPet.status;
  return isSameAnimal ? { outcome: 'replayed', pet } : { outcome: 'mismatch' };
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
