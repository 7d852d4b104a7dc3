import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Random } from '../../../infra/local/virtual/random.ts';
import { type Fault, type ProxiedRequest, startFaultProxy } from '../../fault-proxy.ts';
import { AwsFaults, dynamoDbFault, forecast, phaseAt } from './faults.ts';

describe('the forecast', () => {
  test('is the same for the same seed, fills the run without a gap, and has all kinds of phases', () => {
    const phases = forecast(new Random(1), 600_000);
    expect(forecast(new Random(1), 600_000)).toEqual(phases);
    expect(forecast(new Random(2), 600_000)).not.toEqual(phases);
    expect(new Set(phases.map(({ kind }) => kind)).size).toBe(4);
    for (const [index, { fromMs }] of phases.entries()) expect(fromMs).toBe(phases[index - 1]?.toMs ?? 0);
    expect(phases.at(-1)?.toMs).toBe(600_000);
    expect(phaseAt(phases, 600_000)).toBeUndefined();
  });
});

describe('the fault proxy', () => {
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
  ])('passes on %s', async (_title, fault, response, carriedOut) => {
    expect(await proxied(fault)).toEqual({ response, carriedOut, faults: fault ? { x: 1 } : {} });
  });
});

describe('the faults of DynamoDB', () => {
  const faultsOf = (operation: string, body = '{}') => {
    const random = new Random(1);
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const request: ProxiedRequest = { method: 'POST', path: '/', headers, body: Buffer.from(body) };
    return Array.from({ length: 300 }, () => dynamoDbFault(request, 1, random));
  };
  const namesOf = (operation: string) => new Set(faultsOf(operation).map(fault => fault?.name));

  test('lose requests and responses, throttle, fail and delay', () => {
    const names = [
      'request lost',
      'response lost',
      'response cut',
      'no response',
      'delay',
      'throttled',
      'internal error after',
    ];
    for (const name of names) expect(namesOf('Query')).toContain(name);
    expect(namesOf('Query')).not.toContain('write conflict');
    expect(namesOf('PutItem')).toContain('write conflict');
  });

  test('cancel a transaction with one reason for each of its writes', () => {
    const faults = faultsOf('TransactWriteItems', '{"TransactItems":[{},{},{}]}');
    const conflict = faults.find(fault => fault?.name === 'transaction conflict')?.instead;
    const { CancellationReasons } = JSON.parse(typeof conflict === 'object' ? conflict.body : '');
    expect(CancellationReasons.map(({ Code }: { Code: string }) => Code).toSorted()).toEqual([
      'None',
      'None',
      'TransactionConflict',
    ]);
  });
});

describe('the faults of the AWS endpoint', () => {
  const request = (service: string): ProxiedRequest => ({
    method: 'POST',
    path: '/',
    headers: { authorization: `Credential=role/20260101/us-east-1/${service}/aws4_request` },
    body: Buffer.from('{}'),
  });

  test('never lose a call four times in a row', () => {
    const faults = new AwsFaults(new Random(1));
    let inARow = 0;
    for (let call = 0; call < 1000; call += 1) {
      const fault = faults.choose(request('acm'), 1, 0);
      inARow = fault?.lost && fault.instead !== 'silence' ? inARow + 1 : 0;
      expect(inARow).toBeLessThan(4);
    }
  });

  test('leave DynamoDB to its own proxy', () => {
    const faults = new AwsFaults(new Random(1));
    expect(faults.choose(request('dynamodb'), 1, 0)).toBeUndefined();
  });
});
