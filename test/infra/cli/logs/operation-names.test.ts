import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../../../infra/cli/logs/operation-names.ts';
import * as orders from '../../../../shared/orders/operations.ts';
import * as pets from '../../../../shared/pets/operations.ts';

test('the command names the operations that are declared', () => {
  const declared = Object.values({ ...pets, ...orders }).filter(each => typeof each === 'object');
  expect(OPERATION_NAMES).toEqual(
    Object.fromEntries(declared.map(({ method, path, name }) => [`${method} /v1${path}`, name])),
  );
});
