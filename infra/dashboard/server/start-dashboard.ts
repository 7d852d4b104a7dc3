import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '../../operator/connection/target.ts';
import { Access } from './access.ts';
import { type DashboardEnvironment, dashboardEnvironment } from './environment.ts';
import { pageFiles } from './page-bundle.ts';
import { requestHandler } from './request-handler.ts';

export interface Dashboard {
  /** The link that signs a browser in. */
  readonly url: string;
  /** For browsers that can't open it, such as Safari: at a host that earlier users of the port may have used. */
  readonly fallbackUrl: string;
  /** A link that signs in once. */
  singleUseUrl(): string;
  close(): Promise<void>;
}

interface DashboardOptions {
  readonly port: number;
  /** Whether to use another port if this one is taken. */
  readonly canMove: boolean;
}

/** Serves the dashboard of these environments, to this machine only; the first one is the start page. */
export async function startDashboard(
  targets: readonly Target[],
  options: DashboardOptions,
): Promise<Dashboard> {
  return serveDashboard(targets.map(dashboardEnvironment), options);
}

export async function serveDashboard(
  environments: readonly DashboardEnvironment[],
  { port: wanted, canMove }: DashboardOptions,
): Promise<Dashboard> {
  let bundling: ReturnType<typeof pageFiles> | undefined;
  const files = () => {
    bundling ??= pageFiles();
    return bundling;
  };
  // Started early so that the first request needn't wait. That request reports a failure.
  files().catch(() => {});
  const servers = await listen(wanted, canMove);
  const { port } = servers[0].address() as AddressInfo;
  const access = new Access(port);
  const handle = requestHandler({ access, environments, files });
  for (const server of servers) {
    server.on('request', (request, response) => {
      handle(request, response).catch(() => response.destroy());
    });
  }
  return {
    url: access.link(),
    fallbackUrl: access.link({ host: '127.0.0.1' }),
    singleUseUrl: () => access.link({ isSingleUse: true }),
    close: async () => void (await Promise.all(servers.map(closed))),
  };
}

/** Browsers look up link hosts at both loopback addresses, so no other program may have the port at either. */
async function listen(port: number, canMove: boolean): Promise<[Server, ...Server[]]> {
  const first = createServer();
  try {
    await listening(first, port, '127.0.0.1');
    const second = createServer();
    await listening(second, (first.address() as AddressInfo).port, '::1');
    return [first, second];
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // A machine without IPv6.
    if (first.listening && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) return [first];
    if (first.listening) await closed(first);
    if ((!canMove && port !== 0) || code !== 'EADDRINUSE') throw error;
    return listen(0, false);
  }
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
