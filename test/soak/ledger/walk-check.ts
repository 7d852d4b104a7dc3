import {
  type Interval,
  type PetEntry,
  type PetLedger,
  possibleStatuses,
  type SeenPet,
} from './pet-ledger.ts';
import type { Report } from './violations.ts';

/** A page of a walk through a list. */
export interface WalkedPage {
  readonly pets: readonly SeenPet[];
  readonly limit: number;
  readonly hasNext: boolean;
  readonly during: Interval;
}

export interface Walk {
  /** Such as `GET /pets?limit=7&status=sold of staging`. */
  readonly name: string;
  readonly status: string | undefined;
  readonly pages: readonly WalkedPage[];
  /** The animals that were acknowledged before the walk began. */
  readonly acknowledgedBefore: readonly PetEntry[];
}

/**
 * Checks that a walk was exact: every animal that was acknowledged before it began is in it, once, in ascending order of
 * id; later ones may be. A walk that was not finished is checked up to its last animal.
 */
export function checkWalk(walk: Walk, ledger: PetLedger, report: Report): void {
  const { name, status, pages, acknowledgedBefore } = walk;
  const seen = new Set<string>();
  let lastId = 0n;
  for (const { pets, limit, hasNext, during } of pages) {
    if (pets.length > limit || (hasNext && pets.length < limit)) {
      report('out of order', `${name} has a page of ${pets.length} animals that is not the last one`);
    }
    for (const pet of pets) {
      ledger.seen(pet, during, name);
      const id = BigInt(pet.id);
      if (seen.has(pet.id)) report('doubled', `${name} has the animal ${pet.id} twice`);
      else if (id <= lastId) report('out of order', `${name} has the animal ${pet.id} after ${lastId}`);
      if (status !== undefined && pet.status !== status) {
        report('altered', `${name} has the animal ${pet.id}, which is ${pet.status}`);
      }
      seen.add(pet.id);
      lastId = id;
    }
  }
  const [first] = pages;
  const last = pages.at(-1);
  if (!first || !last) return;
  const during = { fromMs: first.during.fromMs, toMs: last.during.toMs };
  for (const entry of acknowledgedBefore) {
    if (entry.id === undefined || seen.has(entry.id)) continue;
    if (last.hasNext && BigInt(entry.id) > lastId) continue;
    const statuses = possibleStatuses(entry, during);
    const isRequired = status === undefined || (statuses.length === 1 && statuses[0] === status);
    if (isRequired) ledger.notFound(entry, name);
  }
}
