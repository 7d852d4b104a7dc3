import { expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../../../../infra/cli/environment/logs/operation-names.ts';
import { DECLARED_OPERATIONS } from '../../../../shared/declared-operations.ts';

test('the command names the operations that are declared', () => {
  expect(OPERATION_NAMES).toEqual(
    Object.fromEntries(DECLARED_OPERATIONS.map(({ method, path, name }) => [`${method} /v1${path}`, name])),
  );
});
