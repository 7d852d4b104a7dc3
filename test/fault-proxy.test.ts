import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Fault, startFaultProxy } from './fault-proxy.ts';

/** A proxy with this fault in front of a server that responds "done" and counts what it has carried out. */
async function proxied(fault: Fault | undefined) {
  let carriedOut = 0;
  const server = createServer((_, response) => {
    carriedOut += 1;
    response.end('done');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = await startFaultProxy({ upstream: () => upstream, choose: () => fault });
  onTestFinished(() => {
    proxy.stop();
    server.closeAllConnections();
    server.close();
  });
  const response = await fetch(`${proxy.endpoint}/a`, { method: 'POST', body: 'b' }).then(
    async response => `${response.status} ${await response.text().catch(() => 'cut')}`,
    () => 'no response',
  );
  return { response, carriedOut, faults: Object.fromEntries(proxy.faults) };
}
const instead = { status: 500, headers: {}, body: 'broken' };

test.each<[string, Fault | undefined, string, number]>([
  ['no fault', undefined, '200 done', 1],
  ['a delay', { name: 'x', delayMs: 5 }, '200 done', 1],
  ['a lost request', { name: 'x', lost: 'before' }, 'no response', 0],
  ['a lost response', { name: 'x', lost: 'after' }, 'no response', 1],
  ['an error in place of the request', { name: 'x', lost: 'before', instead }, '500 broken', 0],
  ['an error in place of the response', { name: 'x', lost: 'after', instead }, '500 broken', 1],
  ['half of a response', { name: 'x', lost: 'after', instead: 'half of the response' }, '200 cut', 1],
])('the fault proxy passes on %s', async (_title, fault, response, carriedOut) => {
  expect(await proxied(fault)).toEqual({ response, carriedOut, faults: fault ? { x: 1 } : {} });
});
