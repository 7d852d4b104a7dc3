import { expect, onTestFinished, test, vi } from 'vitest';
import { startDnsListener } from '../../../../infra/local/dns/dns-listener.ts';
import type { Responder } from '../../../../infra/local/dns/dns-message.ts';
import { emptyReply, type Reply } from '../../../../infra/local/dns/dns-message.ts';
import { nameServerAddress } from '../../../../infra/local/host/public-addresses.ts';
import { dnsRecord } from '../../../../infra/local/route53/record-set.ts';
import { routeTo } from '../../../../infra/local/test/lambda/routed-sockets.ts';
import { checkDns } from '../../../../shared/domains/dns/check-dns.ts';
import { requiredRecords } from '../../../../shared/domains/dns/required-record.ts';
import { vantagePointsFor } from '../../../../shared/domains/dns/vantage-points.ts';

vi.mock(
  'node:dgram',
  async () => (await import('../../../../infra/local/test/lambda/routed-sockets.ts')).dgram,
);
vi.mock('node:net', async () => (await import('../../../../infra/local/test/lambda/routed-sockets.ts')).net);

async function listening(responder: Responder) {
  const listener = await startDnsListener(responder);
  onTestFinished(listener.stop);
  return listener;
}

/** A resolver that knows the six name servers of zoo.com, all of them silent, and fails by `fault` for other names. */
async function silentZone(fault: Reply | 'silence') {
  const questions: string[] = [];
  const silent = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      listening({
        isRecursive: false,
        reply: async ({ type }) => {
          questions.push(`${index} ${type}`);
          return 'silence';
        },
      }),
    ),
  );
  const resolver = await listening({
    isRecursive: true,
    reply: async ({ name, type }) => {
      const answers =
        name === 'zoo.com' && type === 'NS'
          ? silent.map((_, index) => dnsRecord('NS', name, 60, `ns${index}.provider.test`))
          : silent.flatMap(({ port }, index) =>
              name === `ns${index}.provider.test` ? [dnsRecord('A', name, 60, nameServerAddress(port))] : [],
            );
      return answers.length > 0 ? { ...emptyReply('NOERROR'), answers } : fault;
    },
  });
  routeTo(resolver.address, resolver.address);
  return {
    /** Which servers were asked for which types, without repetitions. */
    asked: () => [...new Set(questions)].toSorted(),
    pointsFor: (limits: { budgetMs: number; timeoutMs: number }) =>
      vantagePointsFor('www.zoo.com', ['1.1.1.1', '8.8.8.8'], limits),
  };
}

const REQUIRED = requiredRecords({
  domain: 'www.zoo.com',
  kind: 'subdomain',
  status: 'verifying',
  records: [],
  zone: 'zoo.com',
  target: 'host.apps.platform.test',
  challenge: 'unused',
  certificate: { validations: [{ name: '_v.www.zoo.com', value: '_w.acm-validations.aws' }] },
});

test('asks at most four silent name servers, all at once, and each only once', async () => {
  const { pointsFor, asked } = await silentZone(emptyReply('SERVFAIL'));
  // Long enough for the resolver on a busy machine; the silent servers take it once.
  const points = await pointsFor({ budgetMs: 60_000, timeoutMs: 1500 });
  expect(points).toMatchObject({ zone: undefined, isApex: false });
  const records = await checkDns(REQUIRED, 'zoo.com', points);
  expect(records.map(({ state }) => state)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(asked()).toEqual(['0 SOA', '1 SOA', '2 SOA', '3 SOA']);
});

test('ends a whole check when its budget is used up', async () => {
  const { pointsFor } = await silentZone('silence');
  const startedMs = performance.now();
  const points = await pointsFor({ budgetMs: 150, timeoutMs: 60_000 });
  const records = await checkDns(REQUIRED, 'zoo.com', points);
  expect(records.map(({ state }) => state)).toEqual(['unreachable', 'unreachable', 'unreachable']);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test('finds nothing, and does not throw, when nobody listens at the address of a server', async () => {
  const points = await vantagePointsFor('www.zoo.com', ['127.0.0.1:1']);
  expect(points).toMatchObject({ zone: undefined, authoritative: undefined });
  expect(await points.resolvers[0]?.('www.zoo.com', 'A')).toEqual({ kind: 'unknown', why: 'no answer' });
});
