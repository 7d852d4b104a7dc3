import { expect, test } from 'vitest';
import { readCloudAssembly } from '../../../infra/local/cloudformation/cloud-assembly.ts';
import { RESOURCE_TYPES } from '../../../infra/local/resource-types.ts';
import { watchedStacks } from './other-environments/assembly.ts';

/** The types that a stack has with some settings only: webAclArn, requestsPerAddress. */
const WITH_SETTINGS = ['AWS::WAFv2::WebACL', 'AWS::WAFv2::WebACLAssociation'];

test('the table lists the resource types of the synthesized stacks and no other', () => {
  const { stacks } = readCloudAssembly(watchedStacks());
  const declared = stacks.flatMap(({ template }) =>
    Object.values(template.Resources).map(({ Type }) => Type),
  );
  expect(new Set(Object.keys(RESOURCE_TYPES))).toEqual(new Set([...declared, ...WITH_SETTINGS]));
});
