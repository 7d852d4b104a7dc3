/**
 * node:dgram, node:net and node:https as functions have them. A test of code that connects to IP addresses mocks the modules
 * with these:
 *
 *   vi.mock('node:dgram', async () => (await import('…/routed-sockets.ts')).dgram);
 *   vi.mock('node:net', async () => (await import('…/routed-sockets.ts')).net);
 *   vi.mock('node:https', async () => (await import('…/routed-sockets.ts')).https);
 */
import { routedDgram, routedHttps, routedNet } from '../lambda/network-routes.ts';

const resolvers: [string, string] = ['', ''];

export const dgram = routedDgram(resolvers);
export const net = routedNet(resolvers);
/** The server that code reaches at port 443 of the edge's addresses, and whose authority it trusts. */
export const edge = { port: 0, authority: '' };
export const https = routedHttps(edge);

/** Lets code reach these resolvers at 1.1.1.1 and at 8.8.8.8. */
export function routeTo(first: string, second: string): void {
  resolvers.splice(0, 2, first, second);
}
