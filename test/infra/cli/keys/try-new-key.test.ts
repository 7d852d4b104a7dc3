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

const CREATE = ['keys', 'create', '--name', 'Acme'];

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
    const { stdout } = await petstore([...CREATE, '--json'], operator.environment);
    expect(JSON.parse(stdout)).toEqual(newApiKey);
    expect(requests).toEqual([]);
  });
});

describe('becomesTrue', () => {
  const wait = () => vi.fn(async (_ms: number) => {});

  test('asks until the answer is yes, and reports the wait once', async () => {
    const attempt = vi.fn(async () => attempt.mock.calls.length === 5);
    const onWaiting = vi.fn();
    const waiting = wait();
    expect(await becomesTrue(attempt, onWaiting, { wait: waiting })).toBe(true);
    expect(waiting.mock.calls).toEqual([[500], [500], [500], [500]]);
    expect(onWaiting).toHaveBeenCalledTimes(1);
  });

  test('reports no wait when the second answer is yes', async () => {
    const attempt = vi.fn(async () => attempt.mock.calls.length === 2);
    const onWaiting = vi.fn();
    expect(await becomesTrue(attempt, onWaiting, { wait: wait() })).toBe(true);
    expect(onWaiting).not.toHaveBeenCalled();
  });

  test('gives up after 15 s', async () => {
    const waiting = wait();
    expect(
      await becomesTrue(
        async () => false,
        () => {},
        { wait: waiting },
      ),
    ).toBe(false);
    expect(waiting.mock.calls.reduce((sum, [ms]) => sum + ms, 0)).toBe(15_000);
  });
});
