import type { CommandName } from '../../../shared/operator/contract.ts';
import type { Outcome } from '../../cli/framework/invoke-operator.ts';
import { LIST_KINDS, type ListKind, type ListName, needsAttention, type Read } from './list-kinds.ts';
import type { ListedProject, ListPage, ListQuery, ListRows } from './protocol.ts';

const PAGE_ROWS = 50;

/** A list that takes longer to read is shown as it was, and read in the background. */
const QUICK_MS = 250;

/** A list that takes long is read for a tenth of the time at most. */
const REST_FACTOR = 9;

/** The lists of an environment. They are kept here, so that a search is at once and the page gets what it shows. */
export class Lists {
  readonly #lists: { readonly [Name in ListName]: KeptList<ListRows[Name]> };
  /** What the last response said of the version of the environment. */
  #versionNote: string | undefined;

  constructor(readCommand: (command: CommandName, input: object) => Promise<Outcome>) {
    const read: Read = async (command, input) => {
      const { result, versionNote } = await readCommand(command, input);
      this.#versionNote = versionNote;
      return result as never;
    };
    this.#lists = {
      domains: new KeptList(LIST_KINDS.domains, read),
      keys: new KeptList(LIST_KINDS.keys, read),
      orders: new KeptList(LIST_KINDS.orders, read),
      projects: new KeptList(LIST_KINDS.projects, read),
      audit: new KeptList(LIST_KINDS.audit, read),
    };
  }

  /** After a change: what was read before it is no longer shown. */
  invalidate(): void {
    for (const list of Object.values(this.#lists)) list.invalidate();
  }

  async page(name: ListName, query: ListQuery): Promise<Outcome<ListPage<unknown>>> {
    const [page, counted] = await Promise.all([
      this.#lists[name].page(query),
      name === 'projects' ? this.#lists.domains.current() : undefined,
    ]);
    const rows = counted ? page.rows.map(row => withCounts(row as ListedProject, counted.rows)) : page.rows;
    return { result: { ...page, rows }, warnings: [], versionNote: this.#versionNote };
  }
}

function withCounts(project: ListedProject, all: readonly ListRows['domains'][]): ListedProject {
  const own = all.filter(domain => domain.project === project.id);
  const live = own.filter(LIST_KINDS.domains.filters.live).length;
  return {
    ...project,
    domains: { total: own.length, live, attention: own.filter(needsAttention).length },
  };
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

/** One list, as it was read last. */
class KeptList<Row> {
  readonly #kind: ListKind<Row>;
  readonly #read: Read;
  #rows: readonly Row[] = [];
  /** Whether all of it has been read once. */
  #isComplete = false;
  #isStale = true;
  #startedMs = 0;
  #tookMs = 0;
  /** The latest read: what an earlier one finds may predate a change. */
  #run = 0;
  #reading: { readonly whole: Promise<void>; readonly begun: Promise<void> } | undefined;

  constructor(kind: ListKind<Row>, read: Read) {
    this.#kind = kind;
    this.#read = read;
  }

  invalidate(): void {
    this.#isStale = true;
    this.#reading = undefined;
    this.#run += 1;
  }

  async page(query: ListQuery): Promise<ListPage<Row>> {
    const { rows, isPartial } = await this.current();
    return { ...pageOf(this.#kind, rows, query), isPartial, isCut: this.#kind.isCut?.(rows) ?? false };
  }

  /** The list as it is now. A long one is the beginning at first, and later as it was some seconds ago. */
  async current(): Promise<{ rows: readonly Row[]; isPartial: boolean }> {
    const restMs = this.#tookMs < QUICK_MS ? 0 : this.#tookMs * (1 + REST_FACTOR);
    if (this.#isStale || Date.now() - this.#startedMs >= restMs) this.#reading ??= this.#start();
    const { whole, begun } = this.#reading ?? {};
    if (!this.#isComplete) await begun;
    else if (this.#isStale || this.#tookMs < QUICK_MS) await whole;
    return { rows: this.#rows, isPartial: !this.#isComplete };
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
      for await (rows of this.#kind.read(this.#read, this.#isComplete ? this.#rows : [])) {
        if (run !== this.#run) return;
        if (this.#isComplete) continue;
        this.#rows = rows;
        onBegun();
      }
    } catch (error) {
      // The next request reads again, waits for it, and reports what it finds.
      this.#isStale = true;
      throw error;
    }
    if (run !== this.#run) return;
    this.#rows = rows;
    this.#isComplete = true;
    this.#isStale = false;
    this.#tookMs = Date.now() - this.#startedMs;
  }
}
