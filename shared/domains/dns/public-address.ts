import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Addresses of IPv4 that no public server has, by IANA's registry of special-purpose addresses: this network, private,
 * carrier-grade NAT, loopback, link-local (where clouds serve metadata), protocol assignments, documentation, 6to4 relays,
 * benchmarks, multicast, reserved.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Public servers have global unicast addresses of IPv6. That excludes loopback, link-local, private and multicast addresses,
 * and those that stand for any address of IPv4: mapped ones and NAT64. Of the rest, these are special: protocol assignments
 * with Teredo, documentation, 6to4.
 */
const GLOBAL_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialIpv4 = listOf(SPECIAL_IPV4, 'ipv4');
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6');
const specialIpv6 = listOf(SPECIAL_IPV6, 'ipv6');

/** Whether an IP address may be of a public server. A check of a domain connects to no other, whatever its owner's DNS says. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4');
  return isIPv6(address) && globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
