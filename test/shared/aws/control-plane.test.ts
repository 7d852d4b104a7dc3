import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { canarySecret } from '../../../shared/api-keys/canary-key.ts';
import { gatewayClient, gatewayKeys } from '../../../shared/api-keys/usage-plan.ts';
import { oneAttemptClient } from '../../../shared/aws/control-plane.ts';
import { accountZones } from '../../../shared/domains/aws/account-zones.ts';
import { certificates } from '../../../shared/domains/aws/certificates.ts';
import { flows } from '../../../shared/domains/aws/flows.ts';
import { gatewayFront } from '../../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots } from '../../../shared/domains/aws/gateway-slots.ts';
import { platformZone } from '../../../shared/domains/aws/platform-zone.ts';
import { eventBus } from '../../../shared/domains/publisher.ts';
import { defaultEndpoint } from '../../../shared/projects/default-endpoint.ts';
import { stackDeploy } from '../../../shared/projects/stack-deploy.ts';
import { claimed, someEvent } from '../domains/claimed-domain.ts';
import { outcomeInFastTime } from './fast-time.ts';
import { silentServer } from './silent-server.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

const MACHINE = 'arn:aws:states:us-east-1:0:stateMachine:tend';
const projects = { list: async () => [] };

/** A call by the client of each file that has one. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'shared/api-keys/canary-key.ts': () => canarySecret('arn:aws:secretsmanager:us-east-1:0:secret:canary')(),
  'shared/api-keys/usage-plan.ts': () => gatewayKeys(gatewayClient(), 'staging').list(),
  'shared/domains/aws/account-zones.ts': () => accountZones(['Z1']).list(),
  'shared/domains/aws/certificates.ts': () =>
    certificates('staging').view('arn:aws:acm:us-east-1:0:certificate/1'),
  'shared/domains/aws/flows.ts': () => flows(MACHINE).start(claimed()),
  'shared/domains/aws/gateway-domains.ts': () =>
    gatewayFront('staging', gatewaySlots('unused')).find(claimed()),
  'shared/domains/aws/platform-zone.ts': () => platformZone('Z1').nameServers(),
  'shared/domains/publisher.ts': () => eventBus('staging').put([someEvent()]),
  'shared/projects/default-endpoint.ts': () =>
    defaultEndpoint({ projects, apiId: 'abcdefghij', stage: 'staging' }).reconcile(),
  'shared/projects/stack-deploy.ts': () => stackDeploy('Petstore-Staging').hasSucceeded(),
};

/** Points the clients that are created from now on at a server, with the deadline that they have on AWS. */
function useServer(endpoint: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('CONTROL_PLANE_DEADLINE_MS', '');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

describe('a service that is silent', () => {
  let silent: Awaited<ReturnType<typeof silentServer>>;
  beforeEach(async () => {
    silent = await silentServer();
    useServer(silent.endpoint);
  });

  test.each(Object.entries(CALLS))(
    'is asked four times, on a new connection each, within 15 s by %s',
    async (_, call) => {
      const { error, tookMs } = await outcomeInFastTime(call);
      expect([error, (error as Error).cause]).toContainEqual(
        expect.objectContaining({ name: 'TimeoutError' }),
      );
      await expect.poll(() => silent.connections.size).toBe(4);
      expect(tookMs).toBeLessThanOrEqual(15_000);
    },
  );

  test('is asked once by a client whose caller repeats what failed, for 15 s', async () => {
    const client = oneAttemptClient(APIGatewayClient);
    const { error, tookMs } = await outcomeInFastTime(() => client.send(new GetAccountCommand({})));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => silent.connections.size).toBe(1);
    expect(tookMs).toBeLessThanOrEqual(15_000);
  });
});

test('a connection that has become silent is given up for another', async () => {
  const used = new Set<unknown>();
  const { endpoint, connections } = await silentServer(({ socket }) => {
    if (used.has(socket)) return undefined;
    used.add(socket);
    return (_, response) => void response.end('{"Entries":[{"EventId":"1"}]}');
  });
  useServer(endpoint);
  const bus = eventBus('staging');
  for (const opened of [1, 2, 3]) {
    const { error } = await outcomeInFastTime(() => bus.put([someEvent()]));
    expect(error).toBeUndefined();
    expect(connections.size).toBe(opened);
  }
});

describe('no client is without limits:', () => {
  const sources = globSync('{functions,shared,infra}/**/*.ts', {
    cwd: PROJECT,
    exclude: ['infra/*/{test,testing}/**'],
  })
    .filter(file => !/node_modules|^shared\/aws\//.test(file))
    .map(file => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }));

  test('functions and shared construct theirs here, and each is called above', () => {
    const own = sources.filter(({ file }) => !file.startsWith('infra/'));
    expect(own.filter(({ text }) => /new [\w.]*Client\(/.test(text))).toEqual([]);
    const files = own.filter(({ text }) => /\bcontrolPlaneClient\(/.test(text)).map(({ file }) => file);
    expect(files.toSorted()).toEqual(Object.keys(CALLS));
  });

  test('infra gives theirs the settings of a target, which have limits by their type, or names the limits', () => {
    const constructed = sources.flatMap(({ file, text }) =>
      [...text.matchAll(/new [\w.]*Client\(([^;]*)\);/g)].map(([, options = '']) => ({ file, options })),
    );
    expect(constructed.length).toBeGreaterThan(5);
    const isLimited = /\b(aws|clientOptions|options)\b|requestHandler: /;
    expect(constructed.filter(({ options }) => !isLimited.test(options))).toEqual([]);
  });
});
