import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { TEST_KEY } from '../../../../../infra/local/testing/served-endpoint.ts';
import { localTarget } from '../../../../../infra/operator/connection/target.ts';
import { environmentLogs, type Query } from '../../../../../infra/operator/logs/log-source.ts';
import { readUsage } from '../../../../../infra/operator/logs/usage.ts';
import { startOperatorStandIn, succeeds } from '../../../operator/operator-stand-in.ts';
import { apiKey } from '../../keys/api-key-fixture.ts';
import { petstoreHere } from '../../petstore-here.ts';
import { ACCESS, accessLine, REDIRECTS, servedEnvironment } from './environment-logs.ts';

const OTHER = `key_${'0'.repeat(24)}`;
const GET = { method: 'GET', resource: '/v1/pets/{petId}', status: '200' };

/** The command, with an access log and the API key Acme. */
async function served() {
  const logs = await servedEnvironment();
  const operator = await startOperatorStandIn(succeeds({ keys: [apiKey], next: null }));
  const environment = { ...operator.environment, ...logs.environment };
  const timer = setInterval(() => {
    logs.nowMs += 1_000;
  }, 100);
  onTestFinished(() => clearInterval(timer));
  const { id: keyId } = apiKey;
  await logs.write(
    ACCESS,
    ...Array<string>(3).fill(accessLine({ ...GET, keyId })),
    accessLine({ ...GET, method: 'HEAD', keyId, status: '404' }),
    accessLine({ ...GET, keyId, status: '429' }),
    accessLine({ ...GET, keyId, status: '503' }),
    accessLine({ keyId: OTHER }),
    accessLine({ status: '401' }),
    accessLine({ method: 'GET', resource: '/v1/{proxy+}', status: '404', keyId }),
  );
  await logs.write(REDIRECTS, accessLine({ method: 'GET', resource: '/', status: '301' }));
  return (...words: string[]) => petstoreHere(['usage', ...words], environment);
}

describe('petstore usage', () => {
  test('0: counts the requests of each key and operation, and those that were refused, throttled or failed', async () => {
    const usage = await served();
    const { stdout, exitCode } = await usage();
    expect(stdout.split('\n').map(line => line.trimEnd().replaceAll(/ {2,}/g, '  '))).toEqual([
      'KEY  NAME  OPERATION  REQUESTS  REFUSED  THROTTLED  FAILED',
      `${apiKey.id}  ${apiKey.name}  getPet  6  1  1  1`,
      expect.stringMatching(/^(none|key_0+) {2}– {2}createPet {2}1 {2}[01] {2}0 {2}0$/),
      expect.stringMatching(/^(none|key_0+) {2}– {2}createPet {2}1 {2}[01] {2}0 {2}0$/),
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  test('0: --operation and --key choose what is shown, which may be nobody', async () => {
    const usage = await served();
    const { usage: rows } = JSON.parse(
      (await usage('--operation', 'createPet', '--key', OTHER, '--json')).stdout,
    );
    expect(rows).toEqual([
      { keyId: OTHER, name: null, operation: 'createPet', requests: 1, refused: 0, throttled: 0, failed: 0 },
    ]);
    const { stdout } = await usage('--operation', 'listPets', '--since', '30d');
    expect(stdout).toMatch(/^Nobody has called listPets in staging since .*\.\n$/);
  });

  test.for([
    [['--operation', 'getpet'], 'must be one of'],
    [['--key', 'key_1"| limit 1'], 'No key has the ID'],
    [['--since', 'monday'], '--since takes a duration'],
  ] as const)('2: %s is refused', async ([words, said]) => {
    const { stderr, exitCode } = await petstoreHere(['usage', ...words]);
    expect([stderr, exitCode]).toEqual([expect.stringContaining(said), 2]);
  });
});

test('keys are counted in parts if a query has as many rows as it may', async () => {
  const ids = Array.from({ length: 11_000 }, (_, index) => `key_f${index.toString(16).padStart(23, '0')}`);
  const all = ['-', ...ids].map(keyId => ({ ...GET, keyId, requests: '2' }));
  const query = async (_: unknown, { text }: Query) => {
    const [, same, prefix] = /^filter keyId (?:= "(.*)"|like \/\^(.*)\/)/.exec(text) ?? [];
    const found = all.filter(({ keyId }) => (same ? keyId === same : keyId.startsWith(prefix ?? '')));
    return found.slice(0, 10_000);
  };
  const usage = await readUsage({ query }, [], { startMs: 0, endMs: 1 });
  expect(new Set(usage.map(({ keyId }) => keyId))).toEqual(new Set([null, ...ids]));
  expect(usage.every(({ requests }) => requests === 2)).toBe(true);
});

test('a query that is interrupted is stopped', async () => {
  const { endpoint: awsEndpoint } = await servedEnvironment();
  const service = { awsEndpoint, awsCredentials: TEST_KEY, baseUrls: {}, edge: { https: '', ca: '' } };
  const { source, groups } = await environmentLogs({ target: localTarget('staging', service) });
  const send = vi.spyOn(CloudWatchLogsClient.prototype, 'send');
  onTestFinished(() => send.mockRestore());
  const sent = (command: string) => send.mock.calls.findIndex(([each]) => each.constructor.name === command);
  const inputOf = (command: string) => send.mock.calls[sent(command)]?.[0].input;
  const interruption = new AbortController();
  const reading = readUsage(source, groups, { startMs: 0, endMs: 1000, signal: interruption.signal });
  const isRefused = expect(reading).rejects.toThrow();
  await expect.poll(() => sent('GetQueryResultsCommand')).toBeGreaterThan(0);
  interruption.abort();
  await isRefused;
  // Whether the stop arrives within its limit depends on the machine.
  expect(inputOf('StopQueryCommand')).toEqual(inputOf('GetQueryResultsCommand'));
  await Promise.allSettled(send.mock.results.map(({ value }) => value));
});
