import { type Vantage, valuesOf } from './checked-record.ts';
import { isCloudflareNameServer, isCloudflareProxy } from './cloudflare.ts';

/**
 * What to do about addresses of Cloudflare's proxy at a name; undefined for other addresses. Cloudflare proxies records
 * of its own zones. In a zone of another provider they are ordinary records that point at somebody's proxied site.
 */
export async function proxyAdvice(
  name: string,
  addresses: readonly string[],
  otherwise: string,
  { zone, lookup }: Vantage,
): Promise<string | undefined> {
  if (!addresses.some(isCloudflareProxy)) return undefined;
  const dnsOnly = `The record at ${name} is proxied by Cloudflare. Set it to "DNS only".`;
  const servers = await lookup(zone, 'NS');
  if (valuesOf(servers).some(isCloudflareNameServer)) return dnsOnly;
  if (servers.kind === 'records') return undefined;
  return `${name} has addresses of Cloudflare. If the zone is at Cloudflare: ${dnsOnly} Otherwise: ${otherwise}`;
}
