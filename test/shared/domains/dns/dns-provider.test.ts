import { describe, expect, test } from 'vitest';
import { creationAt, dnsProviderOf, providerHint } from '../../../../shared/domains/dns/dns-provider.ts';
import { adviceText } from '../../../../shared/domains/dns/record-advice.ts';
import { claimed, TARGET } from '../claimed-domain.ts';

const CLOUDFLARE = ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const ROUTE_53 = ['ns-1.awsdns-00.com', 'ns-2.awsdns-31.co.uk', 'ns-3.awsdns-07.net', 'ns-4.awsdns-24.org'];
const GODADDY = ['ns01.domaincontrol.com', 'ns02.domaincontrol.com'];

test.each([
  ['Cloudflare', CLOUDFLARE],
  ['Amazon Route 53', ROUTE_53],
  ['GoDaddy', GODADDY],
  ['Namecheap', ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']],
  ['IONOS', ['ns1045.ui-dns.com', 'ns1026.ui-dns.org', 'ns1124.ui-dns.de', 'ns1095.ui-dns.biz']],
  ['DNSimple', ['ns1.dnsimple.com', 'ns2.dnsimple-edge.net', 'ns3.dnsimple.com', 'ns4.dnsimple-edge.org']],
  ['Google Cloud DNS or Squarespace (formerly Google Domains)', ['ns-cloud-a1.googledomains.com']],
  ['Hostinger', ['ns1.dns-parking.com', 'ns2.dns-parking.com']],
  [undefined, ['ns1.zoo.example']],
  [undefined, ['ns1.notcloudflare.com', 'ns.cloudflare.com.zoo.example']],
  [undefined, [...CLOUDFLARE, ...GODADDY]],
  [undefined, []],
  [undefined, undefined],
])('%s is the provider of %j', (name, nameServers) => {
  expect(dnsProviderOf(nameServers)?.name).toBe(name);
});

const subdomain = (nameServers: string[]) => claimed({ nameServers });
const apex = (nameServers: string[], changes = {}) =>
  claimed({ domain: 'zoo.example', kind: 'apex', nameServers, ...changes });

describe('the hint for a domain', () => {
  const ONLY_DNS = 'Set the records to "DNS only" (gray cloud).';
  const PROXY =
    'To keep Cloudflare\'s proxy (only for projects that use this service\'s API): set the traffic record to "Proxied", create the TXT record, too, and set the SSL/TLS mode to "Full (strict)".';
  test('is how names are entered, and what else to know', () => {
    expect(providerHint(subdomain(CLOUDFLARE))).toEqual({
      name: 'Cloudflare',
      link: 'https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/',
      panel: 'https://dash.cloudflare.com/?to=/:account/:zone/dns/records',
      alias: 'CNAME',
      apexName: '@',
      instructions: ['Enter names without zoo.example: Cloudflare adds it.', ONLY_DNS],
      choice: PROXY,
    });
  });

  test('is also how the apex is entered, and what an ALIAS is called', () => {
    expect(providerHint(apex(CLOUDFLARE))?.instructions).toEqual([
      'Enter names without zoo.example: Cloudflare adds it. For zoo.example itself, enter @.',
      'Choose the type CNAME for zoo.example: at Cloudflare it works like an ALIAS.',
      ONLY_DNS,
    ]);
    expect(providerHint(apex(['ns1.name.com']))?.instructions[1]).toBe('Name.com calls an ALIAS an ANAME.');
    expect(providerHint(apex(['dns1.p06.nsone.net']))?.instructions).toEqual([
      'Enter names without zoo.example: NS1 adds it. For zoo.example itself, leave the name empty.',
    ]);
  });

  test('is about the dot at the end of values where the provider appends the zone', () => {
    expect(
      providerHint(subdomain(['helium.ns.hetzner.de', 'oxygen.ns.hetzner.com']))?.instructions,
    ).toContain('End every host name in a value with a dot, or the zone is added to it.');
  });

  test('is null without a known provider', () => {
    expect([providerHint(subdomain(['ns1.zoo.example'])), providerHint(claimed())]).toEqual([null, null]);
  });
});

describe('the instruction to create an ALIAS', () => {
  const ALIAS = {
    purpose: 'traffic',
    type: 'ALIAS',
    name: 'zoo.example',
    label: '@',
    value: TARGET,
    ttl: 3600,
  } as const;
  const LATER =
    'At Route 53, leave zoo.example as it is for now: the alias to create is shown once the certificate is issued.';
  const gateway = { host: 'd-1.example', hostedZoneId: 'Z1' };

  test.each([
    [
      'an unknown provider',
      ['ns1.zoo.example'],
      `Create an ALIAS or ANAME record at zoo.example with the value ${TARGET}. ${LATER}`,
    ],
    ['Cloudflare', CLOUDFLARE, `Create a CNAME record at zoo.example with the value ${TARGET}.`],
    ['Name.com', ['ns1.name.com'], `Create an ANAME record at zoo.example with the value ${TARGET}.`],
    ['Route 53', ROUTE_53, LATER],
    [
      'GoDaddy',
      GODADDY,
      "GoDaddy has no ALIAS records, so zoo.example itself can't point here. Forward it to https://www.zoo.example at GoDaddy and use www.zoo.example here, or move its DNS to a provider that has them.",
    ],
  ])('at %s', (_, nameServers, instruction) => {
    expect(adviceText(creationAt(ALIAS, apex(nameServers)), ALIAS)).toBe(instruction);
  });

  test('at Route 53 names the domain name at API Gateway once it exists', () => {
    expect(adviceText(creationAt(ALIAS, apex(ROUTE_53, { gateway })), ALIAS)).toBe(
      'At Route 53, create an A alias and an AAAA alias to d-1.example (hosted zone Z1).',
    );
  });
});
