import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * IPv4 addresses that no public server has, from IANA's registry of special-purpose addresses: this network, private,
 * carrier-grade NAT, loopback, link-local (where clouds serve metadata), protocol assignments, documentation, 6to4 relays,
 * benchmarks, multicast, reserved.
 */
const SPECIAL_IPV4 = listOf([
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
]);

/**
 * Public servers have global unicast IPv6 addresses. That excludes loopback, link-local, private and multicast addresses, and
 * those that stand for any IPv4 address: mapped ones and NAT64. Of the rest, these are special: protocol assignments with
 * Teredo, documentation, 6to4.
 */
const GLOBAL_IPV6 = listOf(['2000::/3']);
const SPECIAL_IPV6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** The addresses of Cloudflare's proxy, from https://www.cloudflare.com/ips/. They rarely change. */
const PROXY = listOf([
  '173.245.48.0/20',
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '141.101.64.0/18',
  '108.162.192.0/18',
  '190.93.240.0/20',
  '188.114.96.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '162.158.0.0/15',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '131.0.72.0/22',
  '2400:cb00::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2405:b500::/32',
  '2405:8100::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
]);

/**
 * Whether an IP address may belong to a public server. Domain checks connect to no others, whatever the owner's DNS says.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return isIn(GLOBAL_IPV6, address) && !isIn(SPECIAL_IPV6, address);
  return isIP(address) !== 0 && !isIn(SPECIAL_IPV4, address);
}

/** Whether an address belongs to Cloudflare's proxy. */
export function isCloudflareProxy(address: string): boolean {
  return isIn(PROXY, address);
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
