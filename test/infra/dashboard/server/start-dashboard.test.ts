import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { serveDashboard } from '../../../../infra/dashboard/server/start-dashboard.ts';
import { needs } from '../../../../infra/local/testing/needs.ts';
import { reachableElsewhere } from '../../../../infra/local/testing/other-addresses.ts';
import { standInEnvironment } from '../test-dashboard.ts';

const hasIpv6 = Object.values(networkInterfaces()).some(all => all?.some(({ address }) => address === '::1'));
const NEEDS_IPV6 = needs('IPv6 on the loopback interface', hasIpv6);

async function started(port: number, canMove = false) {
  const dashboard = await serveDashboard([standInEnvironment('staging')], { port, canMove });
  onTestFinished(() => dashboard.close());
  return new URL(dashboard.url);
}

test('is reachable from this machine alone', async () => {
  const { port } = await started(0);
  expect(await reachableElsewhere(Number(port))).toEqual([]);
});

test('serves a link at both addresses at which a browser may look for its host', NEEDS_IPV6, async () => {
  const { host, port } = await started(0);
  for (const address of ['127.0.0.1', '::1']) {
    const [response] = await once(get({ host: address, port, headers: { Host: host } }), 'response');
    expect(response.resume().statusCode, address).toBe(200);
  }
});

test.for(['127.0.0.1', '::1'])('has no port that another program has at %s', NEEDS_IPV6, async address => {
  const other = createServer().listen(0, address);
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(started(port)).rejects.toThrow('EADDRINUSE');
  expect((await started(port, true)).port).not.toBe(String(port));
});
