import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { successorLink } from '../../shared/http/deprecation-headers.ts';
import { operation } from '../../shared/http/operation.ts';
import { json } from '../../shared/http/response.ts';
import { int64FromText } from '../../shared/int64.ts';
import { getPet, PET_NOT_FOUND } from '../../shared/pets/operations.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const pets = petStore(required('PETS_TABLE'), Number(required('PET_SHARDS')));

/** GET /pets/{petId} (getPet, deprecated): one pet, and a link to the list that it is in. */
export const handler = operation(getPet).handler(async event => {
  const petId = int64FromText(event.request.path.petId);
  const pet = petId === undefined ? undefined : await pets.find(petId);
  if (!pet) throw new ApiError('not_found', PET_NOT_FOUND);
  return json(200, pet, successorLink(event, getPet.path, getPet.deprecation, { status: pet.status }));
});
