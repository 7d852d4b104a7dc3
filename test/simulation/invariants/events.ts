import { isDeepStrictEqual } from 'node:util';
import type { AwsEvent, ItemWrite } from '../../../infra/local/simulation.ts';
import { type ClaimView, claimIn } from '../claims-view.ts';
import { ENVIRONMENTS, type EnvironmentName } from '../deployed.ts';
import { tableOf } from '../service.ts';
import type { World } from '../world.ts';

/** An event that a change of a claim requires. */
interface RequiredEvent {
  readonly environment: EnvironmentName;
  readonly detailType: string;
  readonly domain: string;
  readonly project: string;
  readonly reason: string | null;
  readonly revision: number;
}

/** An event as its subscribers get it, but for the id that EventBridge gives it. */
interface DeliveredEvent {
  readonly source: string;
  readonly detailType: string;
  readonly time: string | undefined;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * The invariants of domain events. The writes of claims say which events there must be: one whenever a domain goes live, is
 * ready, fails, begins or ceases to need attention, is moved, taken over or deleted. Every one of them is in the outbox until it was delivered; no
 * other event is delivered; and a repeated one is the same as the first.
 */
export class EventInvariants {
  /** The first delivery of every event, by its id. */
  readonly delivered = new Map<string, DeliveredEvent>();
  readonly #world: World;
  readonly #required = new Map<string, RequiredEvent>();
  readonly #undelivered = new Set<string>();
  /** The outboxes as they were at the last check. */
  #checked: readonly ReadonlySet<string>[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Notes the event that a write of a claim requires. */
  noteWrite({ table, before, after }: ItemWrite): void {
    const environment = ENVIRONMENTS.find(name => tableOf(name, 'domains') === table);
    const claim = environment && claimIn(after ?? before);
    if (!claim) return;
    const hasLostName = this.#world[environment].ownerOf(claim.domain) !== claim.project;
    const state = after ? eventOfWrite(claimIn(before), claim, hasLostName) : endOf(claim);
    if (state === undefined) return;
    const revision = after ? claim.revision : claim.revision + 1;
    const id = `${claim.id}-${revision}${after || state === 'removed' ? '' : '-from'}`;
    if (this.#required.has(id)) this.#world.violate(`Two changes of ${claim.domain} have the event id ${id}`);
    const { domain, project, reason } = claim;
    const detailType = `Domain ${state}`;
    const required = { environment, detailType, domain, project, reason: after ? reason : null, revision };
    this.#required.set(id, required);
    this.#undelivered.add(id);
  }

  noteDelivery({ source, 'detail-type': detailType, time, detail }: AwsEvent): void {
    this.#note({ source, detailType, time, detail: detail as DeliveredEvent['detail'] });
  }

  #note(event: DeliveredEvent): void {
    const id = String(event.detail.id);
    const first = this.delivered.get(id);
    if (first) {
      if (!isDeepStrictEqual(first, event)) this.#world.violate(`The event ${id} was repeated with a change`);
      return;
    }
    this.delivered.set(id, event);
    this.#undelivered.delete(id);
    const required = this.#required.get(id);
    if (!required) {
      this.#world.violate(`The event ${id} (${event.detailType}) was delivered, and no change requires it`);
      return;
    }
    const { environment, detailType, ...detail } = required;
    const isRight =
      event.source === `petstore.${environment}` &&
      event.detailType === detailType &&
      Object.entries(detail).every(([field, value]) => event.detail[field] === value);
    if (!isRight) {
      const [is, should] = [event, required].map(each => JSON.stringify(each));
      this.#world.violate(`The event ${id} is not ${should}: ${is}`);
    }
  }

  /** After every event of the simulation: what was not delivered is in the outbox. */
  check(): void {
    if (this.#undelivered.size === 0) return;
    const outboxes = this.#outboxes();
    // A change that requires an event is a write of the table that has the outbox, too.
    if (outboxes.every((outbox, index) => outbox === this.#checked[index])) return;
    this.#checked = outboxes;
    for (const id of this.#undelivered) {
      if (!outboxes.some(outbox => outbox.has(id)))
        this.#world.violate(`The event ${id} is lost: ${this.#describe(id)}`);
    }
  }

  /** At the end of a run: every event was delivered, and the outbox is empty. */
  checkAllDelivered(): void {
    for (const id of this.#undelivered)
      this.#world.violate(`The event ${id} was never delivered: ${this.#describe(id)}`);
    const pending = this.#outboxes().flatMap(outbox => [...outbox]);
    if (pending.length > 0) this.#world.violate(`The outbox still has ${pending.join(', ')}`);
  }

  #outboxes(): ReadonlySet<string>[] {
    return this.#world.environments.map(environment => environment.pendingEvents());
  }

  #describe(id: string): string {
    return JSON.stringify(this.#required.get(id));
  }
}

/** The event that the write of a claim requires, if it requires one. */
function eventOfWrite(
  before: ClaimView | undefined,
  after: ClaimView,
  hasLostName: boolean,
): string | undefined {
  if (!before) return after.formerProjects.length > 0 ? 'moved' : undefined;
  if (isNotice(before, after)) return 'needs attention';
  const isNoticeOver = before.lossAtMs !== null && after.lossAtMs === null;
  if (isNoticeOver) return stateOf(after) ?? 'needs attention';
  const isRemoval = after.isBeingRemoved && !before.isBeingRemoved;
  if (isRemoval && hasLostName && before.provenAtMs !== null) return 'taken over';
  const state = stateOf(after);
  if (state !== stateOf(before)) return state;
  if (after.lateAtMs !== null && before.lateAtMs === null) return 'needs attention';
  return after.remindedAtMs !== null && before.remindedAtMs === null ? 'ready' : undefined;
}

/** Whether the owner of a name is told when it may be lost: that is new, or earlier than before. */
export function isNotice(before: ClaimView | undefined, { lossAtMs }: ClaimView): boolean {
  return lossAtMs !== null && lossAtMs < (before?.lossAtMs ?? Number.POSITIVE_INFINITY);
}

/** The event of the end of a claim: only one that is being removed is deleted, any other one was moved. */
function endOf({ isBeingRemoved }: ClaimView): string {
  return isBeingRemoved ? 'removed' : 'moved';
}

/** The state of a claim that subscribers are notified of; undefined while a verification or a removal is under way. */
function stateOf({ status, reason, isLive, isBeingRemoved }: ClaimView): string | undefined {
  if (status === 'failed') return status;
  // The owner of a domain that is ready relies on it, and learns of a trouble before the switch.
  if (status === 'ready' || isLive) return reason === null ? status : 'needs attention';
  return isBeingRemoved && reason !== null ? 'needs attention' : undefined;
}
