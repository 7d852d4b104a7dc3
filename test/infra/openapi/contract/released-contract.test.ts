import { expect, test } from 'vitest';
import { contractChanges } from '../../../../infra/openapi/contract/contract-changes.ts';
import { currentContract, releasedContract } from '../../../../infra/openapi/contract/released-contract.ts';

/**
 * The gate in front of every release. If this fails, keep the interface compatible, or raise the major version of
 * infra/openapi/document.ts and publish it under a new prefix.
 */
test('clients of the released contract lose nothing', () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(contractChanges(releasedContract(), currentContract(), today)).toEqual([]);
});
