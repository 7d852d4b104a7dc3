import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { RECURSION_DESIRED, streamDecode, streamEncode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDnsServers } from '../../dns/public-dns.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { asked, portOf, served } from '../../testing/served-zones.ts';

describe('a DNS message', () => {
  const texts = Array.from({ length: 20 }, (_, index) => `"${'x'.repeat(200)}${index}"`);
  const LONG = { 'example.com.': [['example.com.', 'TXT', ...texts]] } as const;

  test('is truncated when it is too long for UDP, and complete over TCP', async () => {
    const { resolver, askResolver } = await served(LONG);
    expect(await askResolver('example.com', 'TXT')).toMatchObject({ flag_tc: true, answers: [] });
    expect(await resolver.resolveTxt('example.com')).toHaveLength(texts.length);
  });

  test('arrives over TCP in pieces, and is followed by another', async () => {
    const { dns } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const socket = connect(portOf(dns.resolvers[0]), '127.0.0.1').setNoDelay();
    const query = streamEncode({
      type: 'query',
      id: 7,
      flags: RECURSION_DESIRED,
      questions: [{ name: 'example.com', type: 'A' }],
    });
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

  test('is ignored when it is malformed, and answered with NOTIMP when it is of another kind', async () => {
    const { dns, resolver } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const port = portOf(dns.resolvers[0]);
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    socket.send(Buffer.from('nonsense'), port, '127.0.0.1');
    const update = 5 << 11;
    expect(await asked(port, 'example.com', 'A', update)).toMatchObject({ code: 'NOTIMP' });
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
  });
});

test('UDP is answered at 127.0.0.1 alone, so that its port is free at other addresses', async () => {
  const { dns } = await served({});
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
  socket.bind(portOf(dns.resolvers[0]), '127.0.0.2');
  // Only on Linux is the address there.
  const [error] = await Promise.race([once(socket, 'listening'), once(socket, 'error')]);
  expect(error?.code).not.toBe('EADDRINUSE');
});

test('a port in use is rejected', async () => {
  const { dns, zones } = await served({});
  const port = portOf(dns.resolvers[0]);
  await expect(startDnsServers(zones, { port })).rejects.toThrow(
    new LocalAwsError(`Port ${port} cannot be used for DNS (EADDRINUSE): choose another.`),
  );
});
