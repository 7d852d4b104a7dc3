import { expect, test } from 'vitest';
import type { HttpBinding, Operation } from '../../../../infra/local/aws-api/operation.ts';
import type { ServiceApi } from '../../../../infra/local/aws-api/service-api.ts';
import { ALL_APIS } from '../all-apis.ts';

/** Operations that the stored models do not have. Their inputs, outputs and errors are not checked. */
const WITHOUT_MODEL = [
  'ACM GetCertificate',
  'API Gateway GetUsagePlans',
  'API Gateway GetRestApi',
  'API Gateway UpdateRestApi',
  'API Gateway GetStage',
  'API Gateway UpdateStage',
  'API Gateway GetGatewayResponses',
  'Lambda Invoke',
  'Step Functions ListStateMachines',
  'Step Functions DescribeStateMachine',
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
  const listed = [...model.errors].filter(([name, status]) => status && name in api.statusByError);
  expect(listed.length).toBeGreaterThan(0);
  for (const [name, status] of listed) expect(api.statusByError[name], name).toBe(status);
});
