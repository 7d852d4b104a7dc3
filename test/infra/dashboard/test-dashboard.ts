import type { Page } from 'playwright-core';
import type { DashboardEnvironment } from '../../../infra/dashboard/server/environment.ts';
import { type Dashboard, serveDashboard } from '../../../infra/dashboard/server/start-dashboard.ts';
import { CommandError } from '../../../infra/operator/connection/command-error.ts';
import { exchange, type HttpRequest } from '../../../infra/tools/http-exchange.ts';
import type { CommandName, DomainReport } from '../../../shared/operator/contract.ts';
import { summaryOf } from '../../../shared/operator/domains/list-domains.ts';
import { LINK } from '../operator/operator-stand-in.ts';
import { ENTRIES, KEYS, ORDERS, PROJECTS } from './shown-data.ts';
import { DOMAINS, lookAt } from './shown-domains.ts';

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A dashboard, and a client that sends what it is told, as an attacker would: fetch() forbids some headers. */
export interface TestDashboard extends Dashboard {
  readonly origin: string;
  readonly port: number;
  send(path: string, options?: HttpRequest): Promise<Response>;
  /** Opens a session with the token of the URL, or with what is given instead. */
  open(secret?: string): Promise<Response>;
  /** Sends what the page sends, signed in, with headers changed or left out (an empty text). */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export async function testDashboard(...environments: DashboardEnvironment[]): Promise<TestDashboard> {
  return dashboardAt(0, environments);
}

/** A dashboard at a port, such as that of one which was stopped. */
export async function dashboardAt(
  wanted: number,
  environments: readonly DashboardEnvironment[],
): Promise<TestDashboard> {
  const dashboard = await serveDashboard(environments, { canMove: false, port: wanted });
  const { origin, host, port, hash } = new URL(dashboard.url);
  // Only browsers find the host of the URL.
  const server = `http://127.0.0.1:${port}`;
  const send = async (path: string, { headers: given, ...options }: HttpRequest = {}) => {
    const { status, headers, text } = await exchange(server, {
      ...options,
      path,
      headers: { Host: host, ...given },
    });
    return { status, headers, body: text };
  };
  const open = (secret = hash.slice('#token='.length)) =>
    post('/api/session', { input: {} }, { 'X-Petstore-Dashboard': secret });
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const all: Record<string, string> = {
      Origin: origin,
      'Content-Type': 'application/json',
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    return send(path, { method: 'POST', headers: given, body: text });
  };
  return {
    ...dashboard,
    origin,
    port: Number(port),
    send,
    open,
    async post(path, body, headers = {}) {
      const secret = JSON.parse((await open()).body).result.session;
      return post(path, body, { 'X-Petstore-Dashboard': secret, ...headers });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A command as the stand-in got it. */
export interface Sent {
  readonly command: CommandName;
  readonly input: Fields;
  readonly requestId?: string;
}

export interface StandIn extends DashboardEnvironment {
  readonly sent: Sent[];
  /** The keys and days that usage was asked for. */
  readonly usageAsked: [string, number][];
  /** Responds instead of the usual data, to commands that a test is about. */
  respond: ((command: CommandName, input: Fields) => unknown) | undefined;
  warnings: readonly string[];
  versionNote?: string;
}

/** An environment without an operator function: it responds with what shown-data.ts and shown-domains.ts show. */
export function standInEnvironment(stage: string, { isLocal = false } = {}): StandIn {
  const responseTo = async (sent: Sent) => {
    const { command, input } = sent;
    standIn.sent.push(sent);
    if (command === 'domains.link') return { result: LINK, warnings: [] };
    const result = await (standIn.respond?.(command, input) ?? shown(command, input));
    return { result, warnings: [], versionNote: standIn.versionNote };
  };
  const standIn: StandIn = {
    stage,
    isLocal,
    sent: [],
    usageAsked: [],
    respond: undefined,
    warnings: [],
    operator: {
      read: (command, input) => responseTo({ command, input }),
      change: async (command, input, requestId) => ({
        ...(await responseTo({ command, input, requestId })),
        warnings: standIn.warnings,
      }),
      async details() {
        const account = isLocal ? null : '123456789012';
        const by = isLocal ? 'sam' : 'arn:aws:sts::123456789012:assumed-role/Operators/jane';
        const baseUrl = isLocal ? `http://127.0.0.1:3000/${stage}/v1` : null;
        return { region: 'eu-central-1', account, by, baseUrl, edge: null };
      },
    },
    async keyUsage(keyId, startMs) {
      standIn.usageAsked.push([keyId, Math.round((Date.now() - startMs) / 86_400_000)]);
      return [{ operation: 'getPet', requests: 12, refused: 3, throttled: 2, failed: 1 }];
    },
    createRecords: isLocal ? createRecords : undefined,
  };
  return standIn;
}

/** Creates the records of domains, for which a confirmation deletes what they are blocked by. */
async function createRecords(_project: string, domains: readonly string[], confirmed: readonly string[]) {
  const records = DOMAINS.filter(({ domain }) => domains.includes(domain)).flatMap(each => each.records);
  const inTheWay = records.filter(({ state }) => state === 'conflict').flatMap(({ observed }) => observed);
  if (inTheWay.length > confirmed.length) return { created: [], inTheWay };
  return { created: records.map(({ type, name }) => `${type} ${name}`), inTheWay: [] };
}

function shown(command: CommandName, { project, domain, id }: Fields): unknown {
  const shows: Partial<Record<CommandName, () => unknown>> = {
    'projects.list': () => ({ projects: PROJECTS }),
    'projects.show': () => found(PROJECTS, each => each.id === id),
    'domains.summary': () => ({ domains: DOMAINS.map(summaryOf), next: null }),
    'domains.check': () => lookAt(String(domain), String(project)),
    'keys.list': () => ({ keys: KEYS, next: null }),
    'keys.create': () => ({ ...KEYS[0], key: 'pet_test_4f8Kq2LmZ9xWvB7nRtYcD3sHgJ6pQaUe1o' }),
    'orders.list': () => ({ orders: ORDERS, hasMore: false }),
    'audit.list': () => ({ entries: ENTRIES }),
  };
  const isMeant = (each: DomainReport) => each.domain === domain && each.project === project;
  return (shows[command] ?? (() => found(DOMAINS, isMeant)))();
}

function found<Value>(all: readonly Value[], isMeant: (value: Value) => boolean): Value {
  const value = all.find(isMeant);
  if (value) return value;
  throw new CommandError('not_found', 'There is no such thing.', { reason: 'domain_unknown' });
}

/** Goes to a path of the page as its own links do. Loading the page again would take a new browser process. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
