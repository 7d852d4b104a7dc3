import { expect, onTestFinished } from 'vitest';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import type { AwsService } from '../../../../infra/local/aws-api/service-api.ts';
import { close, listen, originOf } from '../../../../infra/local/host/http-servers.ts';
import { type Principal, principalOutside } from '../../../../infra/local/iam/principal.ts';

/** Serves services on a free port until the test has finished. The test fails if the endpoint reported something. */
export async function serveEndpoint(services: Readonly<Record<string, AwsService>>, principal?: Principal) {
  const server = await listen(0, '');
  const reported: string[] = [];
  server.on(
    'request',
    awsEndpoint({
      services,
      principal: accessKeyId => principal ?? principalOutside(accessKeyId),
      report: line => reported.push(line),
    }),
  );
  onTestFinished(async () => {
    await close(server);
    expect(reported).toEqual([]);
  });
  return {
    /** For clients of the SDK. They do not retry: a test sees the first answer. */
    clientOptions: {
      endpoint: originOf(server),
      region: 'us-east-1',
      credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
      maxAttempts: 1,
    },
    endpoint: originOf(server),
    /** What the endpoint reported. A test that expects a report takes it out. */
    reported,
  };
}
