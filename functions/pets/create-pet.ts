import { required } from '../../shared/environment.ts';
import { json } from '../../shared/http/answer.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { operation } from '../../shared/http/operation.ts';
import { idempotentPetCreation } from '../../shared/pets/idempotent-creation.ts';
import { createPet } from '../../shared/pets/operations.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const petsTable = required('PETS_TABLE');
const activeShards = Number(required('PET_SHARDS'));
const pets = petStore(petsTable, activeShards);
const idempotentCreation = idempotentPetCreation(
  { pets: petsTable, idempotencyKeys: required('IDEMPOTENCY_KEYS_TABLE') },
  activeShards,
);

/** POST /pets (createPet): adds an animal and answers with it, its new id included. */
export const handler = operation(createPet).handler(async ({ caller, request: { headers, body } }) => {
  const idempotencyKey = headers['Idempotency-Key'];
  if (idempotencyKey === undefined) return json(201, await pets.add(body));

  const creation = await idempotentCreation.create({ caller: caller.keyId, idempotencyKey }, body);
  if (creation.outcome === 'mismatch') throw new ApiError('idempotency_mismatch');
  const replayed = creation.outcome === 'replayed' ? { 'Idempotency-Replayed': 'true' } : undefined;
  return json(201, creation.pet, replayed);
});
