import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { contractChanges } from '../../../../infra/openapi/contract/contract-changes.ts';
import {
  acceptContract,
  contractFaults,
  currentContract,
  releasedContract,
} from '../../../../infra/openapi/contract/released-contract.ts';

/**
 * The gate in front of every release. If this fails, keep the interface compatible, or raise the major version of
 * infra/openapi/document.ts and publish it under a new prefix.
 */
test('clients of the released contract lose nothing', () => {
  const today = new Date().toISOString().slice(0, 10);
  expect(contractChanges(releasedContract(), currentContract(), today)).toEqual([]);
});

describe('the file of the released contract', () => {
  const TODAY = '2026-11-15';
  const folder = mkdtempSync(join(tmpdir(), 'petstore-contract-'));
  const file = join(folder, 'contract.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  const server = { url: 'https://api.example.com/v1' };
  const small = { info: { version: '1.0.0' }, servers: [server] };
  const grown = { info: { version: '1.1.0' }, servers: [server, { url: 'https://eu.example.com/v1' }] };
  beforeEach(() => writeFileSync(file, `${JSON.stringify(small, null, 2)}\n`));

  test('is renewed when the contract has grown', () => {
    expect(contractFaults(small, TODAY, file)).toEqual([]);
    expect(contractFaults(grown, TODAY, file)).toEqual([
      'The contract has grown. Accept it with: npm run contract',
    ]);
    expect(acceptContract(grown, TODAY, file)).toEqual([]);
    expect(releasedContract(file)).toEqual(grown);
    expect(contractFaults(grown, TODAY, file)).toEqual([]);
  });

  test('stays as it is when clients would lose something', () => {
    acceptContract(grown, TODAY, file);
    const before = readFileSync(file, 'utf8');
    const losses = [
      'Clients of the released contract would lose something:',
      'server https://eu.example.com/v1: is removed',
    ];
    expect(acceptContract(small, TODAY, file)).toEqual(losses);
    expect(contractFaults(small, TODAY, file)).toEqual(losses);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
