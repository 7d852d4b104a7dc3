/** Where names of AWS lead to on this machine. */
export { EDGE_ADDRESSES, nameServerAddress, webServerAddress } from '../host/public-addresses.ts';
export { hasIpv6, nameServers } from '../route53/aws-names.ts';
