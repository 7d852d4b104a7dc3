import {
  ACMClient,
  DescribeCertificateCommand,
  ListTagsForCertificateCommand,
  paginateListCertificates,
} from '@aws-sdk/client-acm';
import {
  APIGatewayClient,
  GetBasePathMappingsCommand,
  GetDomainNameCommand,
} from '@aws-sdk/client-api-gateway';
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { onTestFinished } from 'vitest';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';

/** Reads what the account has at AWS, by AWS's own clients. */
export function accountReader(endpoint: string) {
  const credentials = { accessKeyId: 'auditor', secretAccessKey: 'x' };
  // Other files read and change the same account at the same time: a limit of calls may be reached.
  const options = { endpoint, region: 'us-east-1', credentials, maxAttempts: 10 };
  const acm = new ACMClient(options);
  const gateway = new APIGatewayClient(options);
  const route53 = new Route53Client(options);
  onTestFinished(() => {
    for (const client of [acm, gateway, route53]) client.destroy();
  });

  const certificates = async (domain: string, otherThan: string) => {
    const found: object[] = [];
    for await (const { CertificateSummaryList = [] } of paginateListCertificates({ client: acm }, {})) {
      for (const { CertificateArn, DomainName } of CertificateSummaryList) {
        if (DomainName !== domain) continue;
        const { Tags = [] } = await acm.send(new ListTagsForCertificateCommand({ CertificateArn }));
        if (Tags.some(({ Key, Value }) => Key === ENVIRONMENT_TAG && Value === otherThan)) continue;
        const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn }));
        found.push({ ...Certificate, Tags });
      }
    }
    return found;
  };

  /** The records of a name and below it, in all zones, and those that point at a host of API Gateway. */
  const records = async (domain: string, host: string) => {
    const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
    const isConcerned = ({ Name = '', ResourceRecords = [], AliasTarget }: ResourceRecordSet) =>
      `.${Name}`.endsWith(`.${domain}.`) ||
      [AliasTarget?.DNSName, ...ResourceRecords.map(({ Value }) => Value)].some(
        value => value?.replace(/\.$/, '') === host,
      );
    const sets = HostedZones.map(({ Id }) =>
      route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: Id })),
    );
    return (await Promise.all(sets)).flatMap(({ ResourceRecordSets = [] }) =>
      ResourceRecordSets.filter(isConcerned),
    );
  };

  return {
    /** Everything that exists for a name and was not created by this environment. */
    async namesake(domain: string, otherThan: string) {
      const { $metadata: _, ...domainName } = await gateway.send(
        new GetDomainNameCommand({ domainName: domain }),
      );
      const { items } = await gateway.send(new GetBasePathMappingsCommand({ domainName: domain }));
      return {
        domainName,
        mappings: items,
        certificates: await certificates(domain, otherThan),
        records: await records(domain, domainName.regionalDomainName ?? ''),
      };
    },
  };
}
