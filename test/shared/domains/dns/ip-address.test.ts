import { expect, test } from 'vitest';
import { EDGE_ADDRESSES, nameServerAddress } from '../../../../infra/local/testing/public-addresses.ts';
import { isPublicAddress } from '../../../../shared/domains/dns/ip-address.ts';

test.each([
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860::8',
  EDGE_ADDRESSES.A,
  EDGE_ADDRESSES.AAAA,
  nameServerAddress(1),
  nameServerAddress(65_535),
])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this network', '0.0.0.0', '0.255.255.255', '::'],
  ['loopback', '127.0.0.1', '127.53.4.4', '::1'],
  ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254'],
  ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
  ['link-local or metadata', '169.254.169.254', '169.254.170.2', 'fe80::1', 'fec0::1'],
  ['IPv4 in IPv6', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1'],
  ['6to4, Teredo or ORCHID', '2002:7f00:1::', '2001::1', '2001:20::1', '192.88.99.1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['reserved', '192.0.0.1', '198.18.0.1', '198.19.255.255', '240.0.0.1', '255.255.255.255', '100::1'],
  ['no address', '', 'localhost', '8.8.8.8:53', '0x7f000001', '010.0.0.1', '127.1'],
])('%s is not public: %s', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});
