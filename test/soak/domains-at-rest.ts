import { setTimeout as delay } from 'node:timers/promises';
import { ACMClient, DescribeCertificateCommand, paginateListCertificates } from '@aws-sdk/client-acm';
import { APIGatewayClient, paginateGetDomainNames } from '@aws-sdk/client-api-gateway';
import { paginateListExecutions, paginateListStateMachines, SFNClient } from '@aws-sdk/client-sfn';
import { localTarget } from '../../infra/operator/connection/target.ts';
import { HostedZones } from '../../infra/operator/domains/hosted-zones.ts';
import { exchange } from '../../infra/tools/http-exchange.ts';
import type { RunningService } from '../service/running-service.ts';
import { EXPIRES, type SeenAccount, type SeenDefaultUrl, type SeenDomain } from './ledger/domain-ledger.ts';
import type { TableItem } from './processes.ts';
import type { StageContext } from './stage-context.ts';
import { PROJECTS } from './workloads/domain-owners.ts';
import type { SoakContext } from './world.ts';

const PAUSE_MS = 3000;

/** Waits until every domain is at its goal with nothing left behind. What still differs at the end is a violation. */
export async function untilDomainsRest(
  context: SoakContext,
  stages: readonly StageContext[],
  progress: (line: string) => void,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const differences = await differencesOf(context, stages);
    if (differences.length === 0) return;
    if (context.isRestOver()) {
      for (const [kind, what] of differences) context.violations.add(kind, what);
      return;
    }
    if (round % 5 === 0)
      progress(`Waiting for ${differences.length} things, such as: ${differences[0]?.[1]}`);
    await delay(PAUSE_MS);
  }
}

async function differencesOf(
  { domains, service, tally, engine }: SoakContext,
  stages: readonly StageContext[],
) {
  const running = await service.whenRunning();
  const seen: SeenDomain[] = [];
  const defaultUrls: SeenDefaultUrl[] = [];
  const items: string[] = [];
  for (const { stage, apiKey, operator } of stages) {
    const served = (host: string) => {
      tally.count('requests to custom domains and default URLs');
      return servedAt(running.edge, host, apiKey);
    };
    const stored = await engine.items(stage, 'DomainsTable');
    items.push(...stored.flatMap(itemTexts(stage)));
    for (const project of PROJECTS) {
      const listed = await operator.insist('domains.list', { project });
      const shown = await operator.insist('projects.show', { id: project });
      if (!listed.ok) throw new Error(listed.error.message);
      if (!shown.ok) throw new Error(shown.error.message);
      const reports = listed.result.domains;
      for (const { domain, status, reason, redirect, role } of reports) {
        const claim = stored.find(item => item.domain?.S === domain && item.project?.S === project);
        const isRedirected = role === 'redirects' && redirect;
        seen.push({
          domain,
          status,
          reason,
          redirect,
          // At an apex in Route 53 the record that owners are shown leads past this host, to API Gateway.
          host: claim?.target?.S ?? '',
          served: status === 'live' ? await served(domain) : 'nothing',
          toBeServed: isRedirected ? `${redirect.status} https://${redirect.to}${PATH}` : '200',
        });
      }
      const { host } = new URL(shown.result.defaultUrl);
      const primary = reports.find(({ role }) => role === 'primary')?.domain;
      defaultUrls.push({
        project,
        stage,
        platformDomain: host.slice(project.length + 1),
        served: await served(host),
        toBeServed: primary === undefined ? '200' : `308 https://${primary}${PATH}`,
      });
    }
  }
  const platformDomains = defaultUrls.map(({ platformDomain }) => platformDomain);
  const account = await readAccount(running, platformDomains);
  return domains.differences(seen, defaultUrls, { ...account, items });
}

const PATH = '/v1/pets?limit=1';

/** An item by its key, and each of the names that it has. */
const itemTexts = (stage: string) => (item: TableItem) => {
  const { domain, project, expiresAt, unverified, verified } = item;
  const key = `${stage}: ${domain?.S} ${project?.S}${expiresAt ? EXPIRES : ''}`;
  const names = [...(unverified?.SS ?? []), ...(verified?.SS ?? [])];
  return [key, ...names.map(name => `${key} ${name}`)];
};

async function servedAt(
  edge: { https: string; ca: string },
  domain: string,
  apiKey: string,
): Promise<string> {
  try {
    const { status, headers } = await exchange(`https://${domain}${PATH}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
      edge,
      agent: false,
    });
    return headers.location === undefined ? String(status) : `${status} ${headers.location}`;
  } catch (error) {
    return `no response (${(error as Error).message})`;
  }
}

/** Reads what the account has, by AWS's own clients and without faults. */
async function readAccount(
  running: RunningService,
  platformDomains: readonly string[],
): Promise<Omit<SeenAccount, 'items'>> {
  const { aws } = localTarget('staging', { ...running, baseUrls: {} });
  const options = { ...aws, maxAttempts: 10 };
  const [acm, gateway, states] = [
    new ACMClient(options),
    new APIGatewayClient(options),
    new SFNClient(options),
  ];
  try {
    const listed = await Array.fromAsync(paginateListCertificates({ client: acm }, {}));
    const summaries = listed.flatMap(({ CertificateSummaryList = [] }) => CertificateSummaryList);
    const certificates = await Array.fromAsync(summaries, async ({ CertificateArn, DomainName = '' }) => {
      const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn }));
      const [{ ResourceRecord } = {}] = Certificate?.DomainValidationOptions ?? [];
      return { domain: DomainName, validation: ResourceRecord?.Name?.replace(/\.$/, '') ?? '' };
    });
    const names = await Array.fromAsync(paginateGetDomainNames({ client: gateway }, {}));
    const machines = await Array.fromAsync(paginateListStateMachines({ client: states }, {}));
    const executions = await Array.fromAsync(
      machines.flatMap(({ stateMachines = [] }) => stateMachines),
      ({ stateMachineArn }) =>
        Array.fromAsync(
          paginateListExecutions({ client: states }, { stateMachineArn, statusFilter: 'RUNNING' }),
        ),
    );
    const zones = await HostedZones.of({ aws: options });
    const platformZones = (await zones.list()).filter(({ name }) => platformDomains.includes(name));
    const records = (await Array.fromAsync(platformZones, zone => zones.recordsOf(zone))).flat();
    return {
      certificates,
      gatewayNames: names.flatMap(({ items = [] }) => items.map(({ domainName = '' }) => domainName)),
      runningExecutions: executions
        .flat()
        .flatMap(page => page.executions ?? [])
        .map(({ executionArn = '' }) => executionArn),
      platformRecords: records
        .filter(({ Type = '' }) => !['NS', 'SOA'].includes(Type))
        .map(({ Type, Name }) => `${Type} ${Name}`),
    };
  } finally {
    for (const client of [acm, gateway, states]) client.destroy();
  }
}
