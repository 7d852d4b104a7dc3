import { required } from '../../shared/environment.ts';
import { json } from '../../shared/http/answer.ts';
import { cursors } from '../../shared/http/cursor.ts';
import { ApiError } from '../../shared/http/errors.ts';
import { operation } from '../../shared/http/operation.ts';
import { calledUrl } from '../../shared/http/urls.ts';
import { ListPets } from '../../shared/pets/pet.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const pets = petStore(required('PETS_TABLE'), Number(required('PET_SHARDS')));
const petCursors = cursors(required('CURSOR_SECRET'), 'listPets');

/** GET /pets (listPets): a page of animals in ascending order of id; a Link header leads to the next one. */
export const handler = operation(ListPets, 'pets:read').handler(async event => {
  const { limit, status, cursor } = event.request.query;
  const after = cursor === undefined ? undefined : petCursors.open(cursor, status);
  if (cursor !== undefined && after === undefined) {
    throw new ApiError('invalid_cursor', 'cursor is not one that this service gave for this list');
  }
  const page = await pets.list({ limit, status, after });
  const last = page.pets.at(-1);
  if (!page.hasMore || !last) return json(200, page.pets);

  const query = new URLSearchParams({ limit: String(limit), ...(status && { status }) });
  query.set('cursor', petCursors.after(last.id, status));
  return json(200, page.pets, { Link: `<${calledUrl(event)}?${query}>; rel="next"` });
});
