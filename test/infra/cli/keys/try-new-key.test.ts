import { describe, expect, test, vi } from 'vitest';
import { becomesTrue } from '../../../../infra/cli/keys/try-new-key.ts';
import { silentServer } from '../../../shared/aws/silent-server.ts';
import { startAnsweringOperator, succeeds } from '../../operator/operator-stand-in.ts';
import { petstoreHere as petstore } from '../petstore-here.ts';
import { KEY, newApiKey } from './api-key-fixture.ts';

/** The public API of an environment, which responds to each request with the status, and its operator function. */
async function serviceAnswering(status: number, scopes = newApiKey.scopes) {
  const requests: string[] = [];
  const { endpoint } = await silentServer(({ method, url, headers }) => {
    requests.push([method, url, headers.authorization].join(' '));
    return (_, response) => void response.writeHead(status).end('{}');
  });
  const endpointUrl = `${endpoint}/staging`;
  // The primary domain leads to the same server, by another path.
  const url = endpointUrl.replace('staging', 'primary');
  const operator = await startAnsweringOperator(({ command }) =>
    succeeds(command === 'projects.show' ? { url, endpointUrl } : { ...newApiKey, scopes }),
  );
  return { requests, operator };
}

const CREATE = 'keys create --name Acme';

describe('keys create', () => {
  test('0: says that the key works when the public API has accepted it', async () => {
    const { requests, operator } = await serviceAnswering(200);
    const { stdout, stderr, exitCode } = await petstore(CREATE, operator.environment);
    expect(stdout).toMatch(/\n\nThe key works now\.\n$/);
    expect(stdout).not.toContain(newApiKey.note);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(requests).toEqual([`GET /staging/v1/pets?limit=1 Bearer ${KEY}`]);
  });

  test.each([
    ['orders:read', 'GET /staging/v1/store/orders', 200],
    ['pets:write', 'POST /staging/v1/pets', 400],
  ] as const)('0: tries a key of the scope %s with %s, which gets %i', async (scope, request, status) => {
    const { requests, operator } = await serviceAnswering(status, [scope]);
    const { stdout } = await petstore(CREATE, operator.environment);
    expect(stdout).toContain('The key works now');
    expect(requests).toEqual([`${request} Bearer ${KEY}`]);
  });

  test('0: prints the note at once when the address is closed, where every key gets 403', async () => {
    const { requests, operator } = await serviceAnswering(403);
    const { stdout } = await petstore(CREATE, operator.environment);
    expect(stdout).toContain(newApiKey.note);
    expect(stdout).not.toContain('The key works now');
    expect(requests).toHaveLength(1);
  });

  test('0: says what the API responded when it serves no request with the key', async () => {
    const { requests, operator } = await serviceAnswering(500);
    const { stdout } = await petstore(CREATE, operator.environment);
    expect(stdout).not.toContain('The key works now');
    expect(stdout).toMatch(
      /The API responded with 500 to a request with it\. Find out why: petstore smoke\n$/,
    );
    expect(requests).toHaveLength(1);
  });

  test('0: --json tries nothing and prints the note', async () => {
    const { requests, operator } = await serviceAnswering(200);
    const { stdout } = await petstore(`${CREATE} --json`, operator.environment);
    expect(JSON.parse(stdout)).toEqual(newApiKey);
    expect(requests).toEqual([]);
  });
});

test.each([
  ['the first answer is yes', 1, 0, 0],
  ['the second answer is yes', 2, 500, 0],
  ['a later answer is yes', 5, 2_000, 1],
  ['15 s are over', Number.POSITIVE_INFINITY, 15_000, 1],
])('becomesTrue asks until %s, and reports a longer wait once', async (_, attempts, waitedMs, reports) => {
  const attempt = vi.fn(async () => attempt.mock.calls.length === attempts);
  const [onWaiting, wait] = [vi.fn(), vi.fn(async (_ms: number) => {})];
  expect(await becomesTrue(attempt, onWaiting, { wait })).toBe(attempts < 15_000);
  expect(wait.mock.calls.reduce((sum, [ms]) => sum + ms, 0)).toBe(waitedMs);
  expect(onWaiting).toHaveBeenCalledTimes(reports);
});
