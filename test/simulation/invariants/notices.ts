import { DAY_MS, HOUR_MS, type ItemWrite } from '../../../infra/local/simulation.ts';
import { type ClaimView, claimIn, ownerOf } from '../claims-view.ts';
import { ENVIRONMENTS, type EnvironmentName } from '../deployed.ts';
import { tableOf } from '../service.ts';
import type { World } from '../world.ts';
import { isNotice } from './events.ts';

/** Records that come and go may end a contest and begin another one; an owner is told more often than this by nobody. */
const MOST_NOTICES_A_DAY = 8;

/** A claim takes a name over at the earliest when it has contested the name for so long. */
const CONTEST_MS = 6 * HOUR_MS;

interface Notice {
  readonly lossAtMs: number;
  readonly atMs: number;
  /** The times that were told since there was none. */
  readonly streak: readonly number[];
}

/**
 * The invariants of what the owner of a name is told while others contest it: it sees no later time than the earliest at which
 * one of them may take the name over, a name is never lost before the time that the owner was told last, no time is told again
 * while it holds, and there are few of them.
 */
export class NoticeInvariants {
  readonly #world: World;
  /** What owners were told, by the claim's id. */
  readonly #told = new Map<string, Notice[]>();
  /** The claims that were checked last. */
  #checked: readonly unknown[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  noteWrite({ table, before, after }: ItemWrite): void {
    const environment = ENVIRONMENTS.find(name => tableOf(name, 'domains') === table);
    if (!environment) return;
    const [from, to] = [ownerOf(before), ownerOf(after)];
    if (from !== undefined && to !== undefined && from !== to) {
      this.#checkLoss(environment, String(after?.domain), from);
    }
    const [was, claim] = [claimIn(before), claimIn(after)];
    if (!claim || claim.lossAtMs === null || !isNotice(was, claim)) return;
    const { lossAtMs } = claim;
    const { nowMs } = this.#world.time;
    const told = this.#told.get(claim.id) ?? [];
    const streak = (was?.lossAtMs ?? null) === null ? [] : (told.at(-1)?.streak ?? []);
    this.#told.set(claim.id, [...told, { lossAtMs, atMs: nowMs, streak: [...streak, lossAtMs] }]);
    const isRepeated = streak.includes(lossAtMs);
    const today = told.filter(({ atMs }) => atMs > nowMs - DAY_MS).length + 1;
    if (!isRepeated && today <= MOST_NOTICES_A_DAY) return;
    const what = isRepeated ? 'a time again' : `${today} times within a day`;
    this.#world.violate(`The owner of ${claim.domain} is told ${what}`);
  }

  /** After every event of the simulation. */
  check(): void {
    const claims = this.#world.environments.map(environment => environment.claims());
    if (claims.every((each, index) => each === this.#checked[index])) return;
    this.#checked = claims;
    for (const each of claims) {
      const contesting = [...each.values()].filter(({ contestedSinceMs }) => contestedSinceMs !== null);
      for (const rival of contesting) this.#checkSeen(rival, [...each.values()]);
    }
  }

  /** What a claim that contests a name means for its owner. */
  #checkSeen({ domain, status, contestedSinceMs }: ClaimView, claims: readonly ClaimView[]): void {
    if (status !== 'verifying' || contestedSinceMs === null) return;
    const owner = claims.find(claim => claim.domain === domain && claim.provenAtMs !== null);
    if (!owner || owner.isBeingRemoved || (owner.provenAtMs ?? 0) > contestedSinceMs) return;
    const earliestMs = contestedSinceMs + CONTEST_MS;
    if ((owner.lossAtMs ?? Number.POSITIVE_INFINITY) <= earliestMs) return;
    const seen = owner.lossAtMs === null ? 'nothing' : new Date(owner.lossAtMs).toISOString();
    this.#world.violate(
      `${domain} may be lost on ${new Date(earliestMs).toISOString()}, and its owner sees ${seen}`,
    );
  }

  #checkLoss(environment: EnvironmentName, domain: string, from: string): void {
    const owner = this.#world[environment].domain(domain, from);
    const last = owner && this.#told.get(owner.id)?.at(-1);
    if (!owner || owner.isBeingRemoved || (last && last.lossAtMs <= this.#world.time.nowMs)) return;
    const told = last ? `was told ${new Date(last.lossAtMs).toISOString()}` : 'was told nothing';
    this.#world.violate(`${from} loses ${domain}, and ${told}`);
  }
}
