import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openApiDocument } from '../../../infra/openapi/document.ts';
import { ApiError } from '../../../shared/errors.ts';
import { EXPOSED_HEADERS } from '../../../shared/http/cors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { addVary } from '../../../shared/http/headers.ts';
import { json } from '../../../shared/http/response.ts';
import { invoke, proxyEvent } from '../../functions/proxy-event.ts';

const LISTED = 'https://app.zoo.dev http://localhost:5173';

/** Of a 200 and of a 404, with the environment variables as they are. */
function handlers() {
  const fails = endpoint().handler(async () => {
    throw new ApiError('not_found');
  });
  return [endpoint().handler(async () => json(200, {})), fails] as const;
}

/** The headers of a 200 and of a 404, which must be the same. */
async function corsHeadersOf(origins: string | undefined, headers: Record<string, string> = {}) {
  vi.stubEnv('BROWSER_ORIGINS', origins);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [succeeds, fails] = handlers();
  const event = proxyEvent({ headers });
  const [success, failure] = [await invoke(succeeds, event), await invoke(fails, event)];
  expect(corsOf(failure.headers)).toEqual(corsOf(success.headers));
  return { ...corsOf(success.headers), vary: [success.headers.Vary, failure.headers.Vary] };
}

function corsOf(headers: Record<string, string>) {
  const found = Object.entries(headers).filter(([name]) => name.startsWith('Access-Control-'));
  return Object.fromEntries(found);
}

test('pages may read every header that the document describes; browsers show Cache-Control by themselves', () => {
  const links = new Map([
    ['NextPage', 'Link'],
    ['Successor', 'Link'],
  ]);
  const names = Object.keys(openApiDocument().components?.headers ?? {}).map(key => links.get(key) ?? key);
  const readable = [...EXPOSED_HEADERS.split(', '), 'Cache-Control'];
  expect(readable).toEqual(expect.arrayContaining(names));
});

describe('the responses of a function', () => {
  test.each([undefined, 'max-age=300'])('have HSTS if STRICT_TRANSPORT_SECURITY is set: %j', async value => {
    vi.stubEnv('STRICT_TRANSPORT_SECURITY', value);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const handler of handlers()) {
      const { headers } = await invoke(handler, proxyEvent());
      expect(headers['Strict-Transport-Security']).toBe(value);
    }
  });

  test.each([undefined, ''])('permit no origin if BROWSER_ORIGINS is %j', async origins => {
    expect(await corsHeadersOf(origins, { Origin: 'https://app.zoo.dev' })).toEqual({
      vary: ['Accept-Encoding', undefined],
    });
  });

  test.each([{}, { Origin: 'https://app.zoo.dev' }, { Origin: 'null' }])(
    'permit every origin if it is *, whatever the request has: %j',
    async headers => {
      expect(await corsHeadersOf('*', headers as Record<string, string>)).toEqual({
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        vary: ['Accept-Encoding', undefined],
      });
    },
  );

  test.each([
    ['Origin', 'https://app.zoo.dev'],
    ['origin', 'http://localhost:5173'],
  ])('name the caller’s origin if it is listed, %s: %s', async (name, origin) => {
    expect(await corsHeadersOf(LISTED, { [name]: origin })).toEqual({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      vary: ['Accept-Encoding, Origin', 'Origin'],
    });
  });

  test.each(['https://app.zoo.dev.example', 'https://APP.zoo.dev', 'http://localhost', 'null', ''])(
    'permit no other origin, such as "%s", and vary with it',
    async origin => {
      expect(await corsHeadersOf(LISTED, { Origin: origin })).toEqual({
        vary: ['Accept-Encoding, Origin', 'Origin'],
      });
    },
  );

  test('vary with the origin also without one', async () => {
    expect(await corsHeadersOf(LISTED)).toEqual({ vary: ['Accept-Encoding, Origin', 'Origin'] });
  });
});

describe('the response to HEAD', () => {
  test('has the headers of GET and no body', async () => {
    const handler = endpoint().handler(async () => json(200, { name: 'x'.repeat(2000) }));
    const headers = { Accept: '*/*', 'Accept-Encoding': 'gzip' };
    const get = await handler(proxyEvent({ headers }), {} as never);
    const head = await handler(proxyEvent({ method: 'HEAD', headers }), {} as never);
    expect(head).toEqual({ ...get, body: '', isBase64Encoded: false });
    expect(head?.headers['Content-Encoding']).toBe('gzip');
  });

  test('404: has no body', async () => {
    const [, handler] = handlers();
    const head = await handler(proxyEvent({ method: 'HEAD' }), {} as never);
    expect(head).toMatchObject({ statusCode: 404, body: '' });
  });
});

test.each([
  ['no Vary', undefined, 'Origin'],
  ['another name', 'Accept-Encoding', 'Accept-Encoding, Origin'],
  ['several names', 'Accept , Accept-Encoding', 'Accept, Accept-Encoding, Origin'],
  ['the same name', 'Accept, Origin', 'Accept, Origin'],
  ['the same name in another case', 'origin', 'origin'],
  ['every name', '*', '*'],
  ['an empty Vary', '', 'Origin'],
])('addVary adds a name to a response that has %s', (_, vary, expected) => {
  const headers: Record<string, string> = vary === undefined ? {} : { Vary: vary };
  addVary(headers, 'Origin');
  expect(headers).toEqual({ Vary: expected });
});
