import { describe, expect, test } from 'vitest';
import {
  API_ID,
  api,
  FUNCTION_ARN,
  gatewayResponse,
  method,
  onePet,
  proxyTo,
  resource,
  returns,
  serve,
} from '../../testing/served-api.ts';

describe('two APIs on one port', () => {
  const production = { stack: 'Petstore-Production' };
  const other = [
    ...api({ StageName: 'production' }, 'bbbbbbbbbb'),
    resource('Method', 'ProductionRoot', {
      RestApiId: 'bbbbbbbbbb',
      ResourceId: 'bbbbbbbbbb-root',
      HttpMethod: 'GET',
      AuthorizationType: 'NONE',
      Integration: proxyTo(`${FUNCTION_ARN}-Production`),
    }),
  ].map(declared => ({ ...declared, ...production }));

  test('200: are selected by the stage name', async () => {
    const served = await serve([...api(), method('root', 'GET'), ...other], ({ functionArn }) =>
      returns({ statusCode: 200, body: functionArn }),
    );
    expect(served.apis.stages.get('test')?.apiId).toBe(API_ID);
    expect(served.apis.stages.get('production')?.apiId).toBe('bbbbbbbbbb');
    expect((await served.send('/test')).body).toBe(FUNCTION_ARN);
    expect((await served.send('/production/')).body).toBe(`${FUNCTION_ARN}-Production`);
  });

  test('403: have no such stage', async () => {
    const served = await serve(api());
    for (const target of ['/', '//', '/staging/v1/pets']) {
      expect(await served.send(target)).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
    }
  });

  test('cannot have the same stage name', async () => {
    await expect(serve([...api(), ...api({}, 'bbbbbbbbbb')])).rejects.toThrow(
      'Petstore-Test, Stagebbbbbbbbbb (AWS::ApiGateway::Stage): another API already has a stage test',
    );
  });
});

describe('a request', () => {
  test.each([
    ['to an unknown path', '/test/nowhere', 'GET'],
    ['to a path with one segment too many', '/test/pets/7/toys', 'GET'],
    ['to a resource without methods', '/test/pets', 'GET'],
    ['with another method', '/test/pets/7', 'DELETE'],
  ])('403: %s', async (_, target, httpMethod) => {
    const served = await serve([...api(), ...onePet()]);
    expect(await served.send(target, { method: httpMethod })).toMatchObject({
      status: 403,
      body: '{"message":"Missing Authentication Token"}',
    });
  });

  test.each([
    ['Bearer abc', '/test/nowhere', 'GET'],
    ['Basic YTpi', '/test/pets', 'GET'],
    ['', '/test/pets/7', 'DELETE'],
  ])(
    '403: is taken for a wrong signature with the Authorization "%s" where no method matches',
    async (value, target, httpMethod) => {
      const served = await serve([...api(), ...onePet()]);
      const headers = ['Authorization', value];
      expect(await served.send(target, { method: httpMethod, headers })).toMatchObject({
        status: 403,
        body: `{"message":"'${value}' not a valid key=value pair (missing equal-sign) in Authorization header."}`,
      });
      expect((await served.send('/test/pets/7', { headers })).status).toBe(200);
    },
  );

  test('200: may have a trailing slash', async () => {
    const served = await serve([...api(), ...onePet()]);
    expect((await served.send('/test/pets/7/')).status).toBe(200);
  });

  test('200: may hold a malformed escape, which the function gets as it is', async () => {
    const served = await serve([...api(), ...onePet()]);
    expect((await served.send('/test/pets/%')).status).toBe(200);
    expect(served.invocations).toMatchObject([{ event: { pathParameters: { petId: '%' } } }]);
  });

  test('400: has a malformed query', async () => {
    const custom = gatewayResponse('DEFAULT_4XX', {
      StatusCode: '400',
      ResponseTemplates: { 'application/json': '{"code":"invalid_request","status":400}' },
    });
    const served = await serve([...api(), ...onePet(), custom]);
    expect(await served.send('/test/pets/7?a=%f')).toMatchObject({
      status: 400,
      body: '{"code":"invalid_request","status":400}',
    });
    expect(served.invocations).toEqual([]);
  });
});

test('200: an access log that cannot be written does not affect the response', async () => {
  const warned = new Promise(resolve => process.once('warning', resolve));
  const setting = { AccessLogSetting: { DestinationArn: 'arn', Format: '$context.requestId' } };
  const served = await serve([...api(setting), ...onePet()]);
  served.logLines.push = () => {
    throw new Error('disk full');
  };
  expect((await served.send('/test/pets/7')).status).toBe(200);
  expect(await warned).toMatchObject({ message: 'disk full' });
});
