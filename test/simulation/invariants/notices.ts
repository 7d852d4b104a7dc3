import type { ItemWrite } from '../../../infra/local/virtual/dynamodb.ts';
import { DAY_MS } from '../../../infra/local/virtual/virtual-time.ts';
import { claimIn, ownerOf } from '../claims-view.ts';
import { ENVIRONMENTS, type EnvironmentName, tableOf } from '../service.ts';
import type { World } from '../world.ts';

/** Records that come and go may end a contest and begin another one; an owner is told more often than this by nobody. */
const MOST_NOTICES_A_DAY = 8;

interface Notice {
  readonly lossAtMs: number;
  readonly atMs: number;
  /** The times that were told since there was none. */
  readonly streak: readonly number[];
}

/**
 * The invariants of what the owner of a name is told while others contest it: a name is never lost before the time that the
 * owner was told last, no time is told again while it holds, and there are few of them.
 */
export class NoticeInvariants {
  readonly #world: World;
  /** What owners were told, by the claim's id. */
  readonly #told = new Map<string, Notice[]>();
  /** The ids of all claims that have asked for a verification, the owner's included, by environment and name. */
  readonly #verified = new Map<string, Set<string>>();

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
    const claim = claimIn(after);
    if (claim && claim.verifyAskedAtMs !== null) this.#verifiedFor(environment, claim.domain).add(claim.id);
    const lossAtMs = claim?.lossAtMs ?? null;
    const beforeMs = claimIn(before)?.lossAtMs ?? null;
    if (!claim || lossAtMs === null || lossAtMs === beforeMs) return;
    const { nowMs } = this.#world.time;
    const told = this.#told.get(claim.id) ?? [];
    const streak = beforeMs === null ? [] : (told.at(-1)?.streak ?? []);
    this.#told.set(claim.id, [...told, { lossAtMs, atMs: nowMs, streak: [...streak, lossAtMs] }]);
    const isRepeated = streak.includes(lossAtMs);
    const today = told.filter(({ atMs }) => atMs > nowMs - DAY_MS).length + 1;
    if (!isRepeated && today <= MOST_NOTICES_A_DAY) return;
    const what = isRepeated ? 'a time again' : `${today} times within a day`;
    this.#violate(environment, claim.domain, `The owner of ${claim.domain} is told ${what}`);
  }

  #checkLoss(environment: EnvironmentName, domain: string, from: string): void {
    const owner = this.#world[environment].domain(domain, from);
    const last = owner && this.#told.get(owner.id)?.at(-1);
    if (!owner || owner.isBeingRemoved || (last && last.lossAtMs <= this.#world.time.nowMs)) return;
    const told = last ? `was told ${new Date(last.lossAtMs).toISOString()}` : 'was told nothing';
    this.#violate(environment, domain, `${from} loses ${domain}, and ${told}`);
  }

  #verifiedFor(environment: EnvironmentName, domain: string): Set<string> {
    const name = `${environment} ${domain}`;
    const verified = this.#verified.get(name) ?? new Set();
    this.#verified.set(name, verified);
    return verified;
  }

  #violate(environment: EnvironmentName, domain: string, message: string): void {
    const hasRivals = this.#verifiedFor(environment, domain).size > 2;
    this.#world.violate(message, hasRivals ? 'rivalsInTurn' : undefined);
  }
}
