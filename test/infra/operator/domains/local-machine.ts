import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { awsService } from '../../../../infra/local/aws-api/aws-service.ts';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import { sendJson } from '../../../../infra/local/aws-api/http-messages.ts';
import { close, listen, originOf } from '../../../../infra/local/host/http-servers.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import { route53Api } from '../../../../infra/local/route53/route53-service.ts';
import {
  TEST_KEY,
  testCaller,
  unexpectedReport,
} from '../../../../infra/local/test/aws-api/served-endpoint.ts';
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
  const server = await listen(0, '');
  stops.push(() => close(server));
  const services = {
    route53: awsService(route53Api({ hostedZones: zones })),
    lambda: async ({ response }: { response: Parameters<typeof sendJson>[0] }) =>
      sendJson(response, 200, { ok: true, result, version: sourceVersion() }),
  };
  server.on('request', awsEndpoint({ services, caller: testCaller(), report: unexpectedReport }));
  const awsUrl = originOf(server);
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
