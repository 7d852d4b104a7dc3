import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ACMClient, paginateListCertificates } from '@aws-sdk/client-acm';
import { APIGatewayClient, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import {
  DynamoDBClient,
  paginateListTables,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { paginateListExecutions, paginateListStateMachines, SFNClient } from '@aws-sdk/client-sfn';
import { beforeAll, expect, test } from 'vitest';
import { ENGINE_OF_THE_RUN, startEngine } from '../../infra/local/testing/engine.ts';
import { domainCommands, registrarOf, type ShownRecord } from './domain-commands.ts';
import { atEdge } from './http-client.ts';
import { eventually } from './operator.ts';
import { awsClientOptions, PATIENT, type RunningService, requireWithinModels } from './running-service.ts';
import { serviceOnDisk } from './service-on-disk.ts';

/** A service with its data on disk that is killed again and again while it sets domains up and removes them. */
// API Gateway's 30 s between two domain names are 1.5 s, so that ten take longer than a look at them on a busy machine.
const { project, start } = serviceOnDisk(['--wait-scale', '0.05', ...PATIENT]);
let service: RunningService;
beforeAll(async () => {
  service = await start();
});
const { command, claimed } = domainCommands('staging', () => service);

const ZONE = 'killed.dev';
const DOMAINS = Array.from({ length: 10 }, (_, number) => `www${number}.${ZONE}`);
const KEPT = DOMAINS.slice(0, 5);
const REMOVED = DOMAINS.slice(5);

test('ten domains that are set up and removed while the service is killed are live or gone, with nothing left', async () => {
  const hosts = await publish();
  for (const domain of DOMAINS) await command('domains.verify', { domain });
  await eventually(async () => expect(await statuses()).toContain('live'));

  // The first reply comes while the other requests are carried out. They are repeated, as an operator's client does.
  const removals = REMOVED.map(domain => ({ domain, requestId: randomUUID() }));
  const remove = () => removals.map(removal => command('domains.remove', removal));
  expect(await killAfterFirst(remove())).not.toEqual([]);
  await killAfterFirst(remove());
  await Promise.all(remove());

  await eventually(async () => {
    const { domains } = await command('domains.list', {});
    expect(domains).toHaveLength(KEPT.length);
    for (const domain of KEPT) {
      expect(domains).toContainEqual(expect.objectContaining({ domain, status: 'live', reason: null }));
      expect(await served(domain)).toMatchObject({ status: 200 });
    }
    expect(await account()).toEqual({
      certificates: KEPT,
      gatewayNames: KEPT,
      hosts: KEPT.map(domain => hosts.get(domain)).toSorted(),
      items: [
        `#names petstore ${KEPT.join(' ')}`,
        ...KEPT.flatMap(domain => [`${domain} #owner`, `${domain} petstore`]),
      ],
      executions: [],
    });
  });
  for (const domain of REMOVED) await expect(served(domain)).rejects.toThrow();
  await service.stop();
});

/** Adds the domains and creates their records. Returns their hosts. */
async function publish(): Promise<ReadonlyMap<string, string>> {
  const registrar = await registrarOf(ZONE, service);
  const reports = await Promise.all(DOMAINS.map(domain => claimed(domain)));
  for (const { records } of reports) await registrar.create(records);
  registrar.close();
  const hostOf = ({ records }: { records: (ShownRecord & { purpose: string })[] }) =>
    records.find(({ purpose }) => purpose === 'traffic')?.value ?? '';
  return new Map(reports.map(report => [report.domain, hostOf(report)]));
}

async function statuses(): Promise<string[]> {
  const { domains } = await command('domains.list', {});
  return domains.map(({ status }: { status: string }) => status);
}

/**
 * Kills the service with SIGKILL when the first of some requests has its reply, and starts it again. Returns the domains
 * that were being set up or removed.
 */
async function killAfterFirst(sent: readonly Promise<unknown>[]): Promise<string[]> {
  await Promise.any(sent);
  service.process.kill('SIGKILL');
  await Promise.allSettled([service.ended, ...sent]);
  requireWithinModels(service.complaints());
  const unfinished = await inKilledDatabase();
  service = await start();
  return unfinished;
}

/**
 * Lets 90 s go by for the leases of the holders that were killed, which wait scales don't shorten. Returns the domains that
 * are neither live nor gone.
 */
async function inKilledDatabase(): Promise<string[]> {
  const databaseFolder = join(project, '.local/dynamodb');
  const { endpoint, accessKeyId, stop } = startEngine({ name: ENGINE_OF_THE_RUN, databaseFolder });
  const credentials = { accessKeyId, secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint: await endpoint, region: 'us-east-1', credentials });
  const items = await storedItems(client);
  for (const { domain, project, holder } of items) {
    if (!holder) continue;
    await client.send(
      new UpdateItemCommand({
        TableName: await domainsTable(client),
        Key: { domain: domain ?? expect.fail(), project: project ?? expect.fail() },
        UpdateExpression: 'SET untilMs = :over',
        ExpressionAttributeValues: { ':over': { N: '0' } },
      }),
    );
  }
  client.destroy();
  await stop();
  return items
    .filter(
      ({ project, liveAt, removalStartedAt }) =>
        project?.S === 'petstore' && (!liveAt?.S || removalStartedAt?.S),
    )
    .map(({ domain }) => domain?.S ?? '')
    .filter(domain => DOMAINS.includes(domain));
}

const served = (domain: string) =>
  atEdge(service.edge, domain, '/v1/pets?limit=1', { apiKey: service.staging.apiKey });

/** What the account has for the domains, and every execution that runs. */
async function account() {
  const options = { ...awsClientOptions(service), maxAttempts: 10 };
  const [acm, gateway, route53] = [
    new ACMClient(options),
    new APIGatewayClient(options),
    new Route53Client(options),
  ];
  const [states, tables] = [new SFNClient(options), new DynamoDBClient(options)];
  try {
    const certificates = await Array.fromAsync(paginateListCertificates({ client: acm }, {}));
    const names = await Array.fromAsync(paginateGetDomainNames({ client: gateway }, {}));
    const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
    const platform = HostedZones.find(({ Name }) => Name === 'apps.staging.petstore.test.');
    const { ResourceRecordSets: records = [] } = await route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: platform?.Id }),
    );
    const ofDomains = (found: (string | undefined)[]) =>
      found.filter((name = '') => name.endsWith(`.${ZONE}`)).toSorted();
    return {
      certificates: ofDomains(
        certificates.flatMap(({ CertificateSummaryList = [] }) =>
          CertificateSummaryList.map(({ DomainName }) => DomainName),
        ),
      ),
      gatewayNames: ofDomains(names.flatMap(({ items = [] }) => items.map(({ domainName }) => domainName))),
      hosts: records
        // Those with an underscore validate the certificate of the default URLs.
        .filter(({ Type, Name }) => Type === 'CNAME' && !Name?.startsWith('_'))
        .map(({ Name = '' }) => Name.replace(/\.$/, ''))
        .toSorted(),
      items: await itemsOf(tables),
      executions: await executionsOf(states),
    };
  } finally {
    for (const client of [acm, gateway, route53, states, tables]) client.destroy();
  }
}

/** The items that name one of the domains, without those that DynamoDB deletes by itself. */
async function itemsOf(client: DynamoDBClient): Promise<string[]> {
  return (await storedItems(client))
    .filter(item => !item.expiresAt && JSON.stringify(item).includes(ZONE))
    .map(({ domain, project, unverified, verified }) => {
      const names = [...(unverified?.SS ?? []), ...(verified?.SS ?? [])].toSorted();
      return [domain?.S, project?.S, ...names].join(' ');
    })
    .toSorted();
}

async function storedItems(client: DynamoDBClient) {
  const TableName = await domainsTable(client);
  const pages = await Array.fromAsync(paginateScan({ client }, { TableName, ConsistentRead: true }));
  return pages.flatMap(({ Items = [] }) => Items);
}

async function domainsTable(client: DynamoDBClient): Promise<string | undefined> {
  const pages = await Array.fromAsync(paginateListTables({ client }, {}));
  const names = pages.flatMap(({ TableNames = [] }) => TableNames);
  return names.find(name => name.startsWith('Petstore-Staging-DomainsTable'));
}

async function executionsOf(client: SFNClient): Promise<string[]> {
  const machines = (await Array.fromAsync(paginateListStateMachines({ client }, {}))).flatMap(
    ({ stateMachines = [] }) => stateMachines,
  );
  const running = await Array.fromAsync(machines, ({ stateMachineArn }) =>
    Array.fromAsync(paginateListExecutions({ client }, { stateMachineArn, statusFilter: 'RUNNING' })),
  );
  return running
    .flat()
    .flatMap(({ executions = [] }) => executions)
    .map(({ name = '' }) => name);
}
