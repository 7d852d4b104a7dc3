import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { samplesOf } from '../../../infra/openapi/samples.ts';
import { getPet } from '../../../shared/pets/operations.ts';

const request = z.object({ path: getPet.request.shape.path });

test('samples send the method of the operation, and read no body that is not there', () => {
  const deletion = samplesOf({ ...getPet, method: 'DELETE', success: 204, request }, 'pets.remove(1n)');
  const [curl, fetch, , python] = deletion.map(({ source }) => source);
  expect(curl).toMatch(/^curl -X DELETE -H "Authorization/);
  expect(fetch).toContain("\n  method: 'DELETE',\n");
  expect(fetch).toContain('console.log(response.status);');
  expect(python).toContain('\n    method="DELETE",\n');
  expect(python).toContain('print(response.status)');
  expect(python).toMatch(/^import os, urllib\.request\n/);

  const change = samplesOf({ ...getPet, method: 'PATCH', request }, 'pets.change(1n)', { name: 'Luna' });
  expect(change.map(({ source }) => /-X PATCH|'PATCH'|"PATCH"/.test(source))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
