import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Deprecation } from '../src/deprecation.ts';
import { PetstoreError } from '../src/petstore-error.ts';
import { created, REX, refused, scriptedPetstore, silence } from './scripted-petstore.ts';

const failure = (call: Promise<unknown>): Promise<PetstoreError> =>
  call.then(
    () => expect.unreachable('The call succeeded.'),
    (error: unknown) => {
      if (!(error instanceof PetstoreError)) throw error;
      return error;
    },
  );

describe('an error', () => {
  test('has what the service responded', async () => {
    const { petstore } = scriptedPetstore([refused(404, 'not_found')]);
    const error = await failure(petstore.pets.get(1n));
    expect(error).toMatchObject({
      name: 'PetstoreError',
      code: 'not_found',
      message: 'A message.',
      status: 404,
      requestId: 'a-request-id',
      retryAfter: undefined,
    });
    expect(error).not.toHaveProperty('cause');
  });

  test('says after how many seconds to try again', async () => {
    const { petstore, waitsMs } = scriptedPetstore([refused(429, 'rate_limited', { 'Retry-After': '3600' })]);
    expect(await failure(petstore.pets.get(1n))).toMatchObject({ code: 'rate_limited', retryAfter: 3600 });
    expect(waitsMs).toEqual([]);
  });

  test('of something in between has its status', async () => {
    const { petstore } = scriptedPetstore([new Response('<html>Forbidden</html>', { status: 403 })]);
    expect(await failure(petstore.pets.get(1n))).toMatchObject({
      code: 'unexpected_answer',
      message: 'The response is HTTP 403.',
      status: 403,
      requestId: undefined,
    });
  });

  test.for(['', '<html>Sign in</html>', '{"id":1'])('says that %j is not JSON', async body => {
    const { petstore, sent } = scriptedPetstore([new Response(body)]);
    const error = await failure(petstore.pets.get(1n));
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 200 });
    expect(error.cause).toBeInstanceOf(SyntaxError);
    expect(sent).toHaveLength(1);
  });
});

describe('a body that is not as documented is refused', () => {
  const PET = { id: 1, name: 'Rex', categoryId: 2, status: 'sold' };
  test.for<[unknown, string]>([
    [null, "it isn't an object"],
    [[PET], "it isn't an object"],
    ['Rex', "it isn't an object"],
    [{}, 'id is missing'],
    [{ ...PET, id: '1' }, 'id is not as documented'],
    [{ ...PET, id: 1.5 }, 'id is not as documented'],
    [{ ...PET, name: null }, 'name is not as documented'],
    [{ ...PET, categoryId: undefined }, 'categoryId is missing'],
    [{ ...PET, status: 'lost' }, 'status is not as documented'],
    [{ ...PET, status: 'toString' }, 'status is not as documented'],
  ])('%j', async ([body, difference]) => {
    const error = { code: 'unexpected_answer', message: `The response is not as documented: ${difference}.` };
    const { petstore, sent } = scriptedPetstore([Response.json(body), Response.json([PET, body])]);
    expect(await failure(petstore.pets.get(1n))).toMatchObject(error);
    expect(await failure(petstore.pets.list().pages().next())).toMatchObject(error);
    expect(sent).toHaveLength(2);
  });

  test('where a list should be, and where an order should be', async () => {
    const { petstore } = scriptedPetstore([Response.json({}), Response.json([PET])]);
    expect(await failure(petstore.pets.list().pages().next())).toMatchObject({
      message: "The response isn't a list.",
    });
    expect(await failure(petstore.orders.list().pages().next())).toMatchObject({ code: 'unexpected_answer' });
  });

  test('but may have further members', async () => {
    const { petstore } = scriptedPetstore([Response.json({ ...PET, color: 'brown' })]);
    expect(await petstore.pets.get(1n)).toMatchObject({ id: 1n, status: 'sold' });
  });
});

describe('a retry', () => {
  test('comes after Retry-After and a growing jitter', async () => {
    const { petstore, waitsMs } = scriptedPetstore([
      refused(429, 'rate_limited', { 'Retry-After': '2' }),
      refused(503, 'unavailable', { 'Retry-After': 'Thu, 01 Jan 1970 00:00:07 GMT' }),
      new Response('<html>Bad Gateway</html>', { status: 502 }),
      new TypeError('fetch failed'),
      created(),
    ]);
    expect(await petstore.pets.create({ name: 'Rex', categoryId: 2n })).toEqual(REX);
    expect(waitsMs).toEqual([2100, 7200, 400, 800]);
  });

  test('follows when the body breaks off', async () => {
    const body = () => {
      const broken = new ReadableStream({ start: stream => stream.error(new TypeError('terminated')) });
      return new Response(broken);
    };
    const { petstore } = scriptedPetstore([body, created()]);
    expect(await petstore.pets.get(1n)).toEqual(REX);
  });

  test('follows when an attempt takes too long', async () => {
    // Only the first attempt's time passes: the second one may take as long as the machine needs.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { petstore, sent } = scriptedPetstore([silence, created()], { timeoutMs: 5 });
    const getting = petstore.pets.get(1n);
    await vi.advanceTimersByTimeAsync(5);
    expect(await getting).toEqual(REX);
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  test.for([Number.POSITIVE_INFINITY, 2 ** 40])(
    'does not follow a slow response within %d ms',
    async timeoutMs => {
      const slow = () => new Promise<Response>(resolve => setTimeout(() => resolve(created()), 30));
      const { petstore, sent } = scriptedPetstore([slow], { timeoutMs });
      expect(await petstore.pets.get(1n)).toEqual(REX);
      expect(sent).toHaveLength(1);
    },
  );

  test('is not sent after the last attempt: the call fails with the last error', async () => {
    const lost = () => new TypeError('fetch failed', { cause: new Error('ECONNRESET') });
    const { petstore, sent, waitsMs } = scriptedPetstore([refused(503, 'unavailable'), lost(), lost()], {
      maxAttempts: 3,
    });
    const error = await failure(petstore.pets.get(1n));
    expect(error).toMatchObject({
      code: 'network_error',
      message: 'No response from https://api.example.org: fetch failed',
      status: 0,
      requestId: undefined,
      cause: { message: 'fetch failed', cause: { message: 'ECONNRESET' } },
    });
    expect([sent.length, waitsMs.length]).toEqual([3, 2]);
  });

  test('is sent seven times unless the caller says otherwise', async () => {
    const { petstore, sent } = scriptedPetstore(Array.from({ length: 9 }, () => refused(503, 'unavailable')));
    expect(await failure(petstore.pets.get(1n))).toMatchObject({ code: 'unavailable' });
    expect(sent).toHaveLength(8);
  });
});

describe('a deprecation', () => {
  const DEPRECATED = {
    Deprecation: '@1764892800',
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: '<https://api.example.org/staging/v1/pets>; rel="successor-version"',
  };

  test('is reported once for each client, also by a response with an error, and for no other operation', async () => {
    const reported: Deprecation[] = [];
    const { petstore } = scriptedPetstore(
      [created(), refused(404, 'not_found', DEPRECATED), refused(404, 'not_found', DEPRECATED)],
      { onDeprecation: deprecation => reported.push(deprecation) },
    );
    await petstore.pets.create({ name: 'Rex', categoryId: 2n });
    await failure(petstore.pets.get(1n));
    await failure(petstore.pets.get(1n));
    expect(reported).toEqual([
      {
        operation: 'GET /pets/{petId}',
        since: new Date('2025-12-05T00:00:00Z'),
        sunset: new Date('2030-12-05T00:00:00Z'),
        successor: 'https://api.example.org/staging/v1/pets',
      },
    ]);
  });

  test.for([
    () => {
      throw new Error('the logger is broken');
    },
    async () => {
      throw new Error('the logger is broken');
    },
  ])('does not fail the call if reporting it does, at once or later', async onDeprecation => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { petstore } = scriptedPetstore([refused(404, 'not_found', DEPRECATED)], { onDeprecation });
    expect(await failure(petstore.pets.get(1n))).toMatchObject({ code: 'not_found' });
    await expect.poll(() => warn.mock.calls).toEqual([[expect.any(String), expect.any(Error)]]);
  });

  test('is a warning on the console unless the caller takes it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const { petstore } = scriptedPetstore([
      refused(404, 'not_found', DEPRECATED),
      refused(404, 'not_found', { Deprecation: '@1764892800' }),
    ]);
    await failure(petstore.pets.get(1n));
    await failure(petstore.pets.get(1n));
    expect(warn.mock.calls).toEqual([
      [
        'petstore-client: GET /pets/{petId} is deprecated and is removed on Thu, 05 Dec 2030 00:00:00 GMT. Use https://api.example.org/staging/v1/pets instead.',
      ],
    ]);
  });
});
