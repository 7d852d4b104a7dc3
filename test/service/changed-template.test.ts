import { expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { client, expectError, type HttpResponse, statusesOf } from './http-client.ts';
import { newApiKey } from './operator.ts';
import { ownStaging, type Template } from './own-staging.ts';
import { storyOf } from './request-story.ts';

/** Each test changes the template of staging and expects the running service to follow it. */
const { runtime, environment, deploy, deployEdited } = ownStaging();
const send = client(environment);

/** The only resource of this type whose logical id contains the text. */
function only({ Resources }: Template, type: string, text: string): Template['Resources'][string] {
  const found = Object.entries(Resources).filter(([id, { Type }]) => Type === type && id.includes(text));
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? expect.fail();
}

/** Authorization headers with well-formed keys of staging that nobody has. */
const unknownKeys = (length: number) => Array.from({ length }, () => `Bearer ${generateKey('pet_test_')}`);

test('401, 503: the authorizer fails for a key that it cannot look up, not for a refused one', async () => {
  const errors = () =>
    runtime()
      .functionErrors.entries()
      .filter(([name]) => name.includes('Authorize'))
      .map(([, count]) => count)
      .toArray();
  await deploy(text => text);
  expect(await statusesOf(send, unknownKeys(1000))).toEqual(new Set([401]));
  expect(errors()).toEqual([]);
  await deployEdited(template => {
    const { Role } = only(template, 'AWS::Lambda::Function', 'ListPetsFunction').Properties;
    only(template, 'AWS::Lambda::Function', 'AuthorizeFunction').Properties.Role = Role;
  });
  expect(await statusesOf(send, unknownKeys(3))).toEqual(new Set([503]));
  expect(errors()).toEqual([3]);
});

test('401: the key prefix is another, for keys with the former one', async () => {
  await deploy(text => text.replaceAll('pet_test_', 'pet_next_'));
  expectError(await send('GET /pets'), 401, 'unauthorized');
  const headers = { Authorization: `Bearer ${await newApiKey(runtime(), 'staging')}` };
  expect(headers.Authorization).toContain('pet_next_');
  expect((await send('GET /pets', { headers })).status).toBe(200);
});

/** Expects the last of these requests to be refused, and the others to be served. */
async function expectThrottled(...requests: string[]): Promise<void> {
  let last: HttpResponse | undefined;
  for (const request of requests) {
    expect(last?.status ?? 200).toBe(200);
    last = await send(request);
  }
  if (last) expectError(last, 429, 'rate_limited');
  expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
}

test('429: the stage throttle is exceeded, with Retry-After', async () => {
  await deployEdited(template => {
    const [settings] = only(template, 'AWS::ApiGateway::Stage', 'PublicApi').Properties.MethodSettings;
    Object.assign(settings, { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 });
  });
  await expectThrottled('GET /pets', 'GET /pets', 'GET /pets');
});

test('429: a key exceeds its usage plan, with Retry-After, while another key is served', async () => {
  const other = { Authorization: `Bearer ${await newApiKey(runtime(), 'staging')}` };
  await deployEdited(template => {
    const plan = only(template, 'AWS::ApiGateway::UsagePlan', 'PublicApi').Properties;
    plan.Throttle = { RateLimit: 0.001, BurstLimit: 2 };
  });
  // The limit of a key counts all operations together.
  await expectThrottled('GET /pets', 'GET /store/orders', 'GET /pets');
  expect((await send('GET /pets', { headers: other })).status).toBe(200);
  const refused = await send('POST /pets', { body: { name: 'Rex', categoryId: 1 } });
  expectError(refused, 429, 'rate_limited');
  expect(await storyOf(runtime(), refused)).toMatchObject({
    status: 429,
    operation: 'createPet',
    keyId: expect.stringMatching(/^key_/),
    answeredBy: 'gateway',
    why: expect.stringMatching(/^Too many requests/),
  });
});
