import type { CommandName } from '../../../shared/operator/contract.ts';
import type { ReadOutcome } from './environment.ts';
import { LIST_KINDS, type ListKind, type ListName, type Read } from './list-kinds.ts';
import type { ListedEntry, ListPage, ListQuery, ListRows, ReadAge } from './protocol.ts';

const PAGE_ROWS = 50;

/** If a list takes longer to read, it's shown as it was and read in the background. */
const QUICK_MS = 250;

/** A long list is being read for at most a third of the time. */
const REST_FACTOR = 2;

/**
 * The highest rate at which a list is read while no operator changes anything. So an open page costs at most about 100 DynamoDB
 * read units a second, however long the list is.
 */
const IDLE_ROWS_PER_SECOND = 100;

/** For this long after a change, indexes may not have it, and what it set off may be under way. */
const UNSETTLED_MS = 5_000;

/** Requests within this time share one look for changes. */
const LOOK_MS = 1_000;

type ReadCommand = (command: CommandName, input: object, known?: string) => Promise<ReadOutcome>;

/** An environment's lists, kept here so that searches are instant and the page gets only what it shows. */
export class Lists {
  readonly #lists: { readonly [Name in ListName]: KeptList<ListRows[Name]> };
  readonly #changes: Changes;
  /** What the last response said about the environment's version. */
  #versionNote: string | undefined;
  #readAhead: Promise<void> | undefined;

  constructor(readCommand: ReadCommand) {
    const noted: ReadCommand = async (...read) => {
      const outcome = await readCommand(...read);
      this.#versionNote = outcome.versionNote;
      return outcome;
    };
    const changes = new Changes(noted);
    this.#changes = changes;
    const kept = <Row>(kind: ListKind<Row>) => new KeptList(kind, noted, changes);
    const { domains, keys, orders, projects, audit } = LIST_KINDS;
    this.#lists = {
      domains: kept(domains),
      keys: kept(keys),
      orders: kept(orders),
      projects: kept(projects),
      audit: kept(audit),
    };
  }

  /** After a change: no longer shows what was read before it. */
  invalidate(): void {
    this.#changes.note();
    for (const list of Object.values(this.#lists)) list.invalidate();
  }

  async page(
    name: ListName,
    query: ListQuery,
  ): Promise<ReadOutcome & { readonly result: ListPage<unknown> }> {
    const { domains, projects, keys } = this.#lists;
    const named = name === 'audit' ? await keys.known().catch(() => undefined) : undefined;
    const page = await (name === 'projects'
      ? projects.page(query, domains.known())
      : this.#lists[name].page(query));
    const rows = named ? page.rows.map(row => withKeyName(row as ListedEntry, named)) : page.rows;
    this.#readAhead ??= this.#readOthers();
    const ages = [this.#lists[name].age, ...(name === 'projects' ? [domains.age] : [])];
    const age = {
      ms: Math.max(...ages.map(({ ms }) => ms)),
      isReading: ages.some(({ isReading }) => isReading),
    };
    return { result: { ...page, rows }, age, warnings: [], versionNote: this.#versionNote };
  }

  /** Once somebody looks at a list, reads the others too, one by one, so that each shows at once. */
  async #readOthers(): Promise<void> {
    // An error is reported to whoever looks at the list.
    for (const list of Object.values(this.#lists)) await list.whole().catch(() => {});
  }
}

function withKeyName(entry: ListedEntry, keys: readonly ListRows['keys'][]): ListedEntry {
  const { id: about } = (entry.input ?? {}) as { id?: unknown };
  const key = entry.command.startsWith('keys.') ? keys.find(({ id }) => id === about) : undefined;
  return key ? { ...entry, keyName: key.name } : entry;
}

/** The rows that a query chooses, on the page that it names. */
export function pageOf<Row>(kind: ListKind<Row>, all: readonly Row[], query: ListQuery) {
  const { project, search = '', filter = '', sort = '', page: asked = 1 } = query;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = named(kind.filters, filter) ?? (() => true);
  const order = named(kind.sorts, sort) ?? Object.values(kind.sorts)[0];
  const own = project === undefined ? all : all.filter(row => isOf(project, row));
  const matching = own
    .filter(row => {
      const text = words.length === 0 ? '' : kind.text(row).toLowerCase();
      return words.every(word => text.includes(word)) && isWanted(row);
    })
    .sort(order);
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_ROWS));
  const page = Math.min(Math.max(1, Math.trunc(asked) || 1), pages);
  const start = (page - 1) * PAGE_ROWS;
  const rows = matching.slice(start, start + PAGE_ROWS);
  return { rows, total: own.length, matching: matching.length, page, pages, first: start + 1 };
}

function named<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function isOf(project: string, row: unknown): boolean {
  return (row as { project?: string }).project === project;
}

/** Reads rounds of pages. The operator function doesn't resend what it sent in the previous round. */
class Rounds {
  readonly #readCommand: ReadCommand;
  #latest = new Map<string, ReadOutcome>();

  constructor(readCommand: ReadCommand) {
    this.#readCommand = readCommand;
  }

  next(): Read {
    const before = this.#latest;
    const now = new Map<string, ReadOutcome>();
    this.#latest = now;
    return async (command, input) => {
      const page = JSON.stringify([command, input]);
      const known = before.get(page);
      const outcome = await this.#readCommand(command, input, known?.revision);
      const kept = outcome.isUnchanged && known ? known : outcome;
      now.set(page, kept);
      return kept.result as never;
    };
  }
}

/** Notices operators' changes: they're all in the audit log, whose latest entries are quick to read. */
class Changes {
  readonly #readCommand: ReadCommand;
  /** The revision of the latest entries. */
  #latest: string | undefined;
  #notedMs = Number.NEGATIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #looking = Promise.resolve();

  constructor(readCommand: ReadCommand) {
    this.#readCommand = readCommand;
  }

  note(): void {
    this.#notedMs = Date.now();
  }

  /** Whether something read at a time may lack a change known by now. */
  isMissedBy(readMs: number): boolean {
    return readMs < this.#notedMs + UNSETTLED_MS;
  }

  look(): Promise<void> {
    if (Date.now() - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = Date.now();
      this.#looking = this.#lookNow();
    }
    return this.#looking;
  }

  async #lookNow(): Promise<void> {
    // Several, because two simultaneous changes may be recorded in either order.
    const latest = await this.#readCommand('audit.list', { limit: 5, brief: true }, this.#latest);
    if (latest.isUnchanged || latest.revision === this.#latest) return;
    this.#latest = latest.revision;
    this.note();
  }
}

/** One list, as it was read last. */
class KeptList<Row> {
  readonly #kind: ListKind<Row>;
  readonly #rounds: Rounds;
  readonly #changes: Changes;
  #rows: readonly Row[] = [];
  /** Whether all of it has been read once. */
  #isComplete = false;
  #isStale = true;
  #startedMs = 0;
  /** When the read of the kept rows began. */
  #asOfMs = 0;
  #tookMs = 0;
  /** The number of the latest read: an earlier one's result may predate a change. */
  #run = 0;
  #reading: { readonly whole: Promise<void>; readonly begun: Promise<void> } | undefined;

  constructor(kind: ListKind<Row>, readCommand: ReadCommand, changes: Changes) {
    this.#kind = kind;
    this.#rounds = new Rounds(readCommand);
    this.#changes = changes;
  }

  get age(): ReadAge {
    return { ms: Date.now() - this.#asOfMs, isReading: this.#reading !== undefined };
  }

  invalidate(): void {
    this.#isStale = true;
    this.#reading = undefined;
    this.#run += 1;
  }

  /** `others`: the rows of the list whose rows this one counts. */
  async page(
    query: ListQuery,
    others?: Promise<readonly ListRows['domains'][] | undefined>,
  ): Promise<ListPage<Row>> {
    const [{ rows, isPartial }, counted] = await Promise.all([this.current(), others]);
    const filled = counted && this.#kind.counting ? rows.map(this.#kind.counting(counted)) : rows;
    return { ...pageOf(this.#kind, filled, query), isPartial, isCut: this.#kind.isCut?.(rows) ?? false };
  }

  /** The list as it is now. A long one is incomplete at first, and later some seconds old. */
  async current(): Promise<{ rows: readonly Row[]; isPartial: boolean }> {
    if (this.#isStale || (await this.#isDue())) this.#reading ??= this.#start();
    const { whole, begun } = this.#reading ?? {};
    if (!this.#isComplete) await begun;
    else if (this.#isStale || this.#tookMs < QUICK_MS) await whole;
    return { rows: this.#rows, isPartial: !this.#isComplete };
  }

  /** All of its rows; undefined during the first read, unless that's quick. */
  async known(): Promise<readonly Row[] | undefined> {
    if (this.#isComplete) return (await this.current()).rows;
    const pause = new Promise(resolve => setTimeout(resolve, QUICK_MS));
    // An error is reported to whoever looks at the list.
    await Promise.race([this.whole(), pause]).catch(() => {});
    return this.#isComplete ? this.#rows : undefined;
  }

  async whole(): Promise<void> {
    if (this.#isComplete) return;
    this.#reading ??= this.#start();
    await this.#reading.whole;
  }

  async #isDue(): Promise<boolean> {
    const elapsedMs = Date.now() - this.#startedMs;
    const rowsRead = this.#kind.isIncremental ? 0 : this.#rows.length;
    const idleMs = (rowsRead / IDLE_ROWS_PER_SECOND) * 1000;
    if (elapsedMs >= idleMs) return true;
    // A slow read of a short list is due to distance, and repeating it costs little.
    if (this.#tookMs >= QUICK_MS && elapsedMs < this.#tookMs * (1 + REST_FACTOR)) return false;
    await this.#changes.look();
    return this.#changes.isMissedBy(this.#startedMs);
  }

  #start() {
    const begun = Promise.withResolvers<void>();
    const whole = this.#readAll(begun.resolve).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    const reading = { whole, begun: Promise.race([begun.promise, whole]) };
    // Nobody may be waiting for it.
    whole.catch(() => {});
    reading.begun.catch(() => {});
    return reading;
  }

  async #readAll(onBegun: () => void): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    this.#startedMs = Date.now();
    let rows: readonly Row[] = [];
    try {
      for await (rows of this.#kind.read(this.#rounds.next(), this.#isComplete ? this.#rows : [])) {
        if (run !== this.#run) return;
        if (this.#isComplete) continue;
        this.#rows = rows;
        this.#asOfMs = this.#startedMs;
        onBegun();
      }
    } catch (error) {
      // The next request reads again, waits for it, and reports what it finds.
      this.#isStale = true;
      throw error;
    }
    if (run !== this.#run) return;
    this.#rows = rows;
    this.#asOfMs = this.#startedMs;
    this.#isComplete = true;
    this.#isStale = false;
    this.#tookMs = Date.now() - this.#startedMs;
  }
}
