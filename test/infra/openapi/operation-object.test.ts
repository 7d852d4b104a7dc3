import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { operationObject } from '../../../infra/openapi/operation-object.ts';
import { PET_TEXTS } from '../../../infra/openapi/pets.ts';
import { listPets } from '../../../shared/pets/operations.ts';

test('a parameter without a description is named', () => {
  const request = z.object({ query: z.object({ microchip: z.optional(z.string()) }) });
  expect(() => operationObject({ ...listPets, request }, PET_TEXTS.listPets)).toThrow(
    'The document does not describe microchip of listPets.',
  );
});
