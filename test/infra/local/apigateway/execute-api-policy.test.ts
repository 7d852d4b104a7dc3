import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evaluatePolicy,
  matchesWildcards,
  PolicyDocument,
} from '../../../../infra/local/apigateway/execute-api-policy.ts';

const ARN = 'arn:aws:execute-api:eu-central-1:000000000000:abcdefghij/test/GET/v1/pets';

const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Action,
  Resource,
});

const decide = (...Statement: unknown[]) => evaluatePolicy(PolicyDocument.parse({ Statement }), ARN);

describe('a policy', () => {
  test.each([
    ['the method itself', statement('Allow', ARN), 'allow'],
    ['the whole stage', statement('Allow', ARN.replace('GET/v1/pets', '*/*')), 'allow'],
    ['one of several', statement('Allow', ['arn:other', ARN]), 'allow'],
    ['one character', statement('Allow', ARN.replace('GET', 'G?T')), 'allow'],
    ['all actions', statement('Allow', '*', ['*']), 'allow'],
    ['the action in another case', statement('Allow', '*', 'Execute-API:invoke'), 'allow'],
    ['another action', statement('Allow', '*', 'execute-api:ManageConnections'), 'implicit deny'],
    ['another stage', statement('Allow', ARN.replace('/test/', '/production/')), 'implicit deny'],
    ['another API', statement('Allow', ARN.replace('abcdefghij', 'bbbbbbbbbb')), 'implicit deny'],
    ['a Deny', statement('Deny', '*'), 'explicit deny'],
  ])('of %s', (_, only, expected) => {
    expect(decide(only)).toBe(expected);
  });

  test('a Deny wins over an Allow', () => {
    expect(decide(statement('Allow', '*'), statement('Deny', ARN))).toBe('explicit deny');
  });

  test('no statement denies', () => {
    expect(decide()).toBe('implicit deny');
  });

  test('a single statement needs no list', () => {
    expect(evaluatePolicy(PolicyDocument.parse({ Statement: statement('Allow', '*') }), ARN)).toBe('allow');
  });

  test.each([
    ['Condition', { ...statement('Allow', '*'), Condition: {} }],
    ['NotResource', { Effect: 'Allow', Action: '*', NotResource: 'x' }],
  ])('with %s is not understood', (_, unknown) => {
    expect(PolicyDocument.safeParse({ Statement: [unknown] }).success).toBe(false);
  });
});

test('wildcards match as the regular expression they stand for', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/') });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?') });
  fc.assert(
    fc.property(pattern, text, (written, candidate) => {
      const expression = written.replaceAll('*', '.*').replaceAll('?', '.');
      expect(matchesWildcards(written, candidate)).toBe(new RegExp(`^${expression}$`).test(candidate));
    }),
    { numRuns: 2000 },
  );
});
