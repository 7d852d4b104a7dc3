import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { describeSchema } from '../../../infra/openapi/describe-schema.ts';

test('a schema that is in two places has one description, and a copy of it another', () => {
  const name = z.string();
  describeSchema(name, { description: 'As sent.' });
  expect(() => describeSchema(name, { description: 'As stored.' })).toThrow(
    'One schema has two descriptions: "As sent." and "As stored.".',
  );
  expect(z.globalRegistry.get(name)).toEqual({ description: 'As sent.' });
  describeSchema(z.clone(name), { description: 'As stored.' });
});
