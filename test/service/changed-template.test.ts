import { expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { OPERATION_PATHS } from '../../shared/operations.ts';
import { NEEDS_BROWSER, servePage, startBrowser } from './browser.ts';
import { client, created, expectError, type HttpResponse, statusesOf } from './http-client.ts';
import { newApiKey } from './operator.ts';
import { ownStaging, type Template } from './own-staging.ts';
import { storyOf } from './request-story.ts';
import type { Environment } from './running-service.ts';

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

test('429: floods of two paths by strangers leave a third path its share, with Retry-After', async () => {
  await deployEdited(template => {
    const { MethodSettings } = only(template, 'AWS::ApiGateway::Stage', 'PublicApi').Properties;
    for (const settings of MethodSettings)
      Object.assign(settings, { ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 });
  });
  const headers = { Authorization: 'Bearer junk' };
  for (const flooded of ['GET /pets', 'GET /no-such-path']) {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await send(flooded, { headers })).status),
    );
    expect(statuses.filter(status => status !== 429)).toHaveLength(2);
  }
  await expectThrottled('GET /store/orders', 'GET /store/orders', 'GET /store/orders');
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

test('a page of another origin lists, creates, and reads every refusal', NEEDS_BROWSER, async () => {
  await deployEdited(template => {
    const plan = only(template, 'AWS::ApiGateway::UsagePlan', 'PublicApi').Properties;
    plan.Throttle = { RateLimit: 0.001, BurstLimit: 9 };
  });
  await created(send, { name: 'Rex', categoryId: 1 });
  const responses = await callFromAnotherOrigin(environment());
  const { first, next, created: added, again, head, ...refusals } = responses;
  expect([first?.status, next?.status, added?.status, again?.status, head?.status]).toEqual([
    200, 200, 201, 201, 200,
  ]);
  expect(first?.body).toHaveLength(1);
  expect(next?.body).not.toEqual(first?.body);
  expect(again?.body).toEqual(added?.body);
  expect(again?.headers).toMatchObject({
    'idempotency-replayed': 'true',
    location: added?.headers.location,
  });
  expect(added?.headers.location).toBe(`${runtime().origin}/staging/v1/pets/${added?.body.id}`);
  for (const [name, { status, body, headers }] of Object.entries(refusals)) {
    expect(body, name).toEqual({ code: expect.any(String), message: expect.any(String), status });
    expect(headers['x-request-id'], name).toMatch(/^\S{8,}$/);
  }
  expect(Object.values(refusals).map(({ status }) => status)).toEqual([401, 401, 404, 404, 405, 429]);
  const { allow } = OPERATION_PATHS.find(({ path }) => path === '/pets/{petId}') ?? {};
  expect(refusals.notAllowed?.headers.allow).toBe(allow);
  expect(refusals.tooMany?.headers['retry-after']).toMatch(/^\d+$/);
  expect(refusals.noAnimal?.headers).toMatchObject({
    deprecation: expect.any(String),
    sunset: expect.any(String),
  });
});

/** What a page can read of a response. */
interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  readonly body: any;
}

/** Runs in the page, so it may use nothing of this module. A fetch that CORS forbids rejects. */
async function callInterface({
  base,
  key,
}: {
  base: string;
  key: string;
}): Promise<Readonly<Record<string, PageResponse>>> {
  const headers = { Authorization: `Bearer ${key}` };
  const read = async (response: Response): Promise<PageResponse> => {
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers.entries()),
      body: text && JSON.parse(text),
    };
  };
  const call = async (address: string, options: RequestInit = {}) => read(await fetch(address, options));
  const create = () =>
    call(`${base}/pets`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'from a page' },
      body: JSON.stringify({ name: 'Luna', categoryId: 2 }),
    });
  const added = await create();
  const again = await create();
  const first = await call(`${base}/pets?limit=1`, { headers });
  const [, nextAddress = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
  const responses: Record<string, PageResponse> = {
    created: added,
    again,
    first,
    next: await call(nextAddress, { headers }),
    head: await call(`${base}/pets?limit=1`, { method: 'HEAD', headers }),
    noKey: await call(`${base}/pets`),
    wrongKey: await call(`${base}/pets`, { headers: { Authorization: 'Bearer wrong' } }),
    noAnimal: await call(`${base}/pets/1`, { headers }),
    noPath: await call(`${base}/dogs`, { headers }),
    notAllowed: await call(`${base}/pets/1`, { method: 'POST', headers }),
  };
  let tooMany: PageResponse;
  do tooMany = await call(`${base}/store/orders`, { headers });
  while (tooMany.status === 200);
  return { ...responses, tooMany };
}

/** Calls the interface from a page in Chromium that another server returned. */
async function callFromAnotherOrigin({ url, apiKey }: Environment) {
  const pages = await servePage({
    '/': { type: 'text/html', body: '<!doctype html><title>Elsewhere</title>' },
  });
  const browser = await startBrowser(pages.resolverRule);
  try {
    const page = await browser.newPage();
    await page.goto(pages.url);
    return await page.evaluate(callInterface, { base: url, key: apiKey });
  } finally {
    await browser.close();
    pages.close();
  }
}
