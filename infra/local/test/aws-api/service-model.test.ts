import { expect, test } from 'vitest';
import type { Operation } from '../../aws-api/operation.ts';
import { errorNamesOf, type ServiceApi } from '../../aws-api/service-api.ts';
import { type OperationModel, type Shapes, shapeFaults } from '../../aws-api/service-model.ts';
import { ALL_APIS } from './all-apis.ts';

/** Operations that the stored models do not have. Their inputs, outputs and errors are not checked. */
const WITHOUT_MODEL = [
  'API Gateway GetUsagePlans',
  'API Gateway GetRestApi',
  'API Gateway UpdateRestApi',
  'API Gateway GetStage',
  'API Gateway UpdateStage',
  'API Gateway GetGatewayResponses',
  'API Gateway GetAuthorizers',
  'Lambda Invoke',
  'Step Functions ListStateMachines',
];

const operations = ALL_APIS.flatMap(api =>
  api.operations.map(operation => [`${api.title} ${operation.name}`, api, operation] as const),
);

const modelOf = (api: ServiceApi, operation: Operation) => api.model?.().operation(operation.name);

test('every operation has a model but the listed ones', () => {
  const without = operations.filter(([, api, operation]) => modelOf(api, operation) === undefined);
  expect(without.map(([name]) => name)).toEqual(WITHOUT_MODEL);
});

test.each(ALL_APIS.filter(({ statusByError }) => statusByError).map(api => [api.title, api] as const))(
  'the errors that the dispatcher sends for %s have an HTTP status',
  (_, api) => {
    for (const name of Object.values(errorNamesOf(api))) expect(api.statusByError).toHaveProperty(name);
  },
);

const withStatuses = operations.filter(([, api, operation]) => api.statusByError && modelOf(api, operation));

test.each(withStatuses)('%s has errors with the status of its model', (_, api, operation) => {
  const { statusByError = {} } = api;
  const { errors } = modelOf(api, operation) as OperationModel;
  const listed = [...errors].filter(([name, status]) => status && name in statusByError);
  expect(listed.length).toBeGreaterThan(0);
  for (const [name, status] of listed) expect(statusByError[name], name).toBe(status);
});

const SHAPES: Shapes = {
  Pet: {
    type: 'structure',
    required: ['Name'],
    members: {
      Name: { shape: 'Name' },
      Kind: { shape: 'Kind' },
      Legs: { shape: 'Legs' },
      IsTame: { shape: 'Flag' },
      BornAt: { shape: 'Time' },
      Friends: { shape: 'Friends' },
      Tags: { shape: 'Tags' },
    },
  },
  Name: { type: 'string', min: 2, max: 5, pattern: '[a-z]+' },
  Kind: { type: 'string', enum: ['CAT', 'DOG'] },
  Legs: { type: 'integer', min: 0, max: 8 },
  Flag: { type: 'boolean' },
  Time: { type: 'timestamp' },
  Friends: { type: 'list', min: 1, member: { shape: 'Pet' } },
  Tags: { type: 'map', key: { shape: 'Name' }, value: { shape: 'Kind' } },
};

const check = (value: unknown) => shapeFaults('Pet', value, SHAPES, { hasConstraints: true });
const lion = { Name: 'lion' };

test('accepts a value that satisfies every constraint', () => {
  expect(
    check({
      ...lion,
      Kind: 'CAT',
      Legs: 4,
      IsTame: false,
      BornAt: new Date(1_700_000_000_500),
      Friends: [{ Name: 'rex' }],
      Tags: { best: 'DOG' },
    }),
  ).toEqual([]);
});

test.each([
  ['a missing required member', {}, 'Name', 'must not be null'],
  ['an unknown member', { ...lion, Wings: 2 }, 'Wings', 'is unknown'],
  ['a text that is too short', { Name: 'l' }, 'Name', 'length greater than or equal to 2'],
  ['a text that is too long', { Name: 'lionlion' }, 'Name', 'length less than or equal to 5'],
  ['a text that matches in part only', { Name: 'li0n' }, 'Name', 'regular expression pattern: [a-z]+'],
  ['a value that is not in the set', { ...lion, Kind: 'COW' }, 'Kind', 'enum value set: [CAT, DOG]'],
  ['a number that is too large', { ...lion, Legs: 9 }, 'Legs', 'value less than or equal to 8'],
  ['a number that is too small', { ...lion, Legs: -1 }, 'Legs', 'value greater than or equal to 0'],
  ['a number written as text', { ...lion, Legs: '4' }, 'Legs', 'of the type integer'],
  ['a flag written as text', { ...lion, IsTame: 'true' }, 'IsTame', 'of the type boolean'],
  ['an invalid time', { ...lion, BornAt: new Date(Number.NaN) }, 'BornAt', 'of the type timestamp'],
  ['a time that was not read', { ...lion, BornAt: 'once' }, 'BornAt', 'of the type timestamp'],
  ['an empty list', { ...lion, Friends: [] }, 'Friends', 'length greater than or equal to 1'],
  ['no list', { ...lion, Friends: lion }, 'Friends', 'must be a list'],
  ['a fault within a list', { ...lion, Friends: [lion, {}] }, 'Friends.1.Name', 'must not be null'],
  ['a fault in a key', { ...lion, Tags: { x: 'DOG' } }, 'Tags.x', 'length greater than or equal to 2'],
  ['a fault in a value', { ...lion, Tags: { best: 'COW' } }, 'Tags.best', 'enum value set'],
  ['no object', { ...lion, Tags: 'DOG' }, 'Tags', 'must be an object'],
])('rejects %s', (_, value, path, message) => {
  expect(check(value)).toEqual([{ path, message: expect.stringContaining(message) }]);
});

test('reports every fault', () => {
  expect(check({ Kind: 'COW', Legs: 9 }).map(({ path }) => path)).toEqual(['Name', 'Kind', 'Legs']);
});

test('does not check lengths, ranges and patterns of responses, but members, types and sets of values', () => {
  const checkResponse = (value: unknown) => shapeFaults('Pet', value, SHAPES, { hasConstraints: false });
  expect(checkResponse({ Name: 'LIONLION', Legs: 9, Friends: [] })).toEqual([]);
  expect(checkResponse({ Name: 7, Kind: 'COW', Wings: 2 }).map(({ path }) => path)).toEqual([
    'Name',
    'Kind',
    'Wings',
  ]);
});

test('accepts nothing but nothing where there is no shape', () => {
  const checkNothing = (value: unknown) => shapeFaults(undefined, value, SHAPES, { hasConstraints: false });
  expect(checkNothing(undefined)).toEqual([]);
  expect(checkNothing({})).toEqual([]);
  expect(checkNothing({ Name: 'lion' })).toMatchObject([{ path: 'Name' }]);
});
