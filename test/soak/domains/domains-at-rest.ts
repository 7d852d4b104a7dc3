import { setTimeout as delay } from 'node:timers/promises';
import { atEdge } from '../../service/edge-client.ts';
import type { SoakContext } from '../context.ts';
import type { Engine } from '../engine.ts';
import { tableItems } from '../final/table-items.ts';
import type { SeenDomain } from '../ledger/domain-ledger.ts';
import type { OperatorClient } from '../operators/operator-client.ts';
import { STAGES, type Stage } from '../service-process.ts';
import { readAccount } from './account.ts';

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
  const { awsEndpoint, edge } = await service.whenRunning();
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
        const served = status === 'live' ? await servedAt(edge, domain, parts.apiKey(stage)) : 'nothing';
        seen.push({ domain, status, reason, redirect, served, toBeServed });
        tally.count('requests to custom domains');
      }
    }
    const items = await tableItems(parts.engine, stage, 'DomainsTable');
    const keys = items.map(({ domain, project }) => `${domain?.S} ${project?.S}`);
    // Events are published within a minute; the names and the slots stay.
    records.push(...keys.filter(key => !/^#(names|slots)/.test(key)));
  }
  const account = await readAccount(awsEndpoint);
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
    return `no answer (${(error as Error).message})`;
  }
}
