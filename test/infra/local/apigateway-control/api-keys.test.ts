import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ApiKeys } from '../../../../infra/local/apigateway-control/api-keys.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ADD_API_KEYS = new URL('./add-api-keys.ts', import.meta.url);

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

test('leaves a complete file with every acknowledged key when the process is killed at any moment', async () => {
  const file = join(temporaryFolder(), 'api-gateway-keys.json');
  const created: string[] = [];
  for (const keys of [1, 7, 20, 33]) {
    const child = fork(ADD_API_KEYS, [file], { execArgv: [] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const exited = once(child, 'exit');
    let seen = 0;
    child.on('message', value => {
      created.push(String(value));
      seen++;
      if (seen === keys) child.kill('SIGKILL');
    });
    await exited;
    expect(() => JSON.parse(readFileSync(file, 'utf8'))).not.toThrow();
    const kept = new ApiKeys(file);
    for (const value of created) expect(kept.withValue(value)?.usagePlanIds).toEqual(['plan1']);
  }
  expect(created.length).toBeGreaterThanOrEqual(61);
});
