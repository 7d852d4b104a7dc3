import { setTimeout as delay } from 'node:timers/promises';
import { ACMClient, paginateListCertificates } from '@aws-sdk/client-acm';
import { APIGatewayClient, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import {
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { ListStateMachinesCommand, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';
import { atEdge } from '../service/edge-client.ts';
import { type AwsAccess, awsClientOptions } from '../service/running-service.ts';
import { tableItems } from './final-checks.ts';
import type { SeenDomain } from './ledger/domain-ledger.ts';
import { type Engine, STAGES, type Stage } from './processes.ts';
import type { OperatorClient } from './workloads/operator-client.ts';
import type { SoakContext } from './world.ts';

/** Removals take a minute or two at this wait scale, on a busy machine several. What is not done by then is left behind. */
const LIMIT_MS = 8 * 60_000;
const PAUSE_MS = 3000;

interface Parts {
  readonly operators: Readonly<Record<Stage, OperatorClient>>;
  readonly projects: readonly string[];
  readonly apiKey: (stage: Stage) => string;
  readonly engine: Engine;
  progress(line: string): void;
}

/** Waits until every domain is at its goal with nothing left behind. What still differs at the end is a violation. */
export async function untilDomainsRest(context: SoakContext, parts: Parts): Promise<void> {
  const deadlineMs = context.now() + LIMIT_MS;
  for (let round = 0; ; round += 1) {
    const differences = await differencesOf(context, parts);
    if (differences.length === 0) return;
    if (context.now() > deadlineMs) {
      for (const [kind, what] of differences) context.violations.add(kind, what);
      return;
    }
    if (round % 5 === 0)
      parts.progress(`Waiting for ${differences.length} things, such as: ${differences[0]?.[1]}`);
    await delay(PAUSE_MS);
  }
}

async function differencesOf(context: SoakContext, parts: Parts) {
  const { domains, service, tally } = context;
  const running = await service.whenRunning();
  const seen: SeenDomain[] = [];
  const hostsInUse: string[] = [];
  const records: string[] = [];
  for (const stage of STAGES) {
    for (const project of parts.projects) {
      const reply = await parts.operators[stage].insist('domains.list', { project });
      if (!reply.ok) throw new Error(reply.error.message);
      for (const report of reply.result.domains) {
        const { domain, status, reason, redirect, role } = report;
        hostsInUse.push(
          ...report.records.filter(({ purpose }) => purpose === 'traffic').map(({ value }) => value),
        );
        const isRedirected = role === 'redirects' && redirect;
        const toBeServed = isRedirected ? `${redirect.status} https://${redirect.to}/v1/pets?limit=1` : '200';
        const served =
          status === 'live' ? await servedAt(running.edge, domain, parts.apiKey(stage)) : 'nothing';
        seen.push({ domain, status, reason, redirect, served, toBeServed });
        tally.count('requests to custom domains');
      }
    }
    const items = await tableItems(parts.engine, stage, 'DomainsTable');
    const keys = items.map(({ domain, project }) => `${domain?.S} ${project?.S}`);
    // Events are published within a minute; the names and the slots stay.
    records.push(...keys.filter(key => !/^#(names|slots)/.test(key)));
  }
  const account = await readAccount(running);
  return domains.differences(seen, { ...account, hostsInUse, records });
}

async function servedAt(
  edge: { https: string; ca: string },
  domain: string,
  apiKey: string,
): Promise<string> {
  try {
    const { status, headers } = await atEdge(edge, domain, '/v1/pets?limit=1', { apiKey });
    return headers.location === undefined ? String(status) : `${status} ${headers.location}`;
  } catch (error) {
    return `no response (${(error as Error).message})`;
  }
}

/** The zones in which the service creates a host for each claim. */
const PLATFORM_ZONES = ['apps.petstore.test.', 'apps.staging.petstore.test.'];

/** Reads what the account has for custom domains, by AWS's own clients and without faults. */
async function readAccount(service: AwsAccess) {
  const options = { ...awsClientOptions(service), maxAttempts: 10 };
  const [acm, gateway] = [new ACMClient(options), new APIGatewayClient(options)];
  const [route53, states] = [new Route53Client(options), new SFNClient(options)];
  try {
    const certificates: string[] = [];
    for await (const { CertificateSummaryList = [] } of paginateListCertificates({ client: acm }, {})) {
      certificates.push(...CertificateSummaryList.map(({ DomainName = '' }) => DomainName));
    }
    const gatewayNames: string[] = [];
    for await (const { items = [] } of paginateGetDomainNames({ client: gateway }, {})) {
      gatewayNames.push(...items.map(({ domainName = '' }) => domainName));
    }
    const hosts = await platformHosts(route53);
    const runningExecutions: string[] = [];
    const { stateMachines = [] } = await states.send(new ListStateMachinesCommand({}));
    for (const { stateMachineArn } of stateMachines) {
      const pages = paginateListExecutions({ client: states }, { stateMachineArn, statusFilter: 'RUNNING' });
      for await (const { executions = [] } of pages) {
        runningExecutions.push(...executions.map(({ executionArn = '' }) => executionArn));
      }
    }
    return { certificates, gatewayNames, hosts, runningExecutions };
  } finally {
    for (const client of [acm, gateway, route53, states]) client.destroy();
  }
}

async function platformHosts(route53: Route53Client): Promise<string[]> {
  const { HostedZones = [] } = await route53.send(new ListHostedZonesCommand({}));
  const hosts: string[] = [];
  for (const { Id, Name = '' } of HostedZones) {
    if (!PLATFORM_ZONES.includes(Name)) continue;
    const { ResourceRecordSets = [] } = await route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId: Id }),
    );
    const created = ResourceRecordSets.filter(({ Type }) => Type !== 'NS' && Type !== 'SOA');
    hosts.push(...created.map(({ Name: host = '' }) => host.replace(/\.$/, '')));
  }
  return hosts;
}
