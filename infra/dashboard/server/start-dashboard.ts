import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Target } from '../../cli/framework/target.ts';
import { Access } from './access.ts';
import type { DashboardEnvironment } from './dashboard-environment.ts';
import { localDnsProvider } from './dns-provider.ts';
import { environmentOperator } from './environment-operator.ts';
import { pageFiles } from './page-bundle.ts';
import { requestHandler } from './request-handler.ts';

export interface Dashboard {
  /** The address with the token that signs a browser in. */
  readonly url: string;
  /** An address that signs in once. */
  singleUseUrl(): string;
  close(): Promise<void>;
}

interface DashboardOptions {
  readonly port: number;
  /** Whether another port is used when that one is taken. */
  readonly canMove: boolean;
}

/** Serves the dashboard of these environments on the loopback address, the first one as the start page. */
export async function startDashboard(
  targets: readonly Target[],
  options: DashboardOptions,
): Promise<Dashboard> {
  return serveDashboard(targets.map(environmentOf), options);
}

export async function serveDashboard(
  environments: readonly DashboardEnvironment[],
  { port, canMove }: DashboardOptions,
): Promise<Dashboard> {
  let bundling: ReturnType<typeof pageFiles> | undefined;
  const files = () => {
    bundling ??= pageFiles();
    return bundling;
  };
  // Begun before the first request, which so need not wait for it. A failure is reported to that request.
  files().catch(() => {});
  const server = await listen(port, canMove);
  const access = new Access((server.address() as AddressInfo).port);
  const handle = requestHandler({ access, environments, files });
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  return {
    url: `${access.origin}/?token=${access.token}`,
    singleUseUrl: () => `${access.origin}/?token=${access.singleUseToken()}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function environmentOf(target: Target): DashboardEnvironment {
  const operator = environmentOperator(target);
  const { stage, isLocal } = target;
  return { stage, isLocal, operator, dnsProvider: isLocal ? localDnsProvider(target, operator) : undefined };
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
