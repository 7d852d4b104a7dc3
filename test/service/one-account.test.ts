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
  Route53Client,
} from '@aws-sdk/client-route-53';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { EDGE_ADDRESSES } from '../../infra/local/testing/public-addresses.ts';
import { thirdParty } from '../../infra/local/testing/third-party.ts';
import { ENVIRONMENT_TAG } from '../../shared/aws/ownership-tags.ts';
import { domainCommands, registrarOf, type ShownRecord } from './domain-commands.ts';
import { atEdge } from './http-client.ts';
import { operate } from './operator.ts';
import { type AwsAccess, awsClientOptions } from './running-service.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const project = 'one-account';
const production = domainCommands('production');
const staging = domainCommands('staging');

beforeAll(async () => {
  for (const { deployed } of [production, staging]) await deployed(project);
});

const recordOf = ({ records }: { records: ShownRecord[] }, type: string): ShownRecord =>
  records.find(record => record.type === type) ?? expect.fail(`There is no ${type} record.`);

/** Creates the zone of an apex whose alias is flattened to an address of AWS, all of which are the edge's here. */
async function zoneOf(apex: string) {
  const registrar = await registrarOf(apex, service);
  onTestFinished(() => registrar.close());
  await registrar.set(apex, 'A', EDGE_ADDRESSES.A);
  return {
    ...registrar,
    /** Publishes what proves the claims of several environments: ACM's record is the same in the whole account. */
    async publish(...reports: { records: ShownRecord[] }[]): Promise<void> {
      const [first = { records: [] }] = reports;
      await registrar.set(
        recordOf(first, 'TXT').name,
        'TXT',
        ...reports.map(report => recordOf(report, 'TXT').value),
      );
      await registrar.create([recordOf(first, 'CNAME')]);
    },
  };
}

/** Reads everything of a name that is not staging's, at API Gateway, ACM and Route 53. */
const readOthers = (domain: string) => accountReader(service).namesake(domain, 'staging');

const served = async (host: string) => {
  const { apiKey } = service.production;
  return (await atEdge(service.edge, host, '/v1/pets?limit=1', { apiKey })).status;
};

/** Staging verifies its claim of a name and gives it up: what others have of the name stays as it was, and is served. */
async function expectUntouched(domain: string, theirs: object): Promise<void> {
  const before = await readOthers(domain);
  expect(before).toMatchObject({ ...theirs, certificates: [{ Status: 'ISSUED' }] });
  const expectSame = async () => {
    expect(await readOthers(domain)).toEqual(before);
    expect(await served(domain)).toBe(200);
  };
  await staging.command('domains.verify', { domain, project });
  await staging.shown(domain, { status: 'issuing', reason: 'domain_name_foreign' }, project);
  await expectSame();
  await staging.removed(domain, project);
  await expectSame();
  expect(await operate(service, 'staging', { command: 'domains.add', domain, project })).toMatchObject({
    ok: false,
    error: { code: 'conflict', reason: 'domain_name_foreign' },
  });
}

describe('staging, asked for a name that somebody else has', () => {
  test('changes nothing of production’s, whose apex stays live and is served', async () => {
    const domain = 'contested.com';
    const zone = await zoneOf(domain);
    const [theirs, ours] = await Promise.all([
      production.claimed(domain, project),
      staging.claimed(domain, project),
    ]);
    await zone.publish(theirs, ours);
    await production.command('domains.verify', { domain, project });
    await production.shown(domain, { status: 'live' }, project);
    await expectUntouched(domain, {
      domainName: { tags: { 'petstore:environment': 'production' } },
      mappings: [{ stage: 'production' }],
    });
    const checked = await production.command('domains.verify', { domain, project });
    expect(checked).toMatchObject({ status: 'live', reason: null });
  });

  test('changes nothing of another team’s name, certificate and mapping', async () => {
    const domain = 'billing-team.com';
    const zone = await zoneOf(domain);
    const team = thirdParty(service);
    const claim = await staging.claimed(domain, project);
    const { apiId, stage } = await production.command('projects.show', { id: project });
    await team.domainName(domain, await team.issuedCertificate(domain, zone.zoneId));
    await team.mapping(domain, apiId, stage);
    await zone.publish(claim);
    await expectUntouched(domain, { domainName: { tags: {} }, mappings: [{ restApiId: apiId }] });
  });

  test('does not get a name of another account, which keeps it', async () => {
    const domain = 'another-account.com';
    const zone = await zoneOf(domain);
    const elsewhere = thirdParty(service);
    await elsewhere.domainNameInOtherAccount(domain);
    await zone.publish(await staging.claimed(domain, project));
    await staging.command('domains.verify', { domain, project });
    await staging.shown(
      domain,
      { reason: 'attachment_refused', message: expect.stringContaining('Another AWS account has') },
      project,
    );
    await staging.removed(domain, project);
    await expect(elsewhere.domainNameInOtherAccount(domain)).rejects.toThrow('already exists');
  });
});

test('a name goes over to another project that has proven it, as soon as its owner gives it up', async () => {
  const [domain, heir] = ['handed-over.com', 'one-account-heir'];
  await staging.deployed(heir);
  const zone = await zoneOf(domain);
  await zone.publish(await staging.claimed(domain, project), await staging.claimed(domain, heir));
  await staging.command('domains.verify', { domain, project });
  await staging.shown(domain, { status: 'live' }, project);
  await staging.command('domains.remove', { domain, project });
  await staging.command('domains.verify', { domain, project: heir });
  await staging.shown(domain, { status: 'live' }, heir);
});

/** Reads what the account has at AWS, by AWS's own clients. */
function accountReader(service: AwsAccess) {
  // Other files read and change the same account at the same time: a limit of calls may be reached.
  const options = { ...awsClientOptions(service), maxAttempts: 10 };
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
    const sets = HostedZones.map(({ Id }) =>
      route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: Id })),
    );
    return (await Promise.all(sets))
      .flatMap(({ ResourceRecordSets = [] }) => ResourceRecordSets)
      .filter(set => [domain, host].some(name => JSON.stringify(set).includes(name)));
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
