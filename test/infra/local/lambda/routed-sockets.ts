/**
 * node:dgram and node:net as functions have them. A test of code that asks DNS servers at their IP addresses mocks both modules
 * with these:
 *
 *   vi.mock('node:dgram', async () => (await import('…/routed-sockets.ts')).dgram);
 *   vi.mock('node:net', async () => (await import('…/routed-sockets.ts')).net);
 */
import { routedDgram, routedNet } from '../../../../infra/local/lambda/network-routes.ts';

const resolvers: [string, string] = ['', ''];

export const dgram = routedDgram(resolvers);
export const net = routedNet(resolvers);

/** Lets code reach these resolvers at 1.1.1.1 and at 8.8.8.8. */
export function routeTo(first: string, second: string): void {
  resolvers.splice(0, 2, first, second);
}
