import { expect, inject, test } from 'vitest';
import { readCloudAssembly } from '../../../../infra/local/cloudformation/cloud-assembly.ts';
import { RESOURCE_TYPES } from '../../../../infra/local/cloudformation/resource-types.ts';

test('the table lists the resource types of the synthesized stacks and no other', () => {
  const { stacks } = readCloudAssembly(inject('assembly'));
  const declared = stacks.flatMap(({ template }) =>
    Object.values(template.Resources).map(({ Type }) => Type),
  );
  expect(Object.keys(RESOURCE_TYPES)).toEqual([...new Set(declared)].sort());
});
