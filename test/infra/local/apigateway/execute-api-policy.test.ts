import { describe, expect, test } from 'vitest';
import { evaluatePolicy, PolicyDocument } from '../../../../infra/local/apigateway/execute-api-policy.ts';

const ARN = 'arn:aws:execute-api:eu-central-1:000000000000:abcdefghij/test/GET/v1/pets';

const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Action,
  Resource,
});

const NOON = '2025-06-01T12:00:00Z';
const NOON_MS = Date.UTC(2025, 5, 1, 12);

const decide = (...Statement: unknown[]) => evaluatePolicy(PolicyDocument.parse({ Statement }), ARN, NOON_MS);

const conditional = (Condition: unknown, Effect = 'Allow') => ({ ...statement(Effect, '*'), Condition });
const until = (time: unknown) => ({ DateLessThan: { 'aws:CurrentTime': time } });

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
  ])('with a statement for %s decides on it', (_, only, expected) => {
    expect(decide(only)).toBe(expected);
  });

  test('denies when one statement allows and another denies', () => {
    expect(decide(statement('Allow', '*'), statement('Deny', ARN))).toBe('explicit deny');
  });

  test('denies without a statement', () => {
    expect(decide()).toBe('implicit deny');
  });

  test('accepts a single statement without a list', () => {
    expect(evaluatePolicy(PolicyDocument.parse({ Statement: statement('Allow', '*') }), ARN, NOON_MS)).toBe(
      'allow',
    );
  });

  test.each([
    ['an empty Condition', { ...statement('Allow', '*'), Condition: {} }],
    ['another operator', conditional({ StringEquals: { 'aws:CurrentTime': NOON } })],
    ['another key', conditional({ DateLessThan: { 'aws:EpochTime': NOON } })],
    ['another key beside the time', conditional({ DateLessThan: { 'aws:CurrentTime': NOON, 'aws:x': 'y' } })],
    ['another operator beside a date', conditional({ ...until(NOON), IpAddress: { 'aws:SourceIp': '::1' } })],
    ['no key', conditional({ DateLessThan: {} })],
    ['no time', conditional({ DateLessThan: { 'aws:CurrentTime': [] } })],
    ['a malformed time', conditional({ DateLessThan: { 'aws:CurrentTime': 'noon' } })],
    ['a day that does not exist', conditional(until('2025-02-30T00:00:00Z'))],
    ['a time without a zone', conditional(until('2025-06-01T12:00:00'))],
    ['NotResource', { Effect: 'Allow', Action: '*', NotResource: 'x' }],
  ])('with %s is rejected', (_, unknown) => {
    expect(PolicyDocument.safeParse({ Statement: [unknown] }).success).toBe(false);
  });
});

describe('a condition on the current time', () => {
  const BEFORE = '2025-06-01T11:59:59Z';
  const AFTER = '2025-06-01T12:00:01Z';

  test.each([
    ['DateLessThan', [false, false, true]],
    ['DateLessThanEquals', [false, true, true]],
    ['DateGreaterThan', [true, false, false]],
    ['DateGreaterThanEquals', [true, true, false]],
  ])('%s', (operator, expected) => {
    const holds = [BEFORE, NOON, AFTER].map(
      time => decide(conditional({ [operator]: { 'aws:CurrentTime': time } })) === 'allow',
    );
    expect(holds).toEqual(expected);
  });

  test('is met when all of its operators are', () => {
    const from = { DateGreaterThanEquals: { 'aws:CurrentTime': BEFORE } };
    expect(decide(conditional({ ...from, ...until(AFTER) }))).toBe('allow');
    expect(decide(conditional({ ...from, ...until(BEFORE) }))).toBe('implicit deny');
  });

  test('is met when one of several times is', () => {
    expect(decide(conditional(until([BEFORE, AFTER])))).toBe('allow');
  });

  test('respects the zone of a time', () => {
    expect(decide(conditional(until('2025-06-01T14:00:01+02:00')))).toBe('allow');
    expect(decide(conditional(until('2025-06-01T14:00:00+02:00')))).toBe('implicit deny');
  });

  test('with fractions of a second is never met', () => {
    expect(decide(conditional(until('2025-06-01T12:00:00.001Z')))).toBe('implicit deny');
  });

  test('applies to a Deny, too', () => {
    const allowed = statement('Allow', '*');
    expect(decide(allowed, conditional(until(BEFORE), 'Deny'))).toBe('allow');
    expect(decide(allowed, conditional(until(AFTER), 'Deny'))).toBe('explicit deny');
  });
});
