import { randomUUID } from 'node:crypto';
import { type BareWrite, transactBare } from '../aws/bare-transaction.ts';
import { Unavailable } from '../aws/unavailable.ts';
import type { NewPet, Pet } from './pet.ts';
import { MAX_ID_DRAWS, petIds } from './pet-id.ts';
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

/**
 * Remembers for 24 hours what was created for which Idempotency-Key. The animal and the memory of it are written in
 * one transaction, so a crash at any moment leaves both or neither. It is part of createPet and so of the hot path, and
 * uses the bare client (dynamodb.ts says what that saves).
 */
export function creations(
  tables: { pets: string; creations: string },
  activeShards: number,
  now: () => number = Date.now,
): Creations {
  const nextId = petIds(activeShards, now);

  return {
    async addOnce({ caller, idempotencyKey }, newPet) {
      for (let draw = 0; draw < MAX_ID_DRAWS; draw += 1) {
        const pet = { id: nextId(), ...newPet };
        const writeToken = randomUUID();
        const request = `${caller}#${idempotencyKey}`;
        try {
          await transactBare([
            memoryWrite(tables.creations, request, pet, writeToken, Math.floor(now() / 1000)),
            petWrite(tables.pets, pet, writeToken),
          ]);
          return { outcome: 'created', pet };
        } catch (error) {
          if (error instanceof Remembered) return earlierCreation(error.pet, newPet);
          if (!(error instanceof IdTaken)) throw error;
        }
      }
      throw new Unavailable(`Each of ${MAX_ID_DRAWS} ids drawn was taken.`);
    },
  };
}

/** The request came before, and this is what was created for it. */
class Remembered extends Error {
  readonly pet: Pet;

  constructor(pet: Pet) {
    super('The request came before.');
    this.pet = pet;
  }
}

class IdTaken extends Error {}

function memoryWrite(
  table: string,
  request: string,
  pet: Pet,
  writeToken: string,
  nowSeconds: number,
): BareWrite {
  return {
    item: {
      Put: {
        TableName: table,
        Item: {
          request: { S: request },
          ...petAttributes(pet),
          writeToken: { S: writeToken },
          expiresAt: { N: String(nowSeconds + KEPT_FOR_SECONDS) },
        },
        // DynamoDB may take days to remove what has expired; until then it counts as gone.
        ConditionExpression: 'attribute_not_exists(expiresAt) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: present =>
      isOurs(present, writeToken) ? undefined : new Remembered(petFromItem(present ?? {})),
  };
}

function petWrite(table: string, pet: Pet, writeToken: string): BareWrite {
  return {
    item: { Put: { TableName: table, ...newPetItem(pet, writeToken) } },
    refusal: present => (isOurs(present, writeToken) ? undefined : new IdTaken()),
  };
}

function isOurs(present: Parameters<BareWrite['refusal']>[0], writeToken: string): boolean {
  return present?.writeToken?.S === writeToken;
}

function earlierCreation(pet: Pet, newPet: NewPet): Creation {
  const isSameAnimal =
    pet.name === newPet.name && pet.categoryId === newPet.categoryId && pet.status === newPet.status;
  return isSameAnimal ? { outcome: 'replayed', pet } : { outcome: 'mismatch' };
}
