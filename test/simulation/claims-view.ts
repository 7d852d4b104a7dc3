/**
 * What the simulation knows of how the service keeps its claims and names its functions. People and invariants see claims
 * through this module alone: a change of the record, of the statuses or of the state machines is a change here.
 */
import type { Actor, Item, TableItems } from '../../infra/local/simulation.ts';
import { clock } from '../../shared/domains/clock.ts';
import { type RequiredRecord, requiredRecords } from '../../shared/domains/dns/required-record.ts';
import { claimOf, DEFAULT_CLAIM, DOMAINS_TABLE, Domain, isClaim } from '../../shared/domains/life/domain.ts';
import { domainCounts } from '../../shared/domains/life/domain-counts.ts';
import { hasVisitors } from '../../shared/domains/life/domain-reason.ts';
import * as statuses from '../../shared/domains/life/domain-status.ts';
import { dueAtMs } from '../../shared/domains/life/due.ts';
import { looksIn } from '../../shared/domains/life/looks.ts';
import { isMismapped } from '../../shared/domains/pass/live-routing.ts';
import { isLookDue, lookedAtMs } from '../../shared/domains/pass/look.ts';
import { troublesOf } from '../../shared/domains/pass/troubles.ts';

/** What tags name instead of a claim for what belongs to default URLs. */
export { DEFAULT_CLAIM };

/** What is read of a project: its routing, and where it is published. */
type RoutedProject = Parameters<typeof isMismapped>[1] & {};
type ApiStage = Parameters<typeof isMismapped>[2];

/** A claim of a name. Status and reason are the words of reports; times are milliseconds, null for what has not happened. */
export interface ClaimView {
  /** Names the claim in tags and executions. */
  readonly id: string;
  readonly domain: string;
  readonly project: string;
  readonly formerProjects: readonly string[];
  /** The host that the domain points at, and the text that proves the claim. */
  readonly target: string;
  readonly challenge: string;
  readonly isApex: boolean;
  readonly status: (typeof statuses.STATUSES)[statuses.DomainStatus]['reported'];
  readonly reason: string | null;
  readonly message: string;
  /** Everything that reports say is wrong, the gravest first. */
  readonly troubles: readonly { readonly reason: string; readonly message: string }[];
  /** Whether it says what somebody has to do next. */
  readonly namesNextStep: boolean;
  readonly isLive: boolean;
  /** Ready or live: API Gateway has it, and maps it. */
  readonly isAttached: boolean;
  /** Whether a verification or a removal is under way. */
  readonly isInFlow: boolean;
  readonly isBeingRemoved: boolean;
  /** Whether it can't be removed by itself, and says so. */
  readonly isStalled: boolean;
  /** Whether its visitors arrive here, as far as the service knows. */
  readonly hasVisitors: boolean;
  /** Counts verifications and removals, and writes. */
  readonly generation: number;
  readonly revision: number;
  readonly addedAtMs: number;
  readonly verifyAskedAtMs: number | null;
  readonly verifiedAtMs: number | null;
  /** When the claim became the owner of the name. */
  readonly provenAtMs: number | null;
  readonly readyAtMs: number | null;
  readonly remindedAtMs: number | null;
  readonly liveAtMs: number | null;
  /** When its owner was told that the verification takes long. */
  readonly lateAtMs: number | null;
  readonly lookedAtMs: number;
  /** Whether the next run is to go on with it: the pass took too long. */
  readonly isDueAgain: boolean;
  /** Since when DNS has supported this claim against the owner of the name. */
  readonly contestedSinceMs: number | null;
  /** When the name may be lost, as its owner was told. */
  readonly lossAtMs: number | null;
  readonly certificateArn: string;
  /** The records that were created for it in zones of the account. */
  readonly managed: Domain['managed'];
  /** The records that its owner has to create; ACM names its own. */
  recordsWith(validations: Domain['certificate']['validations']): readonly RequiredRecord[];
  /** What the scheduled work would do about it now, whatever AWS and DNS say. */
  isDue(nowMs: number): boolean;
  /** Whether the scheduled work would ask for it as visitors do. */
  isLookDue(nowMs: number, isPrimary: boolean): boolean;
  /** Whether the scheduled work would change its mapping, by the routing of its project. */
  isMismapped(project: RoutedProject | undefined, redirectApi: ApiStage): boolean;
  /** Whether operators are alarmed by its certificate, which should have been renewed by now. */
  isCertificateExpiring(nowMs: number): boolean;
}

const NEXT_STEP =
  /\b(verify|create|delete|add|ask|deploy|point|move|restore|check|remove|raise|change|replace|keep|wait)\b/i;

function viewOf(record: Domain): ClaimView {
  const { target, certificate, status, reason, takeover } = record;
  const { reported } = statuses.STATUSES[status];
  const at = (time: string | null | undefined) => (time ? Date.parse(time) : null);
  let troubles: ClaimView['troubles'] | undefined;
  return {
    id: claimOf(record),
    domain: record.domain,
    project: record.project,
    formerProjects: formerProjectsOf(record),
    target,
    challenge: record.challenge,
    isApex: record.kind === 'apex',
    status: reported,
    reason: takeover && !statuses.isBeingRemoved(record) ? 'takeover_announced' : reason,
    message: record.message,
    get troubles() {
      troubles ??= troublesOf(record);
      return troubles;
    },
    namesNextStep: NEXT_STEP.test(record.message),
    isLive: statuses.isServed(record),
    isAttached: statuses.isAttached(record),
    isInFlow: statuses.isInFlow(record) && record.isResting !== true,
    isBeingRemoved: statuses.isBeingRemoved(record),
    isStalled: status === 'stalled',
    hasVisitors: hasVisitors(record),
    generation: record.attempt,
    revision: record.revision,
    addedAtMs: Date.parse(record.createdAt),
    verifyAskedAtMs: at(record.verifyStartedAt),
    verifiedAtMs: at(record.verifiedAt),
    provenAtMs: at(record.provenAt),
    readyAtMs: at(record.readyAt),
    remindedAtMs: at(record.remindedAt),
    liveAtMs: at(record.liveAt),
    lateAtMs: at(record.lateAt),
    lookedAtMs: lookedAtMs(record),
    isDueAgain: record.nextCheckAt !== null && record.reason === null,
    contestedSinceMs: at(record.contest?.since),
    lossAtMs: at(takeover),
    certificateArn: certificate.arn ?? '',
    managed: record.managed,
    recordsWith: validations => requiredRecords({ ...record, certificate: { validations } }),
    isDue: nowMs => (dueAtMs(record, clock(1)) ?? Number.POSITIVE_INFINITY) <= nowMs,
    isLookDue: (nowMs, isPrimary) =>
      isLookDue(
        record,
        isPrimary,
        clock(1, () => nowMs),
      ),
    isMismapped: (project, redirectApi) => isMismapped(record, project, redirectApi),
    isCertificateExpiring: nowMs => domainCounts([record], nowMs).certificatesExpiringSoon > 0,
  };
}

/** The projects that each claim has had, by its id and time: a record doesn't say where it was moved from. */
const projectsById = new Map<string, Set<string>>();

/** Another world begins, whose ids may be the same. */
export function forgetProjects(): void {
  projectsById.clear();
}

function formerProjectsOf(record: Domain): string[] {
  // A name that is added again within a month has the same id.
  const id = `${claimOf(record)} ${record.createdAt}`;
  const all = (projectsById.get(id) ?? new Set()).add(record.project);
  projectsById.set(id, all);
  return [...all].filter(project => project !== record.project);
}

const views = new WeakMap<Item, { readonly lookedAt: string | undefined; readonly view: ClaimView }>();

/**
 * The claim that an item is, if it is one, by what was noted of looks. Items are replaced, never changed, so each is read once
 * and after looks.
 */
export function claimIn(item: Item | undefined, looks?: ReadonlyMap<string, string>): ClaimView | undefined {
  if (!item || !isClaim(item)) return undefined;
  const lookedAt = looks?.get(String(item.domain));
  const present = views.get(item);
  if (present && (present.lookedAt === lookedAt || !present.view.isAttached)) return present.view;
  const view = viewOf({ ...Domain.parse(item), ...(lookedAt && { lookedAt }) });
  views.set(item, { lookedAt, view });
  return view;
}

/** The claims of the domains table, by their keys. */
export function claimsIn(items: TableItems): Map<string, ClaimView> {
  const claims = new Map<string, ClaimView>();
  const looks = looksIn(items.values());
  for (const [key, item] of items) {
    const claim = claimIn(item, looks);
    if (claim) claims.set(key, claim);
  }
  return claims;
}

export function keyOf({ domain, project }: Pick<ClaimView, 'domain' | 'project'>): string {
  return `${domain} ${project}`;
}

/** The project that has proven a name. */
export function ownerIn(items: TableItems, name: string): string | undefined {
  return ownerOf(items.get(keyOf({ domain: name, project: DOMAINS_TABLE.ownerSortKey })));
}

/** The project that has proven a name, by the item of the name's owner; undefined for any other item. */
export function ownerOf(item: Item | undefined): string | undefined {
  return item?.project === DOMAINS_TABLE.ownerSortKey ? String(item.provenBy) : undefined;
}

/** The name whose lease an item is, and who has it; undefined for any other item. */
export function leaseIn(
  item: Item | undefined,
): { readonly name: string; readonly holder: string } | undefined {
  if (item?.project !== DOMAINS_TABLE.leaseSortKey) return undefined;
  return { name: String(item.domain), holder: String(item.holder) };
}

/** Whether somebody has the lease of a name at a time. */
export function isLeased(items: TableItems, domain: string, nowMs: number): boolean {
  const item = items.get(`${domain} ${DOMAINS_TABLE.leaseSortKey}`);
  return Number(item?.untilMs ?? 0) > nowMs;
}

/** The ids of the events that wait for their publication. */
export function eventsIn(items: TableItems): Set<string> {
  const ids = new Set<string>();
  for (const { domain, event } of items.values()) {
    if (domain === DOMAINS_TABLE.outboxPartitionKey) ids.add(String((event as Item).id));
  }
  return ids;
}

/** The name of the execution that works on a claim. */
export function executionOf({ id, generation }: ClaimView): string {
  return `${id}-${generation}`;
}

const isStarted = (names: RegExp) => (actor: Actor) => names.test(actor.name);

/** What a function may do, by what it was invoked for. */
export const may = {
  /** Stops the traffic of what is being removed, once and for all. */
  takeDown: isStarted(/^TendDomain /),
  takeOver: isStarted(/^TendDomain /),
  move: isStarted(/^Operate domains\.move /),
  changePrimary: isStarted(/^Operate domains\.primary /),
  changeRedirects: isStarted(/^Operate domains\.(un)?redirect /),
  /** Only writes what is wanted, or that somebody else has to look. */
  commitWithoutLease: isStarted(/^(Operate|ReconcileDomains|AskForLook) /),
};
