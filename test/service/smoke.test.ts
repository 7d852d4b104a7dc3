import { expect, test } from 'vitest';
import { SMOKE_CHECKS, type SmokeCheck } from '../../infra/cli/checks/smoke-command.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { petstoreHere } from '../infra/cli/petstore-here.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const petstore = (...words: string[]) =>
  petstoreHere([...words, '--local', '--json'], { PETSTORE_RUNNING_FILE: service.runningFile });

async function smoke(...words: string[]) {
  const run = await petstore('smoke', ...words);
  const checks: readonly SmokeCheck[] = JSON.parse(run.stdout).checks;
  return { ...run, checks, requests: checks.flatMap(({ requests }) => requests) };
}

/** The operations of the OpenAPI document, with the statuses that each is documented to return. */
const OPERATIONS = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, { responses?: object }>).map(([method, { responses = {} }]) => ({
    // A path parameter matches one segment; a query may follow.
    pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`),
    statuses: Object.keys(responses).map(Number),
  })),
);

/** Responses that no client can provoke. */
const isProvokable = (status: number) => status < 500 && status !== 429;

test('0: staging is well, custom domains, too, and every documented response of every operation is checked', async () => {
  const { checks, requests, exitCode, stderr } = await smoke('--domains');
  expect(checks.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  const trial = checks.slice(
    checks.findIndex(({ name }) => name.startsWith('a custom domain can be claimed')),
  );
  expect(trial.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  expect([exitCode, stderr]).toEqual([0, '']);
  for (const { pattern, statuses } of OPERATIONS) {
    // A response that no check has looked at shows nothing.
    const seen = requests.flatMap(({ request, expected = '' }) =>
      pattern.test(request) && expected !== '' ? [Number.parseInt(expected, 10)] : [],
    );
    expect(new Set(seen), pattern.source).toEqual(
      new Set([...statuses.filter(isProvokable), ...seen.filter(status => status === 405)]),
    );
  }
  for (const document of ['GET /openapi.json', 'GET /docs']) {
    expect(requests).toContainEqual({ request: document, status: 200, expected: '200' });
  }
  for (const list of ['domains', 'dns']) {
    expect((await petstore(list, 'list', '--project', 'petstore-smoke')).stdout).not.toContain(
      'petstore-smoke-',
    );
  }
});

test('0: smoke creates no pets in production, and no record of a key is left', async () => {
  const { checks, requests, exitCode, stderr } = await smoke('--stage', 'production');
  expect(checks.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
  expect([exitCode, stderr]).toEqual([0, '']);
  const skipped = checks.filter(({ message }) => message === 'smoke creates no pets in production');
  const writing = SMOKE_CHECKS.filter(({ writes }) => writes);
  expect(writing.length).toBeGreaterThanOrEqual(2);
  expect(skipped.map(({ name }) => name)).toEqual(writing.map(({ name }) => name));
  expect(requests.map(({ status }) => status)).not.toContain(201);
  expect(requests.filter(({ request }) => request === 'POST /pets').length).toBeGreaterThan(0);

  const { stdout } = await petstore('keys', 'list', '--stage', 'production');
  const names = JSON.parse(stdout).keys.map(({ name }: { name: string }) => name);
  expect(names).not.toContain('petstore smoke');
});
