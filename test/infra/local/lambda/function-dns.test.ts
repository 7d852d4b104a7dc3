import { expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../../../infra/local/dns/dns-server.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import { deployed } from './deployed-function.ts';

async function dnsOf(value: string) {
  const zones = new HostedZones();
  const { zone } = zones.add({ name: 'example.com.', callerReference: 'one' });
  const text = { name: 'example.com.', type: 'TXT' as const, ttlSeconds: 60, values: [`"${value}"`] };
  zones.replaceRecordSets(zone.id, [...zone.recordSets, text]);
  const server = await startDnsServer(zones);
  onTestFinished(server.stop);
  return server.address;
}

test('the local DNS server answers queries to any server', async () => {
  const { invoke } = deployed(
    `
    const dns = require('node:dns');
    const dnsPromises = require('node:dns/promises');
    const { promisify } = require('node:util');
    exports.handler = async () => {
      const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
      const untouched = new dns.promises.Resolver();
      const promises = new dnsPromises.Resolver();
      resolver.setServers(['1.1.1.1', '[2606:4700::1111]:53']);
      promises.setServers(['8.8.8.8:53']);
      const ofModule = await dnsPromises.resolveTxt('example.com');
      dns.setServers(['9.9.9.9']);
      return {
        callback: await promisify(resolver.resolveTxt.bind(resolver))('example.com'),
        promises: await promises.resolveTxt('example.com'),
        untouched: await untouched.resolveTxt('example.com'),
        ofModule,
        afterSetServers: await dns.promises.resolve('example.com', 'TXT'),
        servers: [resolver.getServers(), promises.getServers(), dns.getServers(), dnsPromises.getServers()],
        none: await promises.resolve4('none.example.com').catch(error => error.code),
        invalid: (() => { try { resolver.setServers(['one.one.one.one']) } catch (error) { return error.code } })(),
      };
    };`,
    { Timeout: 10 },
    await dnsOf('here'),
  );
  const text = [['here']];
  expect((await invoke({})).answer).toEqual({
    callback: text,
    promises: text,
    untouched: text,
    ofModule: text,
    afterSetServers: text,
    servers: [['1.1.1.1', '2606:4700::1111'], ['8.8.8.8'], ['9.9.9.9'], ['9.9.9.9']],
    none: 'ENOTFOUND',
    invalid: 'ERR_INVALID_IP_ADDRESS',
  });
});
