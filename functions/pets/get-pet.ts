import type { APIGatewayProxyEvent } from 'aws-lambda';
import { required } from '../../shared/environment.ts';
import { json } from '../../shared/http/answer.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { operation } from '../../shared/http/operation.ts';
import { calledUrl } from '../../shared/http/urls.ts';
import { int64FromText } from '../../shared/int64.ts';
import { GetPet } from '../../shared/pets/pet.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const pets = petStore(required('PETS_TABLE'), Number(required('PET_SHARDS')));

/** GET /pets/{petId} (getPet, deprecated): one animal. */
export const handler = operation(GetPet, 'pets:read', deprecation).handler(async ({ request: { path } }) => {
  const petId = int64FromText(path.petId);
  const pet = petId === undefined ? undefined : await pets.find(petId);
  if (!pet) throw new ApiError('not_found', 'There is no animal with this id.');
  return json(200, pet);
});

/** RFC 9745, RFC 8594, RFC 8288: deprecated since 5 December 2025, removed five years later, replaced by listPets. */
function deprecation(event: APIGatewayProxyEvent): Record<string, string> {
  const url = calledUrl(event);
  return {
    Deprecation: `@${Date.UTC(2025, 11, 5) / 1000}`,
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: `<${url.slice(0, url.lastIndexOf('/pets') + '/pets'.length)}>; rel="successor-version"`,
  };
}
