import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openCertificateAuthority } from '../../acm/certificate-authority.ts';
import { startDnsServers } from '../../dns/public-dns.ts';
import { EDGE_ADDRESSES, nameServerAddress } from '../../host/public-addresses.ts';
import { HostedZones } from '../../route53/hosted-zones.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { deployed } from './deployed-function.ts';

/** Serves example.com with a TXT record; the second resolver holds an older value of it. */
async function servedDns() {
  const zones = new HostedZones();
  const zone = zones.add({ name: 'example.com.', callerReference: 'one' });
  const set = (value: string) =>
    zones.replaceRecordSets(zone.id, [
      ...zone.recordSets,
      { name: 'example.com.', type: 'TXT' as const, ttlSeconds: 60, values: [`"${value}"`] },
    ]);
  const dns = await startDnsServers(zones);
  onTestFinished(dns.stop);
  const [{ address: first }, { address: second, resolver }] = dns.resolvers;
  set('old');
  resolver.resolve({ name: 'example.com', type: 'TXT' });
  set('new');
  const port = await dns.portOf(zone.id);
  return {
    resolvers: [first, second] as const,
    nameServer: nameServerAddress(port),
    invoke: (source: string) => deployed(source, { Timeout: 120 }, [first, second]).invoke({}),
  };
}

test('queries of node:dns to public resolvers reach the local ones, and no other server', async () => {
  const { invoke, nameServer } = await servedDns();
  const { result } = await invoke(`
    const dns = require('node:dns');
    const dnsPromises = require('node:dns/promises');
    const { promisify } = require('node:util');
    exports.handler = async () => {
      const resolver = new dns.Resolver({ timeout: 60_000, tries: 1 });
      const untouched = new dns.promises.Resolver();
      const promises = new dnsPromises.Resolver();
      resolver.setServers(['1.1.1.1', '[2606:4700:4700::1111]:53']);
      promises.setServers(['8.8.8.8:53']);
      const ofModule = await dnsPromises.resolveTxt('example.com');
      const at = async server => {
        const other = new dnsPromises.Resolver({ timeout: 60_000, tries: 1 });
        other.setServers([server]);
        return other.resolveTxt('example.com').catch(error => error.code);
      };
      return {
        callback: await promisify(resolver.resolveTxt.bind(resolver))('example.com'),
        promises: await promises.resolveTxt('example.com'),
        untouched: await untouched.resolveTxt('example.com'),
        ofModule,
        atNameServer: await at('${nameServer}'),
        elsewhere: await at('192.0.2.53'),
        servers: [resolver.getServers(), promises.getServers()],
        ofModuleSet: [dns, dnsPromises].map(module => { try { module.setServers(['9.9.9.9']) } catch (error) { return error.message } }),
        none: await promises.resolve4('none.example.com').catch(error => error.code),
        invalid: (() => { try { resolver.setServers(['one.one.one.one']) } catch (error) { return error.code } })(),
      };
    };`);
  const [text, old] = [[['new']], [['old']]];
  expect(result).toEqual({
    callback: text,
    promises: old,
    untouched: text,
    ofModule: text,
    atNameServer: text,
    elsewhere: 'ECONNREFUSED',
    servers: [['1.1.1.1', '2606:4700:4700::1111'], ['8.8.8.8']],
    ofModuleSet: Array(2).fill('The local AWS does not support dns.setServers: use a Resolver.'),
    none: 'ENOTFOUND',
    invalid: 'ERR_INVALID_IP_ADDRESS',
  });
});

test('messages over UDP and TCP to port 53 reach the local resolvers and name servers', async () => {
  const { invoke, nameServer } = await servedDns();
  const project = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  const { result } = await invoke(`
    const dgram = require('node:dgram');
    const net = require('node:net');
    const { once } = require('node:events');
    const packet = require('node:module').createRequire(${JSON.stringify(project)})('dns-packet');
    const query = { type: 'query', id: 1, flags: 256, questions: [{ name: 'example.com', type: 'TXT' }] };
    const textOf = ({ answers }) => String(answers[0].data[0]);
    const received = async socket => {
      const [message] = await once(socket, 'message');
      socket.close();
      return textOf(packet.decode(message));
    };
    const connected = async address => {
      const socket = dgram.createSocket('udp4');
      socket.connect(53, address);
      await once(socket, 'connect');
      socket.send(packet.encode(query));
      return received(socket);
    };
    const sent = async address => {
      const socket = dgram.createSocket('udp4');
      socket.send(packet.encode(query), 53, address);
      return received(socket);
    };
    const overTcp = async socket => {
      socket.write(packet.streamEncode(query));
      const [chunk] = await once(socket, 'data');
      socket.destroy();
      return textOf(packet.streamDecode(chunk));
    };
    exports.handler = async () => [
      await connected('1.1.1.1'),
      await connected('8.8.8.8'),
      await sent('8.8.8.8'),
      await connected('${nameServer}'),
      await overTcp(net.connect({ port: 53, host: '8.8.8.8' })),
      await overTcp(net.connect(53, '${nameServer}')),
      await overTcp(new net.Socket().connect(53, '8.8.8.8')),
      await overTcp((await import('node:net')).connect(53, '8.8.8.8')),
    ];`);
  expect(result).toEqual(['new', 'old', 'old', 'new', 'old', 'new', 'old', 'old']);
});

const NAME = 'www.zoo.example';

test('a function reaches the edge at port 443 of the addresses of AWS, and trusts its authority there only', async () => {
  const authority = await openCertificateAuthority(temporaryFolder());
  const { certificate, privateKey } = await authority.sign([NAME], 'EC_prime256v1', Date.now());
  const edge = createServer({ cert: certificate, key: privateKey }, ({ headers }, response) => {
    response.end(headers.host);
  });
  await new Promise<void>(resolve => edge.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    edge.closeAllConnections();
    edge.close();
  });
  const { port } = edge.address() as AddressInfo;
  const { invoke } = deployed(
    `
    const https = require('node:https');
    const get = options => new Promise((resolve, reject) => {
      https.request({ agent: false, headers: { Host: options.servername }, ...options }, response => {
        response.toArray().then(chunks => resolve(Buffer.concat(chunks).toString()), reject);
      }).on('error', error => resolve(error.code)).end();
    });
    exports.handler = async () => ({
      served: await get({ host: '${EDGE_ADDRESSES.A}', port: 443, servername: '${NAME}' }),
      ipv6: await get({ host: '${EDGE_ADDRESSES.AAAA}', port: 443, servername: '${NAME}' }),
      otherName: await get({ host: '${EDGE_ADDRESSES.A}', port: 443, servername: 'other.example' }),
      machine: await get({ host: '127.0.0.1', port: 443, servername: '${NAME}' }),
      otherPort: await get({ host: '127.0.0.1', port: ${port}, servername: '${NAME}' }),
    });`,
    { Timeout: 120 },
    undefined,
    { edge: () => ({ port, authority: authority.certificate }) },
  );
  expect((await invoke({})).result).toEqual({
    served: NAME,
    ipv6: 'ENETUNREACH',
    otherName: 'ERR_TLS_CERT_ALTNAME_INVALID',
    machine: 'ECONNREFUSED',
    otherPort: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  });
});
