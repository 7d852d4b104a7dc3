import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiKeys } from '../../apigateway-control/api-keys.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const newKey = (value: string) => ({ value, name: value, enabled: true, createdDate: 1, lastUpdatedDate: 1 });

test('keeps keys and their memberships over a restart', () => {
  const file = join(temporaryFolder(), 'api-gateway-keys.json');
  const before = new ApiKeys(file);
  const { id } = before.add(newKey('lion'));
  before.addToPlan(id, 'plan1');
  before.addToPlan(id, 'plan2');
  before.remove(before.add(newKey('zebra')).id);
  const after = new ApiKeys(file);
  expect(after.list()).toEqual([{ ...newKey('lion'), id, usagePlanIds: ['plan1', 'plan2'] }]);
  expect(after.withValue('lion')).toEqual(after.find(id));
});

test('the data plane knows a member of a usage plan 2 s after it was added, scaled', () => {
  let nowMs = 1000;
  const apiKeys = new ApiKeys(undefined, { waitScale: 0.5, now: () => nowMs });
  const { id } = apiKeys.add(newKey('lion'));
  apiKeys.addToPlan(id, 'plan1');
  nowMs = 1999;
  apiKeys.addToPlan(id, 'plan2');
  expect(apiKeys.effectiveWithValue('lion')?.usagePlanIds).toEqual([]);
  nowMs = 2000;
  expect(apiKeys.effectiveWithValue('lion')?.usagePlanIds).toEqual(['plan1']);
  expect(apiKeys.find(id)?.usagePlanIds).toEqual(['plan1', 'plan2']);
  nowMs = 2999;
  expect(apiKeys.effectiveWithValue('lion')).toEqual(apiKeys.find(id));
  expect(apiKeys.effectiveWithValue('zebra')).toBeUndefined();
});

test('does not apply a change that cannot be written', () => {
  const apiKeys = new ApiKeys(join(temporaryFolder(), 'no-such-folder', 'api-gateway-keys.json'));
  expect(() => apiKeys.add(newKey('lion'))).toThrow('ENOENT');
  expect(apiKeys.withValue('lion')).toBeUndefined();
});
