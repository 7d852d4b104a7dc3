import { describe, expect, test } from 'vitest';
import { areMet, Conditions } from '../../iam/conditions.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const met = (conditions: unknown, keys: Keys) => areMet(Conditions.parse(conditions), { keys });
const faultsOf = (conditions: unknown) =>
  Conditions.safeParse(conditions).error?.issues.map(({ message }) => message) ?? [];

const TEAM = 'aws:ResourceTag/team';
const TYPES = 'route53:ChangeResourceRecordSetsRecordTypes';
const TIME = 'aws:CurrentTime';

describe('an operator on a single value', () => {
  test.each([
    ['StringEquals', 'zoo', 'zoo', true],
    ['StringEquals', 'zoo', 'Zoo', false],
    ['StringEquals', 'z*', 'zoo', false],
    ['StringLike', 'z*', 'zoo', true],
    ['StringLike', 'z?o', 'zoo', true],
    ['StringLike', 'Z*', 'zoo', false],
  ])('%s %s compares with %s', (operator, policy, request, expected) => {
    expect(met({ [operator]: { [TEAM]: policy } }, { [TEAM]: [request] })).toBe(expected);
  });

  test('DateLessThan compares times', () => {
    const times = ['2025-06-01T11:59:59.500Z', '2025-06-01T12:00:00Z', '2025-06-01T12:00:00.500Z'];
    const until = (time: string) =>
      times.map(now => met({ DateLessThan: { [TIME]: time } }, { [TIME]: [now] }));
    expect(until('2025-06-01T12:00:00Z')).toEqual([true, false, false]);
    // A policy's time with fractions of a second is never met.
    expect(until('2025-06-01T12:00:00.000Z')).toEqual([false, false, false]);
  });

  test('is not met by several values of the request', () => {
    expect(met({ StringEquals: { [TEAM]: 'zoo' } }, { [TEAM]: ['zoo', 'zoo'] })).toBe(false);
  });
});

describe('a key that the request lacks', () => {
  test.each([
    ['StringEquals', false],
    ['StringLike', false],
    ['StringEqualsIfExists', true],
    ['StringLikeIfExists', true],
    ['ForAllValues:StringEquals', true],
  ])('meets %s: %s', (operator, expected) => {
    expect(met({ [operator]: { [TEAM]: '*' } }, {})).toBe(expected);
    expect(met({ [operator]: { [TEAM]: '*' } }, { [TEAM]: [] })).toBe(expected);
  });

  test.each([
    ['true', {}, true],
    ['false', {}, false],
    ['true', { [TEAM]: ['zoo'] }, false],
    ['false', { [TEAM]: ['zoo'] }, true],
  ])('is what Null %s asks for: %j', (policy, keys: Keys, expected) => {
    expect(met({ Null: { [TEAM]: policy } }, keys)).toBe(expected);
  });
});

describe('conditions', () => {
  test('IfExists compares a value that is there', () => {
    expect(met({ StringEqualsIfExists: { [TEAM]: 'zoo' } }, { [TEAM]: ['farm'] })).toBe(false);
  });

  test('take several values of a policy as alternatives', () => {
    expect(met({ StringEquals: { [TEAM]: ['farm', 'zoo'] } }, { [TEAM]: ['zoo'] })).toBe(true);
    expect(met({ StringEquals: { [TEAM]: ['farm', 'zoo'] } }, { [TEAM]: ['barn'] })).toBe(false);
  });

  test('are met when every operator and key is', () => {
    const conditions = {
      StringEquals: { [TEAM]: 'zoo', 'acm:ValidationMethod': 'DNS' },
      Null: { 'aws:RequestTag/team': 'true' },
    };
    const keys = { [TEAM]: ['zoo'], 'acm:ValidationMethod': ['DNS'] };
    expect(met(conditions, keys)).toBe(true);
    expect(met(conditions, { ...keys, 'acm:ValidationMethod': ['EMAIL'] })).toBe(false);
    expect(met(conditions, { ...keys, 'aws:RequestTag/team': ['zoo'] })).toBe(false);
  });

  test('ignore the case of keys', () => {
    expect(met({ StringEquals: { 'AWS:resourcetag/Team': 'zoo' } }, { [TEAM]: ['zoo'] })).toBe(true);
  });

  test('without an operator are met', () => {
    expect(met({}, {})).toBe(true);
  });

  test.each([
    [['CNAME'], true],
    [['A', 'CNAME'], true],
    [['A', 'MX'], false],
    [[], true],
  ])('ForAllValues compares every value: %j', (types: string[], expected) => {
    expect(met({ 'ForAllValues:StringEquals': { [TYPES]: ['A', 'CNAME'] } }, { [TYPES]: types })).toBe(
      expected,
    );
  });
});

describe('a condition is refused', () => {
  test.each([
    ['an unknown operator', { IpAddress: { [TEAM]: 'x' } }, 'the condition operator IpAddress'],
    ['another quantifier', { 'ForAnyValue:StringEquals': { [TEAM]: 'x' } }, 'ForAnyValue:StringEquals'],
    ['a negated operator', { StringNotEquals: { [TEAM]: 'x' } }, 'the condition operator StringNotEquals'],
    ['an unknown key', { StringEquals: { 'aws:PrincipalTag/x': 'x' } }, 'aws:PrincipalTag/x'],
    ['NullIfExists', { NullIfExists: { [TEAM]: 'true' } }, 'NullIfExists does not exist'],
    ['an operator of another kind', { DateLessThan: { [TEAM]: '2025-06-01T12:00:00Z' } }, 'a string'],
    ['several values without a quantifier', { StringEquals: { [TYPES]: 'A' } }, 'it takes ForAllValues'],
    ['a policy variable', { StringEquals: { [TEAM]: '$' + '{aws:username}' } }, 'policy variables'],
    ['a time without a zone', { DateLessThan: { [TIME]: '2025-06-01T12:00:00' } }, 'not a time'],
    ['a Null that is neither true nor false', { Null: { [TEAM]: 'yes' } }, 'true or false'],
    ['an operator without a key', { StringEquals: {} }, 'needs a key'],
  ])('for %s', (_, conditions, message) => {
    expect(faultsOf(conditions).join('; ')).toContain(message);
  });
});
