import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { acmApi } from '../../../infra/local/acm/acm-service.ts';
import type { CertificateAuthority } from '../../../infra/local/acm/certificate-authority.ts';
import { Certificates } from '../../../infra/local/acm/certificates.ts';
import type { Issuance } from '../../../infra/local/acm/issuance.ts';
import { apiGatewayApi } from '../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../infra/local/apigateway-control/domain-names.ts';
import type { ServiceApi } from '../../../infra/local/aws-api/service-api.ts';
import type { LambdaFunctions } from '../../../infra/local/lambda/functions.ts';
import { lambdaApi } from '../../../infra/local/lambda/lambda-service.ts';
import { HostedZones } from '../../../infra/local/route53/hosted-zones.ts';
import { route53Api } from '../../../infra/local/route53/route53-service.ts';
import type { Executions } from '../../../infra/local/stepfunctions/executions.ts';
import { stepFunctionsApi } from '../../../infra/local/stepfunctions/step-functions-service.ts';

const readme = readFileSync(new URL('../../../infra/local/README.md', import.meta.url), 'utf8');

/** The tables of all services. No operation is performed, so the parts that need a running service are left out. */
const apis: readonly ServiceApi[] = [
  acmApi({
    certificates: new Certificates(),
    issuance: {} as Issuance,
    authority: {} as CertificateAuthority,
    inUseBy: () => [],
    now: Date.now,
  }),
  apiGatewayApi({
    restApis: () => undefined,
    apiKeys: new ApiKeys(),
    domainNames: new DomainNames(),
    findCertificate: () => undefined,
  }),
  lambdaApi({} as LambdaFunctions),
  route53Api({ hostedZones: new HostedZones() }),
  stepFunctionsApi({} as Executions),
];

/** The cells of the table under a heading, row by row. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = readme.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter(line => line.startsWith('|'))
    .slice(2)
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    );
}

describe('README.md', () => {
  test('lists every operation of every service, in the order of the tables', () => {
    const listed = tableUnder('Operations').map(([service, operation]) => `${service} ${operation}`);
    const supported = apis.flatMap(({ title, operations }) =>
      operations.map(({ name }) => `${title} ${name}`),
    );
    expect(listed).toEqual(supported);
  });

  test('says of every rule how it was verified', () => {
    const rules = tableUnder('Rules, differences and how they were verified');
    expect(rules.length).toBeGreaterThan(0);
    for (const [service, rule, , verified] of rules) {
      expect(verified, `${service}: ${rule}`).toMatch(/documentation|recorded|not verified/);
    }
  });
});

test.each(apis.map(api => [api.title, api] as const))(
  'the errors that the dispatcher answers for %s have an HTTP status',
  (_, { errorNames, statusByError }) => {
    for (const name of Object.values(errorNames)) expect(statusByError).toHaveProperty(name);
  },
);
