import { APIGatewayClient, CreateDomainNameCommand } from '@aws-sdk/client-api-gateway';
import { onTestFinished } from 'vitest';
import { Certificates } from '../../../../infra/local/acm/certificates.ts';
import { apiGatewayService } from '../../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../../infra/local/apigateway-control/domain-names.ts';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import type { Resource } from '../../../../infra/local/cloudformation/resource.ts';
import { close, listen, originOf } from '../../../../infra/local/http-servers.ts';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import { api, onePet, serve } from '../apigateway/served-api.ts';

interface ServedDomainNamesOptions {
  readonly principal?: Principal;
  readonly file?: string;
  readonly waitScale?: number;
  /** APIs beside the one that there always is. */
  readonly otherApis?: readonly Resource[];
}

/** The API Gateway API beside an API with a stage and issued certificates, with a clock that the test sets. */
export async function serveDomainNames(options: ServedDomainNamesOptions = {}) {
  const { principal = developer, file, waitScale = 1, otherApis = [] } = options;
  const clock = { nowMs: Date.now() };
  const now = () => clock.nowMs;
  const certificates = new Certificates();
  const domainNames = new DomainNames({ file, waitScale, now });
  const served = await serve([...api(), ...onePet(), ...otherApis]);
  const service = apiGatewayService({
    restApis: () => served.apis,
    apiKeys: new ApiKeys(),
    domainNames,
    findCertificate: arn => certificates.find(arn),
    waitScale,
    now,
  });
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const services = { apigateway: service };
  server.on('request', awsEndpoint({ services, principal: () => principal, report: () => {} }));
  const client = new APIGatewayClient({
    endpoint: originOf(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());

  const certificateFor = (...names: string[]): string => {
    const newCertificate = { names, keyAlgorithm: 'RSA_2048', tags: {}, createdAtMs: now() } as const;
    const { arn } = certificates.add(newCertificate);
    certificates.change(arn, { status: 'ISSUED' });
    return arn;
  };
  const created = (domainName: string, more: object = {}) => {
    clock.nowMs += 30_000 * waitScale;
    return client.send(
      new CreateDomainNameCommand({
        domainName,
        regionalCertificateArn: certificateFor(domainName),
        endpointConfiguration: { types: ['REGIONAL'] },
        ...more,
      }),
    );
  };
  return Object.assign(clock, {
    endpoint: originOf(server),
    client,
    certificates,
    domainNames,
    certificateFor,
    created,
  });
}
