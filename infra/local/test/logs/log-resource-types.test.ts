import { expect, test } from 'vitest';
import { queryDefinitionType } from '../../logs/log-resource-types.ts';

const QUERY = { Name: 'petstore-staging/slow requests', QueryString: 'fields @message' };
const isAccepted = (properties: object) =>
  queryDefinitionType.properties.safeParse({ ...QUERY, ...properties }).success;

test('a saved query is accepted, for at most 50 log groups', () => {
  const groups = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`);
  expect(isAccepted({ LogGroupNames: groups(50) })).toBe(true);
  expect(isAccepted({ LogGroupNames: groups(51) })).toBe(false);
});

test('a saved query with an unknown property is refused', () => {
  expect(isAccepted({ Language: 'SQL' })).toBe(false);
});
