import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Session } from '../../../../infra/cli/framework/session.ts';
import { temporaryFolder } from '../../../../infra/local/testing/temporary-folder.ts';
import { explainAwsError } from '../../../../infra/operator/connection/aws-error.ts';
import { CommandError } from '../../../../infra/operator/connection/command-error.ts';
import { connectOperator } from '../../../../infra/operator/connection/invoke-operator.ts';
import {
  localTarget,
  type Target,
  targetOf,
  withReachableLink,
} from '../../../../infra/operator/connection/target.ts';
import { HostedZones } from '../../../../infra/operator/domains/hosted-zones.ts';
import { environmentLogs } from '../../../../infra/operator/logs/log-source.ts';
import { outcomeInFastTime } from '../../../shared/aws/fast-time.ts';
import { silentServer } from '../../../shared/aws/silent-server.ts';
import { petstoreHere } from '../../cli/petstore-here.ts';
import { LINK, startOperatorStandIn } from '../operator-stand-in.ts';

function runningService(...stages: string[]): void {
  const file = join(temporaryFolder(), 'running.json');
  const baseUrls = Object.fromEntries(stages.map(stage => [stage, `http://127.0.0.1:3000/${stage}/v1`]));
  writeFileSync(file, JSON.stringify({ awsEndpoint: 'http://127.0.0.1:1', baseUrls, pid: process.pid }));
  vi.stubEnv('PETSTORE_RUNNING_FILE', file);
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe('a service that is silent', () => {
  // The command loads the SDK when it needs it, which must not count as waiting.
  beforeAll(() =>
    Promise.all([
      import('@aws-sdk/client-cloudwatch-logs'),
      import('@aws-sdk/client-lambda'),
      import('@aws-sdk/client-route-53'),
    ]),
  );

  test.each<[string, attempts: number, eachMs: number, (target: Target) => Promise<unknown>]>([
    ['Route 53', 3, 20_000, async target => (await HostedZones.of(target)).list()],
    ['CloudWatch Logs', 8, 20_000, target => environmentLogs({ target } as Session)],
    ['Lambda', 1, 60_000, async target => (await connectOperator(target)).invoke('keys.list', {})],
  ])('is waited for as long as is useful: %s, %i times %i ms', async (_, attempts, eachMs, call) => {
    const { endpoint, connections } = await silentServer();
    const target = localTarget('staging', {
      awsEndpoint: endpoint,
      awsCredentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' },
      baseUrls: {},
      edge: { https: '', ca: '' },
    });
    const { error, tookMs } = await outcomeInFastTime(() => call(target), undefined, 250);
    expect(error).toBeInstanceOf(CommandError);
    await expect.poll(() => connections.size).toBe(attempts);
    // The SDK waits up to 20 s between two attempts.
    expect(tookMs).toBeLessThan(attempts * eachMs + (attempts - 1) * 20_000 + 20_000);
    expect((error as CommandError).message).toMatch(/ didn't respond in time\.$/);
  });

  test.each([
    [
      '',
      /^Waiting for the service to respond …\nError: petstore-staging-operator in eu-central-1 didn't respond in time\.\n/,
    ],
    [' --json', /^\{"error":\{"code":"network",/],
  ])('is waited for with a word about it: keys list%s', async (options, printed) => {
    const { endpoint } = await silentServer();
    const { environment } = await startOperatorStandIn();
    let stderr = '';
    await outcomeInFastTime(
      async () => {
        const silent = { ...environment, AWS_ENDPOINT_URL_LAMBDA: endpoint };
        ({ stderr } = await petstoreHere(`keys list${options}`, silent));
      },
      undefined,
      250,
    );
    expect(stderr).toMatch(printed);
    expect(stderr).not.toContain('smithy');
  });
});

describe('a personal environment', () => {
  test('has its own stack and operator function', () => {
    expect(targetOf({ stage: 'sandbox' })).toMatchObject({
      functionName: 'petstore-sandbox-operator',
      stackName: 'Petstore-Sandbox',
    });
  });

  test('that is not deployed is explained by the command that deploys it', () => {
    const target = targetOf({ stage: 'sandbox', region: 'us-east-1' });
    const error = Object.assign(new Error('not found'), { name: 'ResourceNotFoundException' });
    const { advice } = explainAwsError(error, { ...target, region: 'us-east-1' });
    expect(advice[0]).toContain('Deploy it with: npx cdk deploy Petstore-Sandbox -c environment=sandbox');
  });

  test('is not on this machine, unless it is', () => {
    runningService('production', 'staging');
    expect(() => targetOf({ stage: 'sandbox', local: true })).toThrow(
      'The service on this machine has production and staging, not sandbox.',
    );
    runningService('sandbox');
    expect(targetOf({ stage: 'sandbox', local: true }).baseUrl).toContain('/sandbox/');
  });
});

test('a link to the page for an owner is at the stage of the environment on this machine, and as it is elsewhere', () => {
  runningService('staging');
  const link = { ...LINK, isServed: false };
  expect(withReachableLink(link, targetOf({ stage: 'staging', local: true }))).toEqual({
    ...LINK,
    url: 'http://127.0.0.1:3000/staging/v1/setup/www.example.com/a-key',
  });
  expect(withReachableLink(link, targetOf({ stage: 'staging' }))).toBe(link);
});
