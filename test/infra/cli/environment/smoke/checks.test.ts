import { describe, expect, test } from 'vitest';
import type { SmokeEnvironment } from '../../../../../infra/cli/environment/smoke/check.ts';
import { DOMAIN_CHECKS } from '../../../../../infra/cli/environment/smoke/checks.ts';
import type { Response } from '../../../../../infra/cli/environment/smoke/smoke-client.ts';

const HEADERS = { 'x-request-id': '0123456789' };

/** Runs the checks in an environment with these domains, and returns what each ended with. */
async function outcomes(domains: readonly object[], answer: Partial<Response>): Promise<string[]> {
  const environment = {
    session: { read: async () => ({ domains }) },
    send: async (request: string) => ({ request, status: 200, headers: HEADERS, text: '[]', ...answer }),
  } as unknown as SmokeEnvironment;
  return Promise.all(
    DOMAIN_CHECKS.map(check =>
      check.run(environment).then(
        () => 'ok',
        ({ name, message }: Error) => `${name}: ${message}`,
      ),
    ),
  );
}

const SERVING = { domain: 'www.example.com', role: 'primary', redirect: null };
const REDIRECTING = {
  domain: 'example.com',
  role: 'redirects',
  redirect: { to: 'www.example.com', status: 301 },
};

describe('the checks of custom domains', () => {
  test('are skipped where no domain is live', async () => {
    expect(await outcomes([{ domain: 'new.example.com', role: null }], {})).toEqual([
      'Skipped: no custom domain is live',
      'Skipped: no redirecting domain is live',
    ]);
  });

  test('ask each live domain', async () => {
    const [serving] = await outcomes([SERVING, REDIRECTING], {});
    expect(serving).toBe('ok');
    const headers = { ...HEADERS, location: 'https://www.example.com/v1/pets?limit=1' };
    const [, redirecting] = await outcomes([SERVING, REDIRECTING], { status: 301, headers });
    expect(redirecting).toBe('ok');
  });

  test('name the domain that does not serve, or redirects elsewhere', async () => {
    const [serving] = await outcomes([SERVING], { status: 403, text: '{}' });
    expect(serving).toBe(
      'Broken: GET https://www.example.com/v1/pets?limit=1: expected 200, got 403 {} (X-Request-Id 0123456789)',
    );
    const [, redirecting] = await outcomes([REDIRECTING], { status: 301 });
    expect(redirecting).toContain('GET https://example.com/v1/pets?limit=1: expected the header location');
  });
});
