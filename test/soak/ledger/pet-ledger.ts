import type { Report } from './violations.ts';

/** A pet as the interface has it. The int64 fields are texts, so that every digit is compared. */
export interface SeenPet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status: string;
}

/** From when a request was sent until its response had arrived. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A status that a pet may have, from the moment that a change to it was sent until another was acknowledged. */
interface PossibleStatus {
  readonly status: string;
  readonly fromMs: number;
  untilMs: number;
}

/** What is known of the pet that one request creates. Its name is unique, so that it tells the request. */
export interface PetEntry {
  readonly name: string;
  readonly categoryId: string;
  readonly statuses: PossibleStatus[];
  /** Known once a response or a list has shown it. */
  id: string | undefined;
  /** When a 201 was received; undefined for a request whose outcome is not known. */
  acknowledgedAtMs: number | undefined;
}

/**
 * Knows every pet that was requested: what was acknowledged must be there exactly once and unaltered, what was not may
 * be there once or not at all, and nothing else may be there.
 */
export class PetLedger {
  readonly #violation: Report;
  readonly #stage: string;
  readonly #entries = new Map<string, PetEntry>();
  readonly #byId = new Map<string, PetEntry>();
  /** In the order of their acknowledgement. */
  readonly acknowledged: PetEntry[] = [];

  constructor(stage: string, report: Report) {
    this.#stage = stage;
    this.#violation = report;
  }

  get entries(): PetEntry[] {
    return [...this.#entries.values()];
  }

  /** A request is about to be sent. A repetition of it has the same name. */
  requested(pet: Omit<SeenPet, 'id'>, nowMs: number): void {
    if (this.#entries.has(pet.name)) return;
    const { name, categoryId, status } = pet;
    this.#entries.set(name, {
      name,
      categoryId,
      statuses: [{ status, fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY }],
      id: undefined,
      acknowledgedAtMs: undefined,
    });
  }

  /** The 201 to a request, or to its repetition. */
  created(pet: SeenPet, during: Interval): void {
    const entry = this.seen(pet, during, 'the response to POST /pets');
    if (!entry || entry.acknowledgedAtMs !== undefined) return;
    entry.acknowledgedAtMs = during.toMs;
    this.acknowledged.push(entry);
  }

  /** A pet that a response or a table has shown. Returns its entry unless nobody has requested it. */
  seen(pet: SeenPet, during: Interval, where: string): PetEntry | undefined {
    const entry = this.#entries.get(pet.name);
    if (!entry) {
      this.#violation('invented', `${this.#named(pet)} in ${where}, which nobody has requested`);
      return undefined;
    }
    if (entry.id !== undefined && entry.id !== pet.id) {
      this.#violation(
        'doubled',
        `${this.#named(pet)} in ${where} is the second of one request; the first has the id ${entry.id}`,
      );
      return entry;
    }
    const other = this.#byId.get(pet.id);
    if (other && other !== entry) {
      this.#violation(
        'doubled',
        `the id ${pet.id} in ${where} is that of ${quoted(pet.name)} and of ${quoted(other.name)}`,
      );
    }
    entry.id = pet.id;
    this.#byId.set(pet.id, entry);
    if (entry.categoryId !== pet.categoryId) {
      this.#violation(
        'altered',
        `${this.#named(pet)} in ${where} has the categoryId ${pet.categoryId}, not ${entry.categoryId}`,
      );
    }
    if (!possibleStatuses(entry, during).includes(pet.status)) {
      const possible = possibleStatuses(entry, during).join(' or ');
      this.#violation('altered', `${this.#named(pet)} in ${where} is ${pet.status}, not ${possible}`);
    }
    return entry;
  }

  /** The response to a request for one pet that was acknowledged before the request was sent. */
  notFound(entry: PetEntry, where: string): void {
    this.#violation('lost', `${this.#named(entry)} was acknowledged and is missing in ${where}`);
  }

  /** A change of the status is about to be sent: from now on the pet may have it. */
  statusRequested(id: string, status: string, nowMs: number): void {
    this.#byId.get(id)?.statuses.push({ status, fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY });
  }

  /** The change was carried out or refused: from now on the pet has this status and no other. */
  statusKnown(id: string, status: string, nowMs: number): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    const isOpen = ({ untilMs }: PossibleStatus) => untilMs === Number.POSITIVE_INFINITY;
    const remaining = entry.statuses.findLast(possible => possible.status === status && isOpen(possible));
    for (const possible of entry.statuses) {
      if (isOpen(possible) && possible !== remaining) possible.untilMs = nowMs;
    }
    if (!remaining) entry.statuses.push({ status, fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY });
  }

  #named({ id, name }: { readonly id?: string | undefined; readonly name: string }): string {
    return `the pet ${id ?? '(id unknown)'} ${quoted(name)} of ${this.#stage}`;
  }
}

/** The statuses that a pet may have had at some moment of an interval. */
function possibleStatuses({ statuses }: PetEntry, { fromMs, toMs }: Interval): string[] {
  const possible = statuses.filter(status => status.fromMs <= toMs && status.untilMs >= fromMs);
  return [...new Set(possible.map(({ status }) => status))];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

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
  /** The pets that were acknowledged before the walk began. */
  readonly acknowledgedBefore: readonly PetEntry[];
}

/**
 * Checks that a walk was exact: every pet that was acknowledged before it began is in it, once, in ascending order of
 * id; later ones may be. A walk that was not finished is checked up to its last pet.
 */
export function checkWalk(walk: Walk, ledger: PetLedger, report: Report): void {
  const { name, status, pages, acknowledgedBefore } = walk;
  const seen = new Set<string>();
  let lastId = 0n;
  for (const { pets, limit, hasNext, during } of pages) {
    if (pets.length > limit || (hasNext && pets.length < limit)) {
      report('out of order', `${name} has a page of ${pets.length} pets that is not the last one`);
    }
    for (const pet of pets) {
      ledger.seen(pet, during, name);
      const id = BigInt(pet.id);
      if (seen.has(pet.id)) report('doubled', `${name} has the pet ${pet.id} twice`);
      else if (id <= lastId) report('out of order', `${name} has the pet ${pet.id} after ${lastId}`);
      if (status !== undefined && pet.status !== status) {
        report('altered', `${name} has the pet ${pet.id}, which is ${pet.status}`);
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
