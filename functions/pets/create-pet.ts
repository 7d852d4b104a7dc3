import { required } from '../../shared/environment.ts';
import { json } from '../../shared/http/answer.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { operation } from '../../shared/http/operation.ts';
import { creations } from '../../shared/pets/idempotent-creation.ts';
import { CreatePet } from '../../shared/pets/pet.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const petsTable = required('PETS_TABLE');
const activeShards = Number(required('PET_SHARDS'));
const pets = petStore(petsTable, activeShards);
const petCreations = creations({ pets: petsTable, creations: required('CREATIONS_TABLE') }, activeShards);

/** POST /pets (createPet): adds an animal and answers with it, its new id included. */
export const handler = operation(CreatePet, 'pets:write').handler(
  async ({ caller, request: { headers, body } }) => {
    const idempotencyKey = headers['Idempotency-Key'];
    if (idempotencyKey === undefined) return json(201, await pets.add(body));

    const creation = await petCreations.addOnce({ caller: caller.keyId, idempotencyKey }, body);
    if (creation.outcome === 'mismatch') {
      throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used before with another body.');
    }
    const replayed = creation.outcome === 'replayed' ? { 'Idempotency-Replayed': 'true' } : undefined;
    return json(201, creation.pet, replayed);
  },
);
