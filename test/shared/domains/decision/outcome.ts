import type { ApiStage } from '../../../../shared/domains/front.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import type { DomainEvent } from '../../../../shared/domains/life/domain-event.ts';
import type { Project, Routing } from '../../../../shared/projects/project.ts';
import type { keptClaims } from '../stored-claims.ts';
import type { Situation, SituationName } from './situation.ts';
import type { AwsState } from './situation-aws.ts';
import { RIVAL, SIBLING } from './situation-claims.ts';

/** How a situation is once nothing more is done about it at that instant. */
export interface Outcome {
  /** Each is null when there's no such claim, or none any more. */
  readonly claim: ClaimOutcome | null;
  readonly rival: ClaimOutcome | null;
  readonly sibling: ClaimOutcome | null;
  /** The project that has proven the name. */
  readonly owner: string | null;
  readonly routing: Readonly<Record<string, Routing>>;
  readonly aws: AwsOutcome;
  /** The events that were made, the oldest first. */
  readonly events: readonly string[];
  /** The calls that changed something at AWS or were refused, in order. */
  readonly calls: readonly string[];
}

const FIELDS = [
  'status',
  'reason',
  'message',
  'quota',
  'phase',
  'rounds',
  'nextCheckAt',
  'slotAt',
  'contest',
  'takeover',
  'kind',
  'zone',
  'nameServers',
  'isProxied',
  'caa',
  'managed',
  'route',
  'gateway',
  'pointsAt',
  'provenAt',
  'verifiedAt',
  'issuedAt',
  'attachedAt',
  'readyAt',
  'remindedAt',
  'liveAt',
  'isUnmapped',
  'restarts',
] as const satisfies readonly (keyof Domain)[];

type ClaimOutcome = Readonly<Pick<Domain, (typeof FIELDS)[number]>> & {
  readonly certificate: Domain['certificate'];
  readonly records: Readonly<Record<string, SeenOutcome>>;
};

type SeenOutcome = Pick<Domain['records'][number], 'type' | 'state' | 'action' | 'isOptional'>;

interface AwsOutcome {
  readonly names: Readonly<Record<string, SituationName>>;
  readonly routes: Readonly<Record<string, ApiStage>>;
  readonly hosts: Readonly<Record<string, string>>;
  /** The records in hosted zones of the account. */
  readonly records: readonly string[];
  readonly certificates: readonly string[];
  readonly requested: number;
  readonly deleted: number;
  readonly slots: number;
  /** How many calls had nothing to change. */
  readonly idleCalls: number;
  /** The executions that were asked for. */
  readonly started: readonly string[];
}

export async function outcomeOf(
  { claim: { domain, project } }: Situation,
  { find, store, events }: ReturnType<typeof keptClaims>,
  projects: ReadonlyMap<string, Project>,
  aws: AwsState,
): Promise<Outcome> {
  return {
    claim: claimOutcome(await find(domain, project)),
    rival: claimOutcome(await find(domain, RIVAL.project)),
    sibling: claimOutcome(await find(SIBLING.domain, project)),
    owner: (await store.ownerOf(domain)) ?? null,
    routing: Object.fromEntries([...projects].map(([id, each]) => [id, routingOf(each)])),
    aws: awsOutcome(aws),
    events: events.map(described),
    calls: [...aws.calls],
  };
}

function described({ type, domain, project, reason }: DomainEvent): string {
  const what = `${type}: ${domain} in ${project}`;
  return reason === null ? what : `${what}, ${reason}`;
}

function claimOutcome(claim: Domain | undefined): ClaimOutcome | null {
  if (!claim) return null;
  const fields = Object.fromEntries(FIELDS.map(field => [field, claim[field]]));
  const records = claim.records.map(({ purpose, type, state, action, isOptional }) => [
    purpose,
    { type, state, action, ...(isOptional && { isOptional }) },
  ]);
  return {
    ...(fields as Pick<Domain, (typeof FIELDS)[number]>),
    certificate: claim.certificate,
    records: Object.fromEntries(records),
  };
}

function routingOf({ liveDomains, primary, redirects, awayDomains = [] }: Project): Routing {
  return { liveDomains, primary, redirects, awayDomains };
}

function awsOutcome({ names, routes, hosts, records, certificates, ...counts }: AwsState): AwsOutcome {
  const { requested, deleted, slots, idleCalls, started } = counts;
  return {
    names: Object.fromEntries(names),
    routes: Object.fromEntries(routes),
    hosts: Object.fromEntries(hosts),
    records: records.map(({ type, name, value }) => `${type} ${name} ${value}`).toSorted(),
    certificates: [...certificates.keys()].toSorted(),
    requested,
    deleted,
    slots,
    idleCalls,
    started: [...started],
  };
}
