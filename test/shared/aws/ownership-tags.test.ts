import { expect, test } from 'vitest';
import * as tags from '../../../shared/aws/ownership-tags.ts';

test('the tags are those that the resources of earlier deploys have', () => {
  const { domainTagOf: _, ...names } = tags;
  expect(names).toEqual({
    ENVIRONMENT_TAG: 'petstore:environment',
    CLAIM_TAG: 'petstore:claim',
    DOMAIN_TAG: 'petstore:domain',
    KEY_TAG: 'petstore:key',
  });
});
