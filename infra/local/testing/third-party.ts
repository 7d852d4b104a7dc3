import { ACMClient, DescribeCertificateCommand, RequestCertificateCommand } from '@aws-sdk/client-acm';
import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateBasePathMappingCommand,
  CreateDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { expect, onTestFinished } from 'vitest';
import type { LocalAws } from '../local-aws.ts';

/** An access key of another account: its twelve digits. */
const OTHER_ACCOUNT = '999999999999';

type AwsAccess = Pick<LocalAws, 'awsEndpoint' | 'awsCredentials'>;

/** Below ACM's limit of ten calls a second. */
const PATIENTLY = { interval: 150 };

/**
 * Somebody else who uses the account that the service is deployed to, and somebody of another account. What they create
 * has none of the service's tags. The AWS endpoint is that of a running service, or of a control plane in the test's own
 * process, which has only some of the operations.
 */
export function thirdParty({ awsEndpoint: endpoint, awsCredentials }: AwsAccess) {
  // A slot for a change of a domain name may be taken: further attempts wait for the next one.
  const own = { endpoint, region: 'us-east-1', credentials: awsCredentials, maxAttempts: 10 };
  const acm = new ACMClient(own);
  const gateway = new APIGatewayClient(own);
  const route53 = new Route53Client(own);
  const elsewhere = new APIGatewayClient({
    ...own,
    credentials: { ...awsCredentials, accessKeyId: OTHER_ACCOUNT },
  });
  onTestFinished(() => {
    for (const client of [acm, gateway, route53, elsewhere]) client.destroy();
  });

  const described = async (CertificateArn: string | undefined) =>
    (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate;

  const self = {
    /** Creates a hosted zone and returns its id. */
    async hostedZone(Name: string): Promise<string> {
      const command = new CreateHostedZoneCommand({ Name, CallerReference: `third party ${Name}` });
      return (await route53.send(command)).HostedZone?.Id ?? '';
    },

    /** Requests a certificate, which stays pending, and returns its ARN. */
    async certificate(DomainName: string): Promise<string> {
      const command = new RequestCertificateCommand({ DomainName, ValidationMethod: 'DNS' });
      return (await acm.send(command)).CertificateArn ?? '';
    },

    /** Requests a certificate, publishes its validation record in a zone, and returns its ARN once it is issued. */
    async issuedCertificate(domainName: string, HostedZoneId: string): Promise<string> {
      const arn = await self.certificate(domainName);
      const record = async () => (await described(arn))?.DomainValidationOptions?.[0]?.ResourceRecord;
      await expect.poll(record, PATIENTLY).toBeDefined();
      expect((await described(arn))?.Status).toBe('PENDING_VALIDATION');
      const { Name, Value } = (await record()) ?? {};
      const ResourceRecordSet = { Name, Type: 'CNAME' as const, TTL: 300, ResourceRecords: [{ Value }] };
      const ChangeBatch = { Changes: [{ Action: 'UPSERT' as const, ResourceRecordSet }] };
      await route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch }));
      await expect.poll(async () => (await described(arn))?.Status, PATIENTLY).toBe('ISSUED');
      return arn;
    },

    /** Creates a domain name with an issued certificate. */
    async domainName(domainName: string, regionalCertificateArn: string): Promise<void> {
      await gateway.send(
        new CreateDomainNameCommand({
          domainName,
          regionalCertificateArn,
          endpointConfiguration: { types: ['REGIONAL'] },
        }),
      );
    },

    /** Maps a domain name to an API that the third party may use. */
    async mapping(domainName: string, restApiId: string, stage: string): Promise<void> {
      await gateway.send(new CreateBasePathMappingCommand({ domainName, restApiId, stage }));
    },

    /** Creates an API key and returns its id. */
    async apiKey(name: string): Promise<string> {
      return (await gateway.send(new CreateApiKeyCommand({ name, enabled: true }))).id ?? '';
    },

    /** Creates a domain name in another account, where nobody of this one sees it. */
    async domainNameInOtherAccount(domainName: string): Promise<void> {
      await elsewhere.send(
        new CreateDomainNameCommand({
          domainName,
          regionalCertificateArn: `arn:aws:acm:us-east-1:${OTHER_ACCOUNT}:certificate/theirs`,
          endpointConfiguration: { types: ['REGIONAL'] },
        }),
      );
    },
  };
  return self;
}
