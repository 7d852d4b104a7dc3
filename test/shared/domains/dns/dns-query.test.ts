import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { decode, encode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dnsRecord, emptyReply, startDnsListener } from '../../../../infra/local/testing/dns.ts';
import { query, withoutTrailingDot } from '../../../../shared/domains/dns/dns-query.ts';
import { resolverLookup } from '../../../../shared/domains/dns/lookup.ts';

const OPTIONS = { isRecursive: true, timeoutMs: 60_000, signal: new AbortController().signal };
const QUESTION = { name: 'zoo.com', type: 'A' } as const;

/** A UDP server that answers a query with these messages. */
async function udpServer(messagesFor: (queryId: number) => Buffer[]): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => {
    socket.close();
  });
  await once(socket, 'listening');
  socket.on('message', (message, { address, port }) => {
    for (const response of messagesFor(decode(message).id ?? 0)) socket.send(response, port, address);
  });
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const responseWith = (id: number, name: string, address: string) =>
  encode({
    type: 'response',
    id,
    questions: [{ name, type: 'A' }],
    answers: [{ name, type: 'A', ttl: 60, data: address }],
  });

describe('a DNS query', () => {
  test('ignores responses to other queries and what is not a DNS message', async () => {
    const server = await udpServer(id => [
      Buffer.from('nonsense'),
      responseWith((id + 1) % 65_536, 'zoo.com', '192.0.2.66'),
      responseWith(id, 'elsewhere.com', '192.0.2.66'),
      responseWith(id, 'ZOO.com', '192.0.2.1'),
    ]);
    const { answers } = await query(server, QUESTION, OPTIONS);
    expect(answers).toEqual([{ name: 'zoo.com', type: 'A', value: '192.0.2.1', ttl: 60 }]);
  });

  test('is sent again when a message is lost', async () => {
    let received = 0;
    const server = await udpServer(id => {
      received += 1;
      return received < 2 ? [] : [responseWith(id, 'zoo.com', '192.0.2.1')];
    });
    expect(await query(server, QUESTION, { ...OPTIONS, timeoutMs: 9000 })).toMatchObject({ code: 'NOERROR' });
  });

  test('ends when it is aborted, before it is sent or while it waits', async () => {
    const server = await udpServer(() => []);
    const aborted = query(server, QUESTION, { ...OPTIONS, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow('no answer');
    const controller = new AbortController();
    const waiting = query(server, QUESTION, { ...OPTIONS, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow('no answer');
  });
});

describe('a look-up', () => {
  test.each([
    ['AAAA', '2001:db8::1', '2001:db8::1'],
    ['TXT', '"one" "two"', 'onetwo'],
    ['CAA', '128 issue "amazon.com; account=1"', '128 issue "amazon.com; account=1"'],
    ['MX', '10 Mail.zoo.com.', '10 mail.zoo.com'],
    ['NS', 'NS1.zoo.com.', 'ns1.zoo.com'],
    ['SOA', 'ns1.zoo.com. hostmaster.zoo.com. 1 2 3 4 5', 'ns1.zoo.com'],
  ] as const)('reads %s records', async (type, value, text) => {
    const { address, stop } = await startDnsListener({
      isRecursive: true,
      reply: async ({ name }) => ({ ...emptyReply('NOERROR'), answers: [dnsRecord(type, name, 60, value)] }),
    });
    onTestFinished(stop);
    expect(await resolverLookup(address)('zoo.com', type)).toEqual({
      kind: 'records',
      values: [text],
      ttl: 60,
    });
  });
});

test.each([
  ['www.Example.COM.', 'www.example.com'],
  ['www.example.com', 'www.example.com'],
  ['.', ''],
  ['', ''],
])('withoutTrailingDot turns %j into %j', (name, expected) => {
  expect(withoutTrailingDot(name)).toBe(expected);
});
