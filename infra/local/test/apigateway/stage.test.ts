import { expect, test } from 'vitest';
import {
  API_ID,
  AUTHORIZER_ARN,
  api,
  authorizer,
  LOG_GROUP_ARN,
  method,
  onePet,
  returns,
  serve,
  throws,
} from '../../testing/served-api.ts';

const logged = (Format: string) => api({ AccessLogSetting: { DestinationArn: LOG_GROUP_ARN, Format } });
const authorized = [authorizer(), ...onePet({ AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1' })];
const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
const WITH_KEY = { headers: ['Authorization', 'x'] };

test('200: writes one line in the format of the stage', async () => {
  const format =
    '$context.apiId $context.stage $context.httpMethod $context.path $context.resourcePath $context.protocol ' +
    '$context.status $context.responseLength [$context.requestTime] $context.identity.sourceIp ' +
    '"$context.identity.userAgent" $context.identity.caller $context.error.message $context.domainName ' +
    '$context.integration.status $context.integrationLatency $context.responseLatency';
  const served = await serve([...logged(format), ...onePet()], () => {
    served.nowMs += 12;
    return returns({ statusCode: 201, body: 'häuser' });
  });
  await served.send('/test/pets/7', { headers: ['User-Agent', 'curl/8'] });
  expect(served.logLines).toEqual([
    `${LOG_GROUP_ARN} ${API_ID} test GET /test/pets/7 /pets/{petId} HTTP/1.1 ` +
      `201 7 [02/Jan/2025:03:04:05 +0000] 127.0.0.1 "curl/8" - - 127.0.0.1:${served.port} 201 12 12`,
  ]);
});

test('200: writes ids, client and authorizer context, without line breaks', async () => {
  const format =
    '$context.requestId $context.extendedRequestId $context.authorizer.principalId $context.authorizer.no';
  const served = await serve([...logged(format), ...authorized], ({ functionArn }) =>
    functionArn === AUTHORIZER_ARN
      ? returns({ principalId: 'key\n1', policyDocument })
      : returns({ statusCode: 200 }),
  );
  const { headers } = await served.send('/test/pets/7', WITH_KEY);
  const ids = `${headers['x-amzn-requestid']} ${headers['x-amz-apigw-id']}`;
  expect(served.logLines).toEqual([`${LOG_GROUP_ARN} ${ids} key 1 -`]);
});

test('200: writes the ids of the invocations of the function and its authorizer', async () => {
  const format = '$context.integration.requestId $context.authorizer.requestId';
  const served = await serve([...logged(format), ...authorized], ({ functionArn }) =>
    functionArn === AUTHORIZER_ARN
      ? { ...returns({ principalId: 'key_1', policyDocument }), requestId: 'authorization' }
      : { ...returns({ statusCode: 200 }), requestId: 'invocation' },
  );
  await served.send('/test/pets/7', WITH_KEY);
  await served.send('/test/pets/7', WITH_KEY);
  expect(served.logLines).toEqual([
    `${LOG_GROUP_ARN} invocation authorization`,
    // The second response of the authorizer is cached.
    `${LOG_GROUP_ARN} invocation -`,
  ]);
});

test('403, 502: writes the fault', async () => {
  const format =
    '$context.status $context.error.responseType $context.error.message $context.integrationErrorMessage';
  const served = await serve([...logged(format), ...onePet()], () => throws('out of food'));
  await served.send('/test/nowhere');
  await served.send('/test/pets/7');
  expect(served.logLines).toEqual([
    `${LOG_GROUP_ARN} 403 MISSING_AUTHENTICATION_TOKEN Missing Authentication Token -`,
    `${LOG_GROUP_ARN} 502 DEFAULT_5XX Internal server error out of food`,
  ]);
});

test('500: writes the error of the authorizer, which the client does not see', async () => {
  const format = '$context.requestId $context.authorizer.error';
  const served = await serve([...logged(format), ...authorized], () => throws('no table'));
  const { headers, body } = await served.send('/test/pets/7', WITH_KEY);
  expect(body).toBe('{"message":null}');
  expect(served.logLines).toEqual([`${LOG_GROUP_ARN} ${headers['x-amzn-requestid']} no table`]);
});

test('429: exceeds the limits of the stage; requests are counted before authorization', async () => {
  const settings = [{ ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 2 }];
  const served = await serve([...api({ MethodSettings: settings }), ...authorized]);
  const statuses = [];
  for (let request = 0; request < 3; request++) statuses.push((await served.send('/test/pets/7')).status);
  expect(statuses).toEqual([401, 401, 429]);
  expect((await served.send('/test/pets/7')).body).toBe('{"message":"Too Many Requests"}');
  served.nowMs += 1000;
  expect((await served.send('/test/pets/7')).status).toBe(401);
});

test('429: a method with a limit of its own exceeds it, while the other methods are served', async () => {
  const settings = [
    { ResourcePath: '/*', HttpMethod: '*', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 9 },
    { ResourcePath: '/~1pets~1{petId}', HttpMethod: 'GET', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
  ];
  const served = await serve([...api({ MethodSettings: settings }), ...onePet(), method('pet', 'PUT')]);
  const statuses = [];
  for (const httpMethod of ['GET', 'GET', 'PUT', 'PUT']) {
    statuses.push((await served.send('/test/pets/7', { method: httpMethod })).status);
  }
  expect(statuses).toEqual([200, 429, 200, 200]);
});
