import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { localFolder } from '../../operator/connection/running-file.ts';
import type { Target } from '../../operator/connection/target.ts';
import { Access } from './access.ts';
import { type DashboardEnvironment, dashboardEnvironment } from './environment.ts';
import { pageFiles } from './page-bundle.ts';
import { requestHandler } from './request-handler.ts';

export interface Dashboard {
  /** The URL with the token that signs a browser in. */
  readonly url: string;
  /** A URL that signs in once. */
  singleUseUrl(): string;
  close(): Promise<void>;
}

interface DashboardOptions {
  readonly port: number;
  /** Whether to use another port if that one is taken. */
  readonly canMove: boolean;
  /** The folder that keeps which browsers are signed in, over restarts. */
  readonly folder?: string;
}

/** Serves the dashboard of these environments on 127.0.0.1, the first one as the start page. */
export async function startDashboard(
  targets: readonly Target[],
  options: DashboardOptions,
): Promise<Dashboard> {
  return serveDashboard(targets.map(dashboardEnvironment), { folder: localFolder(), ...options });
}

export async function serveDashboard(
  environments: readonly DashboardEnvironment[],
  { port: wanted, canMove, folder }: DashboardOptions,
): Promise<Dashboard> {
  let bundling: ReturnType<typeof pageFiles> | undefined;
  const files = () => {
    bundling ??= pageFiles();
    return bundling;
  };
  // Started before the first request, so that it need not wait. A failure is reported to that request.
  files().catch(() => {});
  const server = await listen(wanted, canMove);
  const { port } = server.address() as AddressInfo;
  // No browser comes back to a port that is another one at every start.
  const file = folder && port === wanted ? join(folder, `dashboard-${port}.json`) : undefined;
  const access = new Access(port, { file });
  const handle = requestHandler({ access, environments, files });
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url: `${access.origin}/#token=${access.token}`,
    singleUseUrl: () => `${access.origin}/#token=${access.singleUseToken()}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(port: number, canMove: boolean): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (!canMove || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(0, false);
  }
}
