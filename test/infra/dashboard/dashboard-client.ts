import { request } from 'node:http';
import type { DashboardEnvironment } from '../../../infra/dashboard/server/environment.ts';
import { type Dashboard, serveDashboard } from '../../../infra/dashboard/server/start-dashboard.ts';

export interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Options {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A dashboard, and a client that sends what it is told, as an attacker would: fetch() forbids some headers. */
export interface TestDashboard extends Dashboard {
  readonly origin: string;
  readonly port: number;
  send(path: string, options?: Options): Promise<Response>;
  /** The headers of a browser that is signed in. */
  signIn(): Promise<Record<string, string>>;
  /** Sends what the page sends, signed in, with headers changed or left out (an empty text). */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export async function testDashboard(...environments: DashboardEnvironment[]): Promise<TestDashboard> {
  const dashboard = await serveDashboard(environments, { port: 0, canMove: false });
  const { origin, port } = new URL(dashboard.url);
  const send = (path: string, { method = 'GET', headers = {}, body }: Options = {}) =>
    new Promise<Response>((resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port, path, method, headers: { Host: `127.0.0.1:${port}`, ...headers } },
        async answer => {
          const text = Buffer.concat(await answer.toArray()).toString();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        },
      );
      sent.on('error', reject).end(body);
    });
  const signIn = async () => {
    const { headers } = await send(dashboard.url.slice(origin.length));
    return { Cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
  };
  return {
    ...dashboard,
    origin,
    port: Number(port),
    send,
    signIn,
    async post(path, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const all: Record<string, string> = {
        ...(await signIn()),
        Origin: origin,
        'Content-Type': 'application/json',
        'Content-Length': String(Buffer.byteLength(text)),
        'X-Petstore-Dashboard': '1',
        ...headers,
      };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      return send(path, { method: 'POST', headers: given, body: text });
    },
  };
}
