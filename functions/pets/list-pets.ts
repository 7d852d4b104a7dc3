import { required } from '../../shared/environment.ts';
import { operation } from '../../shared/http/operation.ts';
import { pagedList } from '../../shared/http/paged-list.ts';
import { ListPets } from '../../shared/pets/pet.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const pets = petStore(required('PETS_TABLE'), Number(required('PET_SHARDS')));

/** GET /pets (listPets): a page of animals in ascending order of id; a Link header leads to the next one. */
export const handler = operation(ListPets, 'pets:read').handler(
  pagedList('listPets', required('CURSOR_SECRET'), pets.list),
);
