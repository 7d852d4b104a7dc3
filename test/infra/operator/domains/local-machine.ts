import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { HostedZones } from '../../../../infra/local/testing/dns.ts';
import { startEndpoint, TEST_KEY } from '../../../../infra/local/testing/served-endpoint.ts';
import { route53Service } from '../../../../infra/local/testing/served-route53.ts';
import { localTarget } from '../../../../infra/operator/connection/target.ts';
import { sourceVersion } from '../../../../infra/tools/build-cache.ts';
import { EMPTY_HOME } from '../../cli/run-petstore.ts';

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Route 53 of the local AWS and an operator function with one response, with the file that `npm start` writes. */
export async function startLocalMachine(result?: unknown) {
  const zones = new HostedZones({ waitScale: 0 });
  const { endpoint: awsUrl, stop } = await startEndpoint({
    services: {
      route53: route53Service(zones),
      lambda: async ({ response }) => {
        response.end(JSON.stringify({ ok: true, result, version: sourceVersion() }));
      },
    },
  });
  stops.push(stop);
  const file = join(EMPTY_HOME, `${randomUUID()}.json`);
  const aws = { awsEndpoint: awsUrl, awsCredentials: TEST_KEY };
  writeFileSync(
    file,
    JSON.stringify({ ...aws, baseUrls: { staging: `${awsUrl}/staging` }, pid: process.pid }),
  );
  return {
    zones,
    environment: { PETSTORE_RUNNING_FILE: file },
    target: localTarget('staging', { ...aws, baseUrls: {}, edge: { https: '', ca: '' } }),
    /** Such as `www.example.com. CNAME host.example.com`, without the SOA and NS records that every zone has. */
    records: () =>
      zones
        .list()
        .flatMap(({ recordSets }) => recordSets)
        .filter(({ type }) => type !== 'SOA' && type !== 'NS')
        .map(({ name, type, values, aliasTarget }) =>
          [name, type, ...values, ...(aliasTarget ? [`alias ${aliasTarget.dnsName}`] : [])].join(' '),
        ),
  };
}
