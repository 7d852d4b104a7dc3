/** Name servers of zones, those that answer as a test says, and resolvers that ask them. */
export { startDnsListener } from '../dns/dns-listener.ts';
export { emptyReply, type Reply, type Responder } from '../dns/dns-message.ts';
export { type DnsServers, startDnsServers } from '../dns/public-dns.ts';
export { HostedZones } from '../route53/hosted-zones.ts';
export { dnsRecord } from '../route53/record-set.ts';
