import { lineageOf } from '../../../shared/api-keys/api-key-record.ts';
import { shownAuthor } from '../../../shared/audit/author.ts';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import type {
  ApiKey,
  DomainSummary,
  OrderView,
  ProjectView,
  ReadName,
  ResultOf,
} from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { isInNeed, urgency } from '../../operator/domains/domain-report.ts';
import type { ListedEntry, ListedKey, ListedProject } from './protocol.ts';

export type Read = <Name extends ReadName>(command: Name, input: InputOf<Name>) => Promise<ResultOf<Name>>;

/** A list of the dashboard: how it is read, and what it can be searched, filtered and sorted by. */
export interface ListKind<Row> {
  /** Yields what it has read so far until that's everything; `known` is the last result. */
  read(read: Read, known: readonly Row[]): AsyncGenerator<readonly Row[]>;
  /** Whether later reads fetch only what is new. */
  readonly isIncremental?: true;
  /** Whether the list is too long to be read to its end. */
  readonly isCut?: (rows: readonly Row[]) => boolean;
  /** Adds counts over all domains to a row. */
  readonly counting?: (domains: readonly DomainSummary[]) => (row: Row) => Row;
  text(row: Row): string;
  readonly filters: Readonly<Record<string, (row: Row) => boolean>>;
  /** The first one is the default. */
  readonly sorts: Readonly<Record<string, (left: Row, right: Row) => number>>;
}

/** How many entries are read of a list that only grows. */
export const MOST_ORDERS = 10_000;
export const MOST_ENTRIES = 5_000;

const PAGE = 5_000;

const byText =
  <Row>(text: (row: Row) => string | null, direction = 1) =>
  (left: Row, right: Row) => {
    const [first, second] = [text(left) ?? '', text(right) ?? ''];
    return first === second ? 0 : first < second ? -direction : direction;
  };

/** The pages of a list, one after the other. */
async function* pages<Item, Row>(
  readPage: (
    after: string | undefined,
  ) => Promise<{ rows: readonly Item[]; next: string | null | undefined }>,
  rowsOf: (all: readonly Item[]) => readonly Row[],
) {
  let all: readonly Item[] = [];
  let after: string | undefined;
  do {
    const { rows, next } = await readPage(after);
    all = [...all, ...rows];
    after = next ?? undefined;
    yield rowsOf(all);
  } while (after !== undefined);
}

const isIn = (group: ReturnType<typeof factsOf>['group']) => (domain: DomainSummary) =>
  factsOf(domain).group === group;
const isServed = isIn('served');

const domains = {
  read: read =>
    pages(
      async after => {
        const { domains: rows, next } = await read('domains.summary', { after, limit: PAGE });
        return { rows, next };
      },
      all => all,
    ),
  text: ({ domain, unicode, project, redirect }) => `${domain} ${unicode} ${project} ${redirect?.to ?? ''}`,
  filters: {
    attention: isInNeed,
    live: isServed,
    'setting-up': isIn('setting-up'),
    failed: isIn('failed'),
    removing: isIn('removing'),
  },
  sorts: {
    /** What is lost first, then the primary domain, the live ones, and the others by name. */
    attention: (left, right) =>
      byText(urgency)(left, right) || roleRank(left) - roleRank(right) || byText(nameOf)(left, right),
    role: (left, right) => roleRank(left) - roleRank(right) || byText(nameOf)(left, right),
    name: byText(nameOf),
    'next-check': byText(({ nextCheckAt }) => nextCheckAt ?? '~'),
  },
} satisfies ListKind<DomainSummary>;

function nameOf({ domain }: DomainSummary): string {
  return domain;
}

function roleRank(domain: DomainSummary): number {
  return domain.role === 'primary' ? 0 : isServed(domain) ? 1 : 2;
}

const isValid = ({ revokedAt, expiresAt }: ApiKey) =>
  !revokedAt && (!expiresAt || Date.parse(expiresAt) > Date.now());

/** How early to warn that a client needs another key. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000;

const expiresSoon = (key: ApiKey) =>
  isValid(key) && key.expiresAt !== null && Date.parse(key.expiresAt) < Date.now() + SOON_MS;

const newest = byText<ApiKey>(({ createdAt }) => createdAt, -1);

const keys = {
  read: read =>
    pages(async after => {
      const { keys: rows, next } = await read('keys.list', { after, limit: PAGE });
      return { rows, next };
    }, listedKeys),
  text: ({ name, id, hint, scopes }) => `${name} ${id} ${hint} ${scopes.join(' ')}`,
  filters: {
    valid: isValid,
    expired: key => !key.revokedAt && !isValid(key),
    revoked: ({ revokedAt }) => Boolean(revokedAt),
  },
  sorts: {
    attention: (left, right) =>
      Number(right.expiresSoon) - Number(left.expiresSoon) ||
      Number(isValid(right)) - Number(isValid(left)) ||
      newest(left, right),
    name: byText(({ name }) => name.toLowerCase()),
    newest,
    used: byText(({ lastUsedAt }) => lastUsedAt, -1),
    expiry: byText(({ expiresAt }) => expiresAt ?? '~'),
  },
} satisfies ListKind<ListedKey>;

/** Among keys rotated from one another, the newest has replaced the others. */
function listedKeys(all: readonly ApiKey[]): ListedKey[] {
  const newestOf = new Map<string, string>();
  for (const key of all.toSorted(byText(({ createdAt }) => createdAt))) newestOf.set(lineageOf(key), key.id);
  return all.map(key => {
    const isReplaced = newestOf.get(lineageOf(key)) !== key.id;
    return { ...key, isReplaced, expiresSoon: !isReplaced && expiresSoon(key) };
  });
}

const isInStatus = (status: OrderView['status']) => (order: OrderView) => order.status === status;
const isDone = isInStatus('delivered');

const orders = {
  async *read(read) {
    let all: readonly OrderView[] = [];
    let hasMore = true;
    while (hasMore && all.length < MOST_ORDERS) {
      const page = await read('orders.list', { limit: PAGE, before: all.at(-1)?.id });
      all = [...all, ...page.orders];
      hasMore = page.hasMore;
      yield all;
    }
  },
  isCut: rows => rows.length >= MOST_ORDERS,
  text: ({ id, petId }) => `${id} ${petId}`,
  filters: {
    placed: isInStatus('placed'),
    approved: isInStatus('approved'),
    delivered: isDone,
  },
  sorts: {
    open: (left, right) => Number(isDone(left)) - Number(isDone(right)) || right.id - left.id,
    newest: (left, right) => right.id - left.id,
    oldest: (left, right) => left.id - right.id,
  },
} satisfies ListKind<OrderView>;

const byName = byText<ListedProject>(({ id, name }) => (name ?? id).toLowerCase());
const isTroubled = ({ deploy, domains }: ListedProject) =>
  deploy.state === 'failed' || (domains?.attention ?? 0) > 0;

const projects = {
  async *read(read) {
    const { projects: all } = await read('projects.list', {});
    yield all.map(listed);
  },
  counting(all) {
    const byProject = Map.groupBy(all, ({ project }) => project);
    return project => {
      const own = byProject.get(project.id) ?? [];
      const counts = { live: own.filter(isServed).length, attention: own.filter(isInNeed).length };
      return { ...project, domains: { total: own.length, ...counts } };
    };
  },
  text: ({ id, name, url, plan }) => `${name ?? ''} ${id} ${url} ${plan}`,
  filters: {
    free: ({ plan }) => plan === 'free',
    paid: ({ plan }) => plan !== 'free',
    failed: ({ deploy }) => deploy.state === 'failed',
  },
  sorts: {
    attention: (left, right) => Number(isTroubled(right)) - Number(isTroubled(left)) || byName(left, right),
    name: byName,
    newest: byText(({ createdAt }) => createdAt, -1),
    deployed: byText(({ deploy }) => deploy.at, -1),
  },
} satisfies ListKind<ListedProject>;

function listed({ id, name, plan, deploy, createdAt, url }: ProjectView): ListedProject {
  return { id, name, plan, deploy, createdAt, url, domains: null };
}

const ENTRIES_AT_ONCE = 500;

const audit = {
  /** Recorded entries never change. */
  isIncremental: true,
  async *read(read, known) {
    const isKnown = new Set(known.map(({ requestId }) => requestId));
    const found: ListedEntry[] = [];
    let limit = known.length > 0 ? 20 : ENTRIES_AT_ONCE;
    for (;;) {
      const { entries } = await read('audit.list', { limit, brief: true, until: found.at(-1)?.at });
      const fresh = entries.filter(({ requestId }) => !isKnown.has(requestId));
      for (const { requestId } of fresh) isKnown.add(requestId);
      found.push(...fresh.map(({ result: _, ...entry }) => entry));
      const reachesKnown =
        known.length > 0 && entries.some(({ requestId }) => requestId === known[0]?.requestId);
      const isAll = entries.length < limit || fresh.length === 0 || found.length >= MOST_ENTRIES;
      yield [...found, ...(isAll || reachesKnown ? known : [])].slice(0, MOST_ENTRIES);
      if (isAll || reachesKnown) return;
      limit = ENTRIES_AT_ONCE;
    }
  },
  isCut: rows => rows.length >= MOST_ENTRIES,
  text: ({ by, claimedBy, command, input }) => `${by} ${claimedBy} ${command} ${JSON.stringify(input)}`,
  filters: {
    domains: isAbout('domains'),
    keys: isAbout('keys'),
    orders: isAbout('orders'),
    projects: isAbout('projects'),
  },
  sorts: {
    newest: byText(({ at }) => at, -1),
    oldest: byText(({ at }) => at),
    who: byText(entry => shownAuthor(entry).name),
  },
} satisfies ListKind<ListedEntry>;

function isAbout(group: string) {
  return ({ command }: ListedEntry) => command.startsWith(`${group}.`);
}

export const LIST_KINDS = { domains, keys, orders, projects, audit };

export type ListName = keyof typeof LIST_KINDS;
export type FilterOf<Name extends ListName> = keyof (typeof LIST_KINDS)[Name]['filters'];
export type SortOf<Name extends ListName> = keyof (typeof LIST_KINDS)[Name]['sorts'];
