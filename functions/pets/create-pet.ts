import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { operation } from '../../shared/http/operation.ts';
import { json } from '../../shared/http/response.ts';
import { baseUrl } from '../../shared/http/urls.ts';
import { idempotentPetCreation } from '../../shared/pets/idempotent-creation.ts';
import { createPet } from '../../shared/pets/operations.ts';
import type { Pet } from '../../shared/pets/pet.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const petsTable = required('PETS_TABLE');
const activeShards = Number(required('PET_SHARDS'));
const pets = petStore(petsTable, activeShards);
const idempotentCreation = idempotentPetCreation(
  { pets: petsTable, idempotencyKeys: required('IDEMPOTENCY_KEYS_TABLE') },
  activeShards,
);

/** POST /pets (createPet): adds a pet and returns it with its new id. */
export const handler = operation(createPet).handler(async event => {
  const { caller, request } = event;
  const { headers, body } = request;
  const created = (pet: Pet, more?: Record<string, string>) =>
    json(201, pet, { Location: `${baseUrl(event, createPet.path)}${createPet.path}/${pet.id}`, ...more });
  const idempotencyKey = headers['Idempotency-Key'];
  if (idempotencyKey === undefined) return created(await pets.add(body));

  const creation = await idempotentCreation.create({ caller: caller.lineage, idempotencyKey }, body);
  if (creation.outcome === 'mismatch') throw new ApiError('idempotency_mismatch');
  return created(
    creation.pet,
    creation.outcome === 'replayed' ? { 'Idempotency-Replayed': 'true' } : undefined,
  );
});
