import { required } from '../../shared/environment.ts';
import { operation } from '../../shared/http/operation.ts';
import { pagedList } from '../../shared/http/paged-list.ts';
import { listPets } from '../../shared/pets/operations.ts';
import { petStore } from '../../shared/pets/pet-store.ts';

const pets = petStore(required('PETS_TABLE'), Number(required('PET_SHARDS')));

/** GET /pets (listPets): a page of pets in ascending order of id, with a Link header to the next page. */
export const handler = operation(listPets).handler(pagedList(listPets, required('CURSOR_SECRET'), pets.list));
