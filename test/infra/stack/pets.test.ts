import { expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

test.each(STACKS)('the functions of %s that add or list animals have the same number of shards', stack => {
  const functions = resourcesOf(templateOf(stack), 'AWS::Lambda::Function');
  // The operator function changes animals by id, which contains the shard; it neither adds nor lists any.
  functions.delete('OperatorOperateFunction');
  const petVariables = [...functions.values()]
    .map(({ Properties }) => Properties.Environment?.Variables ?? {})
    .filter(variables => variables.PETS_TABLE);
  expect(new Set(petVariables.map(({ PET_SHARDS }) => PET_SHARDS)).size).toBe(1);
});
