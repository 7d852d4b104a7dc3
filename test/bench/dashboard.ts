import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { dashboardEnvironment } from '../../infra/dashboard/server/environment.ts';
import { serveDashboard } from '../../infra/dashboard/server/start-dashboard.ts';
import { localTarget } from '../../infra/operator/connection/target.ts';
import { requiredRecords } from '../../shared/domains/dns/required-record.ts';
import { type Domain, domainItem } from '../../shared/domains/life/domain.ts';
import { startBrowser } from '../service/browser.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { certified, claimed, live } from '../shared/domains/claimed-domain.ts';
import { type BareEngine, loadedId, loadItems, startBareEngine } from './bare-engine.ts';

const SIZES = { domains: 2_000, keys: 5_000, orders: 5_000, projects: 300, entries: 500 };

/** What was measured of one list. Times are milliseconds in the browser, until the rows are painted. */
export interface ShownList {
  readonly list: string;
  /** The first look since the dashboard was started, from another page. */
  readonly firstMs: number;
  /** From the start of loading the page again. */
  readonly againMs: number;
  /** From a key press in the search, the last page, a filter or an order to its rows: the slowest of them. */
  readonly slowestChangeMs: number;
  /** From a key press in the search to the frame that shows the letter: the slowest of them. */
  readonly slowestKeyMs: number;
  /** All bytes of a minute in which nothing happens, between the page and the dashboard, and between that and AWS. */
  readonly idlePageBytes: number;
  readonly idleAwsBytes: number;
}

const STAGE = 'production';

/** The lists, with a search that finds some of their rows, and a filter and an order of theirs. */
const LISTS = [
  {
    list: 'domains of a project',
    path: `projects/${projectId(0)}/domains`,
    search: 'shop-10',
    filter: 'attention',
    sort: 'name',
  },
  { list: 'domains', path: 'domains', search: 'shop-19', filter: 'attention', sort: 'name' },
  { list: 'keys', path: 'keys', search: 'client 49', filter: 'revoked', sort: 'name' },
  { list: 'orders', path: 'orders', search: '99', filter: 'delivered', sort: 'oldest' },
  { list: 'projects', path: 'projects', search: 'project-02', filter: 'free', sort: 'newest' },
  { list: 'audit', path: 'audit', search: 'client 48', filter: 'domains', sort: 'oldest' },
] as const;

/** The lists of the dashboard in a browser, over a service on this machine with much in it. */
export async function measureDashboard(
  tableOf: (logicalId: string) => string,
  progress: (done: string) => void,
): Promise<ShownList[]> {
  const engine = await startBareEngine();
  const service = await startService(['--memory', '--dynamodb', engine.endpoint, '--patience', '10']);
  // As people have it: the tests' browser doesn't optimize scripts.
  const browser = await startBrowser('--js-flags=');
  try {
    await fill(engine, tableOf);
    progress('tables filled');
    const results: ShownList[] = [];
    for (const shown of LISTS) {
      results.push(await measureList(service, browser, shown));
      progress(shown.list);
    }
    return results;
  } finally {
    await browser.close();
    await service.stop();
    await engine.stop();
  }
}

async function measureList(
  service: RunningService,
  browser: Browser,
  { list, path, search, filter, sort }: (typeof LISTS)[number],
): Promise<ShownList> {
  const aws = await countingProxy(service.awsEndpoint);
  const environment = dashboardEnvironment(
    localTarget(STAGE, { ...service, awsEndpoint: aws.url, baseUrls: { [STAGE]: service.production.url } }),
  );
  const dashboard = await serveDashboard([environment], { port: 0, canMove: false });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  try {
    let pageBytes = 0;
    page.on('requestfinished', async request => {
      const sizes = await request.sizes();
      pageBytes += Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
    });
    const { origin } = new URL(dashboard.url);
    const url = `/${STAGE}/${path}`;
    await page.goto(dashboard.url);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    // The signed-in page has replaced the one that signs in.
    await page.evaluate(shown('rows()'));
    await delay(SETTLED_MS);
    if (path === 'projects') await untilOtherRows(page, goTo(`/${STAGE}/audit`));
    const firstMs = await untilOtherRows(page, goTo(url));
    await page.goto(`${origin}${url}`);
    const againMs = Number(await page.evaluate(`${shown('rows()')}.then(() => performance.now())`));
    const changes = await searchFor(page, search);
    for (const query of ['page=9999', `status=${filter}`, `sort=${sort}`]) {
      await untilOtherRows(page, goTo(url));
      changes.push(await untilOtherRows(page, goTo(`${url}?${query}`)));
    }
    const slowestKeyMs = Number(await page.evaluate('slowestKeyMs'));

    await untilOtherRows(page, goTo(url));
    await delay(SETTLED_MS);
    pageBytes = 0;
    const awsBytes = aws.bytes();
    await delay(60_000);
    return {
      list,
      firstMs,
      againMs,
      slowestChangeMs: Math.max(...changes),
      slowestKeyMs,
      idlePageBytes: pageBytes,
      idleAwsBytes: aws.bytes() - awsBytes,
    };
  } finally {
    await page.close();
    await dashboard.close();
    aws.close();
  }
}

/** The dashboard reads again for some seconds after it was started. */
const SETTLED_MS = 10_000;

/** A way to the AWS endpoint that counts the bytes of both directions. */
async function countingProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  let bytes = 0;
  const server = createServer(incoming => {
    const outgoing = connect(Number(port), hostname);
    const ways = [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const;
    for (const [from, to] of ways) {
      from.on('data', data => {
        bytes += data.length;
      });
      from.on('error', () => to.destroy());
      from.pipe(to);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => server.close(),
  };
}

/** Goes to a path, in the page, as its own links do. */
const goTo = (path: string) =>
  `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));`;

/** The names of the rows and their count, in the page. */
const ROWS = `const rows = () => document.querySelector('main tbody th') &&
  [...document.querySelectorAll('main tbody th, nav.pages')].map(({ textContent }) => textContent).join();`;

const LIMIT_MS = 60_000;

/** In the page, resolves in the frame after the one that shows what the condition is about. */
const shown = (condition: string) => `new Promise((resolve, reject) => {
  ${ROWS}
  setTimeout(() => reject(new Error('The page shows no other rows.')), ${LIMIT_MS});
  const look = () =>
    requestAnimationFrame(() => ((${condition}) ? requestAnimationFrame(() => setTimeout(resolve)) : look()));
  look();
})`;

/** The milliseconds from some action in the page until it shows other rows than before. */
async function untilOtherRows(page: Page, action: string): Promise<number> {
  const measured = page.evaluate(`(() => {
    ${ROWS}
    const before = rows();
    const startedAt = performance.now();
    ${action}
    return ${shown('rows() && rows() !== before')}.then(() => performance.now() - startedAt);
  })()`);
  return Number(await measured);
}

/** Types as people do, and returns the milliseconds from the last two key presses, which change the rows, to the rows. */
async function searchFor(page: Page, search: string): Promise<number[]> {
  await page.evaluate(`(() => {
    window.slowestKeyMs = 0;
    new PerformanceObserver(list => {
      for (const { name, duration } of list.getEntries()) {
        if (name.startsWith('key') || name === 'input') slowestKeyMs = Math.max(slowestKeyMs, duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  })()`);
  await page.locator('main input[type=search]').pressSequentially(search, { delay: 80 });
  await page.waitForURL(({ searchParams }) => searchParams.get('q') === search);
  const measured: number[] = [];
  for (const key of ['Backspace', search.at(-1) ?? '']) {
    await delay(1000);
    await page.evaluate(`(() => {
      ${ROWS}
      const before = rows();
      window.pressed = new Promise((resolve, reject) => {
        const press = ({ timeStamp }) =>
          ${shown('rows() && rows() !== before')}.then(() => resolve(performance.now() - timeStamp), reject);
        addEventListener('keydown', press, { once: true, capture: true });
      });
      return true;
    })()`);
    await page.keyboard.press(key);
    measured.push(Number(await page.evaluate('pressed')));
  }
  return measured;
}

const AT_MS = Date.now() - 24 * 60 * 60 * 1000;
const at = (index: number) => new Date(AT_MS + index * 1000).toISOString();

function projectId(index: number): string {
  return `project-${String(index).padStart(3, '0')}`;
}

/** Writes to the tables directly, items in the form of the stores, in which nothing is left to do for the service. */
async function fill({ client }: BareEngine, tableOf: (logicalId: string) => string): Promise<void> {
  const load = (logicalId: string, count: number, itemAt: (index: number) => object) => {
    const items = Array.from({ length: count }, (_, index) =>
      marshall(itemAt(index), { removeUndefinedValues: true }),
    );
    return loadItems(client, tableOf(logicalId), items);
  };
  const domains = Array.from({ length: SIZES.domains }, (_, index) => domainAt(index));
  await load('DomainsTable', SIZES.domains, index => domainItem(domains[index] as Domain));
  await load('ProjectsTable', SIZES.projects, index => {
    const id = projectId(index);
    const live = domains.filter(({ project, liveAt }) => project === id && liveAt);
    const liveDomains = live.map(({ domain }) => domain);
    return {
      id,
      plan: index % 3 === 0 ? 'pro' : index < PROJECTS_WITH_DOMAINS ? 'enterprise' : 'free',
      apiId: 'abcdefghij',
      stage: STAGE,
      endpointWhileLive: 'open',
      whileLive: 'serve',
      deployState: 'succeeded',
      deployedAt: at(index),
      succeededAt: at(index),
      createdAt: at(index),
      routing: { liveDomains, primary: liveDomains[0] ?? null, redirects: [] },
    };
  });
  await load('ApiKeysTable', SIZES.keys, index => ({
    id: `key_${String(index).padStart(24, '0')}`,
    name: `Client ${index} of a partner`,
    hint: `pet_live_…${String(index).padStart(4, '0')}`,
    scopes: 'pets:read pets:write orders:read',
    hash: 'a'.repeat(64),
    createdAt: at(index),
    expiresAt: index % 3 === 0 ? new Date(Date.now() + index * 60_000_000).toISOString() : undefined,
    lastUsedAt: index % 2 === 0 ? at(index + 7) : undefined,
    revokedAt: index % 10 === 0 ? at(index + 9) : undefined,
  }));
  await load('OrdersTable', SIZES.orders, index => {
    const id = BigInt(loadedId(index));
    const status = ['placed', 'approved', 'delivered'][index % 3];
    return { list: 'orders', id, petId: id + 1n, status, placedAt: at(index), writeToken: id.toString() };
  });
  await load('OperatorAudit', SIZES.entries, index => {
    const [command, input] =
      index % 2 === 0
        ? ['keys.create', { name: `Client ${index}` }]
        : ['domains.add', { project: projectId(index % 40), domain: domainName(index) }];
    const by = `arn:aws:sts::123456789012:assumed-role/Operators/operator-${index % 7}`;
    const request = { requestId: `entry-${index}`, at: at(index), by, claimedBy: 'jane' };
    return { log: 'changes', ...request, command, input, result: input };
  });
}

const PROJECTS_WITH_DOMAINS = 40;
const IN_LARGEST_PROJECT = 500;

const domainName = (index: number) => `shop-${index}.customer-${index % 700}.example`;

/** More than half of the domains are live, the others in several states in which they stay. */
function domainAt(index: number): Domain {
  const domain = domainName(index);
  const zone = domain.split('.').slice(-2).join('.');
  const validation = {
    name: `_${'0123456789abcdef'.repeat(2)}.${domain}`,
    value: `_${'fedcba9876543210'.repeat(2)}.jkddzztszm.acm-validations.aws`,
  };
  const fields: Partial<Domain> = {
    domain,
    registrable: zone,
    zone,
    createdAt: at(index),
    phaseStartedAt: at(index),
    project: projectId(index < IN_LARGEST_PROJECT ? 0 : 1 + (index % (PROJECTS_WITH_DOMAINS - 1))),
    nameServers: ['ns-1.dns.example', 'ns-2.dns.example'],
    target: `${String(index).padStart(20, '0')}.apps.petstore.example`,
    certificate: certified({ validations: [validation] }),
    history: [
      'pending_dns: added',
      'verifying: Verification started.',
      'issuing: The domain is verified. Its certificate is being issued.',
      'issuing: The certificate is issued.',
      `live: https://${domain} is live.`,
    ].map((what, step) => ({ at: at(index + step), what })),
  };
  const blocked = {
    reason: 'traffic_record_conflict',
    message: `The traffic record of ${domain} is blocked, and was not there within 72 hours.`,
  } as const;
  switch (index % 10) {
    case 0:
    case 1:
      return claimed(fields);
    case 2:
      return checked(
        'conflict',
        live({ ...fields, ...blocked, status: 'needs_attention' } as Partial<Domain>),
      );
    case 3:
      return checked('conflict', claimed({ ...fields, ...blocked, status: 'failed' } as Partial<Domain>));
    default:
      return checked('ok', live(fields));
  }
}

/** The domain after a check that has found all of its records like this. */
function checked(state: 'ok' | 'conflict', domain: Domain): Domain {
  const records = requiredRecords(domain).map(record => {
    const { name, type, value } = record;
    const action = `Delete the A record of ${name} (192.0.2.1), and create the ${type} record ${name} with the value ${value}.`;
    return state === 'ok'
      ? { ...record, state, observed: [value], action: null }
      : { ...record, state, observed: ['192.0.2.1'], action };
  });
  return { ...domain, checkedAt: domain.createdAt, records };
}
