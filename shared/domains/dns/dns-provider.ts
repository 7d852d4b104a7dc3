import type { Domain } from '../life/domain.ts';
import { isWithin } from '../life/domain-name.ts';
import { type Advice, type Instruction, instruction } from './record-advice.ts';
import { isFlattened, type RequiredRecord } from './required-record.ts';

/** A DNS provider, known by its name servers, and how records are created there. */
interface DnsProvider {
  readonly name: string;
  /** The domains of its name servers. */
  readonly servers: readonly string[];
  /** Its page about creating records, or the start of its help. */
  readonly link: string;
  /** Where its customers manage their records, or find their zone. */
  readonly panel?: string;
  /** Its name for an ALIAS to any host at the apex (at Route 53, to API Gateway); null if it has none. */
  readonly alias: 'ALIAS' | 'ANAME' | 'CNAME' | 'A and AAAA alias' | null;
  /** What to enter as the name of a record at the apex; all providers here take other names relative to the zone. */
  readonly apexName: '@' | '';
  /** Its words for a record's name and value, if different. */
  readonly fields?: readonly [name: string, value: string];
  /** Whether it appends the zone to a value without a dot at its end. */
  readonly appendsToValues?: true;
  /** Whether the value of a TXT record is entered in quotation marks. */
  readonly quotesText?: true;
  /** What else its customers need to know. */
  readonly advice?: string;
  /** What else depends on the project, which only its operators know. */
  readonly choice?: string;
}

/** The largest DNS providers. Their pages move: replace a dead link with the start of their help. */
const PROVIDERS: readonly DnsProvider[] = [
  {
    name: 'Cloudflare',
    servers: ['ns.cloudflare.com'],
    link: 'https://developers.cloudflare.com/dns/manage-dns-records/how-to/create-dns-records/',
    panel: 'https://dash.cloudflare.com/?to=/:account/:zone/dns/records',
    alias: 'CNAME',
    apexName: '@',
    advice: 'Set the records to "DNS only" (gray cloud).',
    choice:
      'To keep Cloudflare\'s proxy (only for projects that use this service\'s API): set the traffic record to "Proxied", create the TXT record, too, and set the SSL/TLS mode to "Full (strict)".',
  },
  {
    name: 'Amazon Route 53',
    servers: ['com', 'net', 'org', 'co.uk'].map(suffix => `awsdns.${suffix}`),
    link: 'https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html',
    panel: 'https://console.aws.amazon.com/route53/v2/hostedzones',
    alias: 'A and AAAA alias',
    apexName: '',
    fields: ['Record name', 'Value'],
    quotesText: true,
  },
  {
    name: 'GoDaddy',
    servers: ['domaincontrol.com'],
    link: 'https://www.godaddy.com/help/add-a-cname-record-19236',
    alias: null,
    apexName: '@',
  },
  {
    name: 'Namecheap',
    servers: ['registrar-servers.com'],
    link: 'https://www.namecheap.com/support/knowledgebase/article.aspx/9646/10/how-can-i-set-up-a-cname-record-for-my-domain',
    alias: 'ALIAS',
    apexName: '@',
    fields: ['Host', 'Value'],
  },
  {
    name: 'Squarespace',
    servers: ['squarespacedns.com'],
    link: 'https://support.squarespace.com/hc/en-us/articles/360002101888',
    alias: 'ALIAS',
    apexName: '@',
    fields: ['Host', 'Data'],
  },
  {
    // Squarespace took over Google Domains, which used Cloud DNS's name servers.
    name: 'Google Cloud DNS or Squarespace (formerly Google Domains)',
    servers: ['googledomains.com'],
    link: 'https://docs.cloud.google.com/dns/docs/records-overview',
    alias: 'ALIAS',
    apexName: '',
    advice:
      'In Google Cloud DNS an ALIAS can be created only with gcloud or the API, and only without DNSSEC.',
  },
  {
    name: 'IONOS',
    servers: ['ui-dns.com', 'ui-dns.de', 'ui-dns.org', 'ui-dns.biz'],
    link: 'https://www.ionos.com/help/domains/configuring-cname-records-for-subdomains/configuring-a-cname-record-for-a-subdomain',
    alias: null,
    apexName: '@',
  },
  {
    name: 'OVHcloud',
    servers: ['ovh.net', 'ovh.ca', 'anycast.me'],
    link: 'https://help.ovhcloud.com/csm/asia-dns-zone-records?id=kb_article_view&sysparm_article=KB0063630',
    alias: null,
    apexName: '',
    fields: ['Sub-domain', 'Target'],
    appendsToValues: true,
  },
  {
    name: 'Hetzner',
    servers: [
      'ns.hetzner.com',
      'ns.hetzner.de',
      'your-server.de',
      'first-ns.de',
      'second-ns.de',
      'second-ns.com',
    ],
    link: 'https://docs.hetzner.com/networking/dns/faq/records',
    alias: null,
    apexName: '@',
    appendsToValues: true,
  },
  {
    name: 'DigitalOcean',
    servers: ['digitalocean.com'],
    link: 'https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/',
    panel: 'https://cloud.digitalocean.com/networking/domains',
    alias: null,
    apexName: '@',
    fields: ['Hostname', 'Value'],
  },
  {
    name: 'Gandi',
    servers: ['gandi.net'],
    link: 'https://docs.gandi.net/',
    alias: 'ALIAS',
    apexName: '@',
    appendsToValues: true,
    advice: "Gandi can't combine an ALIAS with DNSSEC.",
  },
  {
    name: 'DNSimple',
    servers: ['dnsimple.com', 'dnsimple-edge.net', 'dnsimple-edge.org'],
    link: 'https://support.dnsimple.com/',
    alias: 'ALIAS',
    apexName: '',
  },
  {
    name: 'NS1',
    servers: ['nsone.net'],
    link: 'https://help.ns1.com/hc/en-us/articles/360020258073-Creating-a-DNS-record',
    alias: 'ALIAS',
    apexName: '',
  },
  {
    // Its alias records can only point at Azure resources.
    name: 'Azure DNS',
    servers: ['azure-dns.com', 'azure-dns.net', 'azure-dns.org', 'azure-dns.info'],
    link: 'https://learn.microsoft.com/azure/dns/dns-operations-recordsets-portal',
    alias: null,
    apexName: '@',
  },
  {
    name: 'Porkbun',
    servers: ['porkbun.com'],
    link: 'https://kb.porkbun.com/article/231-how-to-add-dns-records-on-porkbun',
    alias: 'ALIAS',
    apexName: '',
    fields: ['Host', 'Answer'],
    advice: 'First delete the parking records that Porkbun creates: those with the value pixie.porkbun.com.',
  },
  {
    name: 'Hostinger',
    servers: ['dns-parking.com'],
    link: 'https://www.hostinger.com/support/10085192-cname-vs-alias-records-at-hostinger/',
    alias: 'CNAME',
    apexName: '@',
  },
  {
    name: 'Bluehost',
    servers: ['bluehost.com'],
    link: 'https://www.bluehost.com/help',
    alias: null,
    apexName: '@',
  },
  {
    name: 'Wix',
    servers: ['wixdns.net'],
    link: 'https://support.wix.com/',
    alias: null,
    apexName: '',
    fields: ['Host name', 'Value'],
  },
  {
    name: 'Vercel',
    servers: ['vercel-dns.com'],
    link: 'https://vercel.com/docs/domains/managing-dns-records',
    alias: 'ALIAS',
    apexName: '',
    advice:
      'Vercel adds a CAA record that allows only Let\'s Encrypt. Add one for Amazon, too: 0 issue "amazon.com".',
  },
  {
    name: 'Name.com',
    servers: ['name.com'],
    link: 'https://www.name.com/support',
    alias: 'ANAME',
    apexName: '@',
    fields: ['Host', 'Answer'],
  },
  {
    name: 'Strato',
    servers: ['rzone.de'],
    link: 'https://www.strato.de/faq/domains/so-aendern-sie-den-cname-eintrag-fuer-ihre-subdomain/',
    alias: null,
    apexName: '@',
    appendsToValues: true,
  },
];

/** The provider of all these name servers; undefined if it's unknown, or there are several. */
export function dnsProviderOf(nameServers: readonly string[] = []): DnsProvider | undefined {
  if (nameServers.length === 0) return undefined;
  // Route 53 spreads its servers over numbered domains, such as awsdns-24.org.
  const plain = nameServers.map(server => server.replace(/\.awsdns-\d+\./, '.awsdns.'));
  return PROVIDERS.find(({ servers }) =>
    plain.every(server => servers.some(domain => isWithin(server, domain))),
  );
}

/** What to tell people about a domain's DNS provider; null if it's unknown. */
export function providerHint({
  domain,
  kind,
  zone,
  nameServers,
}: Pick<Domain, 'domain' | 'kind' | 'zone' | 'nameServers'>) {
  const provider = dnsProviderOf(nameServers);
  if (!provider) return null;
  const { name, link, panel, alias, apexName, fields, appendsToValues, quotesText, advice, choice } =
    provider;
  const apex =
    apexName === '@' ? `For ${zone} itself, enter @.` : `For ${zone} itself, leave the name empty.`;
  const instructions = [
    `Enter names without ${zone}: ${name} adds it.${kind === 'apex' ? ` ${apex}` : ''}`,
    ...(appendsToValues ? ['End every host name in a value with a dot, or the zone is added to it.'] : []),
    ...(kind === 'apex' && alias === 'ANAME' ? [`${name} calls an ALIAS an ANAME.`] : []),
    ...(kind === 'apex' && alias === 'CNAME'
      ? [`Choose the type CNAME for ${domain}: at ${name} it works like an ALIAS.`]
      : []),
    ...(advice ? [advice] : []),
  ];
  return {
    name,
    link,
    ...(panel && { panel }),
    alias,
    apexName,
    ...(fields && { fields }),
    ...(appendsToValues && { appendsToValues }),
    ...(quotesText && { quotesText }),
    instructions,
    ...(choice && { choice }),
  };
}

/**
 * How to create a record, perhaps in place of those that lead visitors to these addresses, and if possible without a time in
 * which visitors find nothing: beside the old ones, if DNS allows that, or by changing their type.
 */
export function creationOf(
  type: RequiredRecord['type'],
  inPlaceOf: readonly string[] = [],
  alias?: string,
): Advice {
  const what = type === 'ALIAS' ? (alias ?? 'ALIAS or ANAME') : type;
  if (inPlaceOf.length === 0) return [type === 'ALIAS' ? instruction('create', what) : instruction('create')];
  return [instruction(what === 'CNAME' ? 'replace' : 'create_beside', what, ...inPlaceOf)];
}

/** How to create a record at the domain's provider. Only the types at an apex differ between providers. */
export function creationAt(
  { purpose, type }: Pick<RequiredRecord, 'purpose' | 'type'>,
  { domain, nameServers, gateway, records }: Pick<Domain, 'domain' | 'nameServers' | 'gateway' | 'records'>,
  inPlaceOf: readonly string[] = [],
): Advice {
  if (purpose === 'ownership' && records.some(isFlattened)) {
    return [instruction('create'), instruction('hidden_cname')];
  }
  if (type !== 'ALIAS') return creationOf(type, inPlaceOf);
  const provider = dnsProviderOf(nameServers);
  if (!provider) return [...creationOf(type, inPlaceOf), aliasAtRoute53(gateway, inPlaceOf)];
  const { name, alias } = provider;
  if (alias === 'A and AAAA alias') return [aliasAtRoute53(gateway, inPlaceOf)];
  if (alias === null) return [instruction('no_alias', domain, name, `https://www.${domain}`)];
  return creationOf(type, inPlaceOf, alias);
}

export function cannotPointHere(domain: string, provider: string): string {
  return `${provider} has no ALIAS records, so ${domain} itself can't point here.`;
}

/**
 * The provider of an apex, if that has no ALIAS records; undefined for other domains. `isPasted`: the apex points here anyway,
 * by the current IP addresses of its host.
 */
export function withoutAlias({
  kind,
  nameServers,
  records,
}: Pick<Domain, 'kind' | 'nameServers' | 'records'>) {
  const provider = kind === 'apex' ? dnsProviderOf(nameServers) : undefined;
  if (provider?.alias !== null) return undefined;
  const isPasted = records.some(({ purpose, state }) => purpose === 'traffic' && state === 'ok');
  return { provider: provider.name, isPasted };
}

/**
 * The host that the traffic record points at. Route 53 has no ALIAS to arbitrary hosts, only an alias to an API Gateway domain
 * name: undefined until there is one.
 */
export function trafficHost({ kind, nameServers, gateway, target }: Domain): string | undefined {
  const isAtRoute53 = kind === 'apex' && dnsProviderOf(nameServers)?.alias === 'A and AAAA alias';
  return isAtRoute53 ? gateway?.host : target;
}

function aliasAtRoute53(gateway: Domain['gateway'], inPlaceOf: readonly string[]): Instruction {
  if (!gateway) return instruction('wait_for_alias');
  const kind = inPlaceOf.length > 0 ? 'edit_at_route53' : 'create_at_route53';
  return instruction(kind, gateway.host, gateway.hostedZoneId, ...inPlaceOf);
}
