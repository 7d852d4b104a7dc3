import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areMet, Conditions } from '../../../../infra/local/iam/conditions.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const met = (conditions: unknown, keys: Keys) => areMet(Conditions.parse(conditions), { keys });
const faultsOf = (conditions: unknown) =>
  Conditions.safeParse(conditions).error?.issues.map(({ message }) => message) ?? [];

const TEAM = 'aws:ResourceTag/team';
const TYPES = 'route53:ChangeResourceRecordSetsRecordTypes';
const SOURCE = 'aws:SourceArn';
const TIME = 'aws:CurrentTime';

describe('an operator on a single value', () => {
  test.each([
    ['StringEquals', 'zoo', 'zoo', true],
    ['StringEquals', 'zoo', 'Zoo', false],
    ['StringEquals', 'z*', 'zoo', false],
    ['StringNotEquals', 'zoo', 'farm', true],
    ['StringNotEquals', 'zoo', 'zoo', false],
    ['StringEqualsIgnoreCase', 'zoo', 'ZOO', true],
    ['StringNotEqualsIgnoreCase', 'zoo', 'ZOO', false],
    ['StringLike', 'z*', 'zoo', true],
    ['StringLike', 'z?o', 'zoo', true],
    ['StringLike', 'Z*', 'zoo', false],
    ['StringNotLike', 'z*', 'zoo', false],
    ['StringNotLike', 'z*', 'farm', true],
  ])('%s %s compares with %s', (operator, policy, request, expected) => {
    expect(met({ [operator]: { [TEAM]: policy } }, { [TEAM]: [request] })).toBe(expected);
  });

  test.each([
    ['ArnLike', 'arn:aws:lambda:*:1:function:*', 'arn:aws:lambda:eu-west-1:1:function:a:b', true],
    ['ArnLike', 'arn:aws:*:1:function:a', 'arn:aws:lambda:eu-west-1:1:function:a', false],
    ['ArnEquals', 'arn:aws:lambda:*:1:function:a', 'arn:aws:lambda:eu-west-1:1:function:a', true],
    ['ArnLike', 'arn:aws:lambda:*:1:function:a', 'a', false],
    ['ArnNotLike', 'arn:aws:lambda:*:1:*', 'arn:aws:lambda:eu-west-1:1:function:a', false],
    ['ArnNotEquals', 'arn:aws:lambda:*:2:*', 'arn:aws:lambda:eu-west-1:1:function:a', true],
  ])('%s %s compares the parts of %s', (operator, policy, request, expected) => {
    expect(met({ [operator]: { [SOURCE]: policy } }, { [SOURCE]: [request] })).toBe(expected);
  });

  test.each([
    ['DateLessThan', [true, false, false]],
    ['DateLessThanEquals', [true, true, false]],
    ['DateGreaterThan', [false, false, true]],
    ['DateGreaterThanEquals', [false, true, true]],
  ])('%s compares times', (operator, expected) => {
    const times = ['2025-06-01T11:59:59.500Z', '2025-06-01T12:00:00Z', '2025-06-01T12:00:00.500Z'];
    const condition = { [operator]: { [TIME]: '2025-06-01T12:00:00Z' } };
    expect(times.map(time => met(condition, { [TIME]: [time] }))).toEqual(expected);
  });

  test.each(['DateLessThan', 'DateLessThanEquals', 'DateGreaterThan', 'DateGreaterThanEquals'])(
    '%s is never met by a policy’s time with fractions of a second',
    operator => {
      for (const time of ['2025-06-01T11:00:00Z', '2025-06-01T12:00:00Z', '2025-06-01T13:00:00Z']) {
        expect(met({ [operator]: { [TIME]: '2025-06-01T12:00:00.000Z' } }, { [TIME]: [time] })).toBe(false);
      }
    },
  );

  test.each([
    ['true', 'true', true],
    [true, 'true', true],
    ['false', 'true', false],
  ])('Bool %s compares with %s', (policy, request, expected) => {
    const condition = { Bool: { 'aws:SecureTransport': policy } };
    expect(met(condition, { 'aws:SecureTransport': [request] })).toBe(expected);
  });

  test('is not met by several values of the request', () => {
    expect(met({ StringEquals: { [TEAM]: 'zoo' } }, { [TEAM]: ['zoo', 'zoo'] })).toBe(false);
    expect(met({ StringNotEquals: { [TEAM]: 'farm' } }, { [TEAM]: ['zoo', 'zoo'] })).toBe(false);
  });
});

describe('a key that the request lacks', () => {
  test.each([
    ['StringEquals', false],
    ['StringLike', false],
    ['StringNotEquals', true],
    ['StringNotLike', true],
    ['StringEqualsIfExists', true],
    ['StringLikeIfExists', true],
    ['StringNotEqualsIfExists', true],
    ['ForAllValues:StringEquals', true],
    ['ForAllValues:StringNotEquals', true],
    ['ForAnyValue:StringEquals', false],
    ['ForAnyValue:StringNotEquals', false],
    ['ForAnyValue:StringEqualsIfExists', true],
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
    expect(met({ StringNotEquals: { [TEAM]: ['farm', 'zoo'] } }, { [TEAM]: ['zoo'] })).toBe(false);
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

  test('compare the sources and types of all events of a request', () => {
    const [source, type] = ['events:source', 'events:detail-type'];
    const conditions = {
      'ForAllValues:StringEquals': { [source]: ['petstore.staging'], [type]: ['Fed', 'Sold'] },
      Null: { [source]: 'false', [type]: 'false' },
    };
    const keys = { [source]: ['petstore.staging'], [type]: ['Sold', 'Fed'] };
    expect(met(conditions, keys)).toBe(true);
    expect(met(conditions, { ...keys, [source]: ['petstore.staging', 'petstore.production'] })).toBe(false);
    expect(met(conditions, { ...keys, [type]: ['Fed', 'Lost'] })).toBe(false);
    expect(met(conditions, { [type]: ['Fed'] })).toBe(false);
    expect(faultsOf({ StringEquals: { [source]: 'petstore.staging' } })).toEqual([
      'events:source can have several values: it takes ForAllValues or ForAnyValue',
    ]);
  });

  test('ignore the case of keys', () => {
    expect(met({ StringEquals: { 'AWS:resourcetag/Team': 'zoo' } }, { [TEAM]: ['zoo'] })).toBe(true);
  });

  test('without an operator are met', () => {
    expect(met({}, {})).toBe(true);
  });

  test('compare all values or any of them, as sets do', () => {
    const values = fc.array(fc.constantFrom('A', 'CNAME', 'TXT', 'MX'), { maxLength: 5 });
    fc.assert(
      fc.property(
        values,
        fc.array(fc.constantFrom('A', 'CNAME', 'TXT'), { minLength: 1 }),
        (seen, allowed: string[]) => {
          const keys = { [TYPES]: seen };
          const isAllowed = (type: string) => allowed.includes(type);
          const meets = (operator: string) => met({ [operator]: { [TYPES]: allowed } }, keys);
          expect(meets('ForAllValues:StringEquals')).toBe(seen.every(isAllowed));
          expect(meets('ForAnyValue:StringEquals')).toBe(seen.some(isAllowed));
          expect(meets('ForAllValues:StringNotEquals')).toBe(!seen.some(isAllowed));
          expect(meets('ForAnyValue:StringNotEquals')).toBe(!seen.every(isAllowed));
        },
      ),
    );
  });

  test('with a negated operator are met exactly when the operator itself is not', () => {
    const keys = fc.oneof(fc.constant({}), fc.record({ [TEAM]: fc.tuple(fc.string()) }));
    fc.assert(
      fc.property(keys, fc.array(fc.string(), { minLength: 1 }), (request, policy) => {
        const values = policy.map(value => value.replaceAll('${', ''));
        const meets = (operator: string) => met({ [operator]: { [TEAM]: values } }, request as Keys);
        expect(meets('StringNotEquals')).toBe(!meets('StringEquals'));
        expect(meets('StringNotLike')).toBe(!meets('StringLike'));
      }),
    );
  });
});

describe('a condition is refused', () => {
  test.each([
    ['an unknown operator', { IpAddress: { [TEAM]: 'x' } }, 'the condition operator IpAddress'],
    [
      'an unknown quantifier',
      { 'ForSomeValues:StringEquals': { [TEAM]: 'x' } },
      'ForSomeValues:StringEquals',
    ],
    ['an unknown key', { StringEquals: { 'aws:PrincipalTag/x': 'x' } }, 'aws:PrincipalTag/x'],
    ['NullIfExists', { NullIfExists: { [TEAM]: 'true' } }, 'NullIfExists does not exist'],
    ['an operator of another kind', { DateLessThan: { [TEAM]: '2025-06-01T12:00:00Z' } }, 'a string'],
    [
      'several values without a quantifier',
      { StringEquals: { [TYPES]: 'A' } },
      'ForAllValues or ForAnyValue',
    ],
    ['a policy variable', { StringEquals: { [TEAM]: '$' + '{aws:username}' } }, 'policy variables'],
    ['a time without a zone', { DateLessThan: { [TIME]: '2025-06-01T12:00:00' } }, 'not a time'],
    ['a text in the place of an ARN', { ArnLike: { [SOURCE]: '*' } }, 'not an ARN'],
    ['a Bool that is neither true nor false', { Bool: { 'aws:SecureTransport': 'yes' } }, 'true or false'],
    ['a Null that is neither true nor false', { Null: { [TEAM]: 'yes' } }, 'true or false'],
    ['an operator without a key', { StringEquals: {} }, 'needs a key'],
  ])('for %s', (_, conditions, message) => {
    expect(faultsOf(conditions).join('; ')).toContain(message);
  });
});
