import { describe, expect, test } from 'vitest';
import { acmApi } from '../../acm/acm-service.ts';
import { Certificates } from '../../acm/certificates.ts';
import type { Issuance } from '../../acm/issuance.ts';
import { apiGatewayApi } from '../../apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../apigateway-control/api-keys.ts';
import { DomainNames } from '../../apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../apigateway-control/rest-api-operations.ts';
import type { HttpBinding, Operation } from '../../aws-api/operation.ts';
import { errorNamesOf, type ServiceApi } from '../../aws-api/service-api.ts';
import { type Shapes, shapeFaults } from '../../aws-api/service-model.ts';
import { eventsApi } from '../../events/events-service.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import type { LambdaFunctions } from '../../lambda/functions.ts';
import { lambdaApi } from '../../lambda/lambda-service.ts';
import type { LogGroups } from '../../logs/log-groups.ts';
import { logsApi } from '../../logs/logs-service.ts';
import { HostedZones } from '../../route53/hosted-zones.ts';
import { route53Api } from '../../route53/route53-service.ts';
import { Secrets, secretsManagerApi } from '../../secrets.ts';
import type { Executions } from '../../stepfunctions/executions.ts';
import { stepFunctionsApi } from '../../stepfunctions/step-functions-service.ts';

/** The tables of all services. No operation is performed, so the parts that need a running service are left out. */
const ALL_APIS: readonly ServiceApi[] = [
  acmApi({
    certificates: new Certificates(),
    issuance: {} as Issuance,
    inUseBy: () => [],
    now: Date.now,
  }),
  apiGatewayApi({
    restApis: () => undefined,
    restApiSettings: new RestApiSettings(),
    apiKeys: new ApiKeys(),
    domainNames: new DomainNames(),
    findCertificate: () => undefined,
  }),
  eventsApi({ accept: () => {} }),
  lambdaApi({} as LambdaFunctions, new AsynchronousInvocations(1)),
  logsApi({ logGroups: {} as LogGroups, waitScale: 1, now: Date.now }),
  route53Api({ hostedZones: new HostedZones() }),
  secretsManagerApi(new Secrets()),
  stepFunctionsApi({ executions: {} as Executions }),
];

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

/** A path without the names of its parameters, which differ between models and bindings. */
const pathForm = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}').replace(/\/$/, '');

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

const restOperations = operations.flatMap(([name, api, operation]) => {
  const http: HttpBinding | undefined = Reflect.get(operation, 'http');
  const model = modelOf(api, operation);
  return http === undefined || model === undefined ? [] : [{ name, api, http, model }];
});

test.each(restOperations)('$name has the method, path and status of its model', ({ api, http, model }) => {
  const [method, path = ''] = http.route.split(' ');
  const prefix: string = Reflect.get(api, 'pathPrefix') ?? '';
  expect({ method, path: pathForm(prefix + path), status: http.status ?? 200 }).toEqual({
    method: model.method,
    path: pathForm(model.uri),
    status: model.status,
  });
});

test.each(restOperations)('$name has errors with the status of its model', ({ api, model }) => {
  const { statusByError = {} } = api;
  const listed = [...model.errors].filter(([name, status]) => status && name in statusByError);
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
      Limit: { shape: 'Legs', location: 'querystring' },
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

const check = (value: unknown) => shapeFaults('Pet', value, SHAPES, { isText: false, hasConstraints: true });
const lion = { Name: 'lion' };

test('accepts a value that satisfies every constraint', () => {
  expect(
    check({
      ...lion,
      Kind: 'CAT',
      Legs: 4,
      IsTame: false,
      BornAt: 1_700_000_000.5,
      Friends: [{ Name: 'rex' }],
      Tags: { best: 'DOG' },
      Limit: '7',
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
  ['an invalid time', { ...lion, BornAt: 'once' }, 'BornAt', 'of the type timestamp'],
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

describe('where values are text', () => {
  const checkText = (value: unknown) =>
    shapeFaults('Pet', value, SHAPES, { isText: true, hasConstraints: true });

  test('accepts numbers and flags as text', () => {
    expect(checkText({ ...lion, Legs: '4', IsTame: 'false' })).toEqual([]);
  });

  test.each([
    ['Legs', '9'],
    ['Legs', 'four'],
    ['IsTame', 'yes'],
  ])('rejects %s of %s', (member, value) => {
    expect(checkText({ ...lion, [member]: value })).toMatchObject([{ path: member }]);
  });
});

test('does not check lengths, ranges and patterns of responses, but members, types and sets of values', () => {
  const checkResponse = (value: unknown) =>
    shapeFaults('Pet', value, SHAPES, { isText: false, hasConstraints: false });
  expect(checkResponse({ Name: 'LIONLION', Legs: 9, Friends: [] })).toEqual([]);
  expect(checkResponse({ Name: 7, Kind: 'COW', Wings: 2 }).map(({ path }) => path)).toEqual([
    'Name',
    'Kind',
    'Wings',
  ]);
});

test('accepts nothing but nothing where there is no shape', () => {
  const checkNothing = (value: unknown) =>
    shapeFaults(undefined, value, SHAPES, { isText: false, hasConstraints: false });
  expect(checkNothing(undefined)).toEqual([]);
  expect(checkNothing({})).toEqual([]);
  expect(checkNothing({ Name: 'lion' })).toMatchObject([{ path: 'Name' }]);
});
