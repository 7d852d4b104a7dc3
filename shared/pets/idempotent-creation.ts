import { randomUUID } from 'node:crypto';
import { type BareWrite, transactBare } from '../aws/bare-transaction.ts';
import { Unavailable } from '../aws/retries.ts';
import type { Write } from '../aws/transaction.ts';
import { MAX_ID_DRAWS, timeIds } from '../time-id.ts';
import type { NewPet, Pet } from './pet.ts';
import { newPetItem } from './pet-store.ts';
import { STORED_PET } from './pet-tables.ts';

export const RETENTION_SECONDS = 24 * 60 * 60;

/** Identifies a request and its repetitions. */
interface RequestIdentity {
  readonly caller: string;
  readonly idempotencyKey: string;
}

type CreationResult =
  | { readonly outcome: 'created' | 'replayed'; readonly pet: Pet }
  /** The caller has used the key before, for another pet. */
  | { readonly outcome: 'mismatch' };

export interface IdempotentPetCreation {
  /** Adds the pet exactly once, however often and wherever the request is repeated. */
  create(request: RequestIdentity, newPet: NewPet): Promise<CreationResult>;
}

/**
 * Records for 24 hours which pet was created for which Idempotency-Key. One transaction writes the pet and the record, so a
 * crash at any moment leaves both or neither. The tables' layouts are in pet-tables.ts. As part of createPet it's on the hot
 * path, so it uses the bare client (dynamodb.ts says what that saves).
 */
export function idempotentPetCreation(
  tables: { pets: string; idempotencyKeys: string },
  activeShards: number,
  now: () => number = Date.now,
): IdempotentPetCreation {
  const nextId = timeIds(activeShards, now);

  return {
    async create({ caller, idempotencyKey }, newPet) {
      for (let draw = 0; draw < MAX_ID_DRAWS; draw += 1) {
        const pet = { id: nextId(), ...newPet };
        const writeToken = randomUUID();
        const request = partitionOf({ caller, idempotencyKey });
        try {
          await transactBare([
            keyRecordWrite(tables.idempotencyKeys, request, pet, writeToken, Math.floor(now() / 1000)),
            petWrite(tables.pets, pet, writeToken),
          ]);
          return { outcome: 'created', pet };
        } catch (error) {
          if (error instanceof KeyUsedBefore) return resultOfRepetition(error.pet, newPet);
          if (!(error instanceof IdTaken)) throw error;
        }
      }
      throw new Unavailable(`Each of ${MAX_ID_DRAWS} ids drawn was taken.`);
    },
  };
}

function partitionOf({ caller, idempotencyKey }: RequestIdentity): string {
  return `${caller}#${idempotencyKey}`;
}

/**
 * Records that a request created a pet, although there is none: if everything else about its writes is right, the tables then
 * refuse that request's pet.
 */
export function usedKeyWrite(table: string, request: RequestIdentity, expiresAtSeconds: number): Write {
  const pet: Pet = { id: 0n, name: 'none', categoryId: 0n, status: 'sold' };
  return {
    item: {
      Put: {
        TableName: table,
        Item: {
          request: partitionOf(request),
          ...pet,
          writeToken: randomUUID(),
          expiresAt: Math.ceil(expiresAtSeconds),
        },
      },
    },
    refusal: () => undefined,
  };
}

/** The caller has used the Idempotency-Key before, and this pet was created for it. */
class KeyUsedBefore extends Error {
  readonly pet: Pet;

  constructor(pet: Pet) {
    super('The Idempotency-Key was used before.');
    this.pet = pet;
  }
}

class IdTaken extends Error {}

function keyRecordWrite(
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
          ...STORED_PET.attributes(pet),
          writeToken: { S: writeToken },
          expiresAt: { N: String(nowSeconds + RETENTION_SECONDS) },
        },
        // DynamoDB may take days to delete an expired record, so the condition ignores expired ones.
        ConditionExpression: 'attribute_not_exists(expiresAt) OR expiresAt <= :now',
        ExpressionAttributeValues: { ':now': { N: String(nowSeconds) } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: present =>
      isOwnWrite(present, writeToken) ? undefined : new KeyUsedBefore(STORED_PET.fromItem(present ?? {})),
  };
}

function petWrite(table: string, pet: Pet, writeToken: string): BareWrite {
  return {
    item: { Put: { TableName: table, ...newPetItem(pet, writeToken) } },
    refusal: present => (isOwnWrite(present, writeToken) ? undefined : new IdTaken()),
  };
}

/** Whether the item was written by an earlier attempt of the same transaction, whose response was lost. */
function isOwnWrite(present: Parameters<BareWrite['refusal']>[0], writeToken: string): boolean {
  return present?.writeToken?.S === writeToken;
}

function resultOfRepetition(pet: Pet, newPet: NewPet): CreationResult {
  const requested: Pet = { ...newPet, id: pet.id };
  const isSamePet = STORED_PET.names.every(name => pet[name] === requested[name]);
  return isSamePet ? { outcome: 'replayed', pet } : { outcome: 'mismatch' };
}
