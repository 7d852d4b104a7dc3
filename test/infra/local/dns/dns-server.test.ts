import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { streamDecode, streamEncode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../../../infra/local/dns/dns-server.ts';
import { LocalRuntimeError } from '../../../../infra/local/local-runtime-error.ts';
import { asked, portOf, RESPONSE_CODE, served } from './served-zones.ts';

describe('a message', () => {
  const texts = Array.from({ length: 20 }, (_, index) => `"${'x'.repeat(200)}${index}"`);
  const LONG = { 'example.com.': [['example.com.', 'TXT', ...texts]] } as const;

  test('that is too long for UDP is truncated, and complete over TCP', async () => {
    const { resolver, server } = await served(LONG);
    const truncated = await asked(portOf(server), 'example.com', 'TXT');
    expect(truncated).toMatchObject({ flag_tc: true, answers: [] });
    expect(await resolver.resolveTxt('example.com')).toHaveLength(texts.length);
  });

  test('over TCP may arrive in pieces, and be followed by another', async () => {
    const { server } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const socket = connect(portOf(server), '127.0.0.1').setNoDelay();
    const query = streamEncode({ type: 'query', id: 7, questions: [{ name: 'example.com', type: 'A' }] });
    for (const piece of [query.subarray(0, 1), query.subarray(1, 9)]) {
      await new Promise<unknown>(resolve => socket.write(piece, resolve));
    }
    socket.write(Buffer.concat([query.subarray(9), query]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length >= 2 * (received.readUInt16BE() + 2)) break;
    }
    const end = received.readUInt16BE() + 2;
    for (const message of [received.subarray(0, end), received.subarray(end)]) {
      expect(streamDecode(message).answers).toMatchObject([{ data: '192.0.2.1' }]);
    }
  });

  test('that is malformed is ignored, one of another kind is answered with NOTIMP', async () => {
    const { server, resolver } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    socket.send(Buffer.from('nonsense'), portOf(server), '127.0.0.1');
    const update = 5 << 11;
    const { flags = 0 } = await asked(portOf(server), 'example.com', 'A', update);
    expect(flags & RESPONSE_CODE).toBe(4);
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
  });
});

test('a fault makes a name fail by SERVFAIL or silence until it is cleared', async () => {
  const { resolver, server } = await served({
    'example.com.': [
      ['a.example.com.', 'A', '192.0.2.1'],
      ['b.example.com.', 'CNAME', 'a.example.com'],
    ],
  });
  server.faults.set('A.example.com', 'SERVFAIL');
  await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolve4('b.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(await resolver.resolveCname('b.example.com')).toEqual(['a.example.com']);
  server.faults.set('a.example.com', 'silence');
  await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  server.faults.clear('a.example.com');
  expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
});

test('a port in use is rejected', async () => {
  const { server, zones } = await served({});
  await expect(startDnsServer(zones, portOf(server))).rejects.toThrow(
    new LocalRuntimeError(`Port ${portOf(server)} cannot be used for DNS (EADDRINUSE): choose another.`),
  );
});
