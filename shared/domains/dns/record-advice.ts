import type { RequiredRecord } from './required-record.ts';

/** What to do about a record that isn't as required, as facts; empty if all you can do is wait. */
export type Advice = readonly Instruction[];

/** Becomes a sentence. `about`: what that names besides the record's own name and value, such as IP addresses. */
export interface Instruction {
  /** One of SENTENCES, unless a later version of the service has written it. */
  readonly kind: string;
  readonly about?: readonly string[] | undefined;
}

export function instruction(kind: keyof typeof SENTENCES, ...about: readonly string[]): Instruction {
  return about.length > 0 ? { kind, about } : { kind };
}

type Subject = Pick<RequiredRecord, 'type' | 'name' | 'label' | 'value'>;

/**
 * The advice in words; undefined if there's none, or a later version wrote it. `isBeside`: the record's name and value are
 * shown beside it.
 */
export function adviceText(advice: Advice, subject: Subject, { isBeside = false } = {}): string | undefined {
  const { name, value } = subject;
  const shown: Shown = {
    ...subject,
    place: isBeside ? 'with this name and value' : `at ${name} with the value ${value}`,
    theValue: isBeside ? 'this value' : `the value ${value}`,
    host: text => (isBeside && text === value ? 'this value' : text),
  };
  const sentences = advice.map(({ kind, about = [] }) => sentenceOf(kind)?.(about, shown));
  return sentences.length > 0 && !sentences.includes(undefined) ? sentences.join(' ') : undefined;
}

/** What is wrong with a record's zone or its name servers: the same for every record in the zone. */
export interface ZoneFault {
  readonly kind: keyof typeof ABOUT_ZONE;
  readonly about: readonly string[];
}

export function zoneFaultText({ kind, about }: ZoneFault): string {
  return ABOUT_ZONE[kind](about);
}

/** A record the way its reader sees it. */
interface Shown extends Subject {
  readonly place: string;
  readonly theValue: string;
  readonly host: (name: string) => string;
}

const SERVFAIL_CAUSES =
  'If this persists, look for CNAME records that point back at themselves and for errors in the zone file. Otherwise ask your DNS provider.';

/** How long a name is missing while its records are replaced by hand. Zones say for how long that is remembered: mostly up to an hour. */
const GAP = 'Visitors who come in between find nothing, some for up to an hour.';

const ABOUT_ZONE = {
  not_delegated: ([zone]) =>
    `${zone} isn't registered, or its registrar lists no name servers for it. Register it, or enter the name servers of ` +
    "your DNS provider at the registrar. If you've just done that, wait a few minutes.",
  servers_failing: about => `${serversOf(about)} answer with SERVFAIL. ${SERVFAIL_CAUSES}`,
  servers_silent: about =>
    `${serversOf(about)} don't answer. This usually passes. If it persists, ask your DNS provider.`,
  servers_without_address: ([at, ...about]) =>
    `${serversOf(about)} have no public IP address. Check their spelling, and ${correctionAt(at)}.`,
  servers_lame: ([at, fault, ...about]) =>
    `${serversOf(about)} don't serve this zone (${fault}). Create the zone there, or ${correctionAt(at)}.`,
} as const satisfies Readonly<Record<string, (about: readonly string[]) => string>>;

const SENTENCES = {
  ...ABOUT_ZONE,

  // The DNS provider
  create: ([alias = 'ALIAS or ANAME'], { type, place }) => {
    const what = type === 'ALIAS' ? alias : type;
    return `Create ${what.startsWith('A') ? 'an' : 'a'} ${what} record ${place}.`;
  },
  create_at_route53: ([host = '', zoneId], shown) =>
    `At Route 53, create an A alias and an AAAA alias to ${shown.host(host)} (hosted zone ${zoneId}).`,
  edit_at_route53: ([host = '', zoneId, ...addresses], shown) => {
    const [edited, ...others] = typesOf(addresses);
    const other = edited === 'A' ? 'AAAA' : 'A';
    return (
      `At Route 53, edit the ${edited} record at ${shown.name}: switch "Alias" on and choose ${shown.host(host)} (hosted zone ${zoneId}). ` +
      `Then ${others.length > 0 ? `edit the ${other} record in the same way` : `create an ${other} alias to it`}.`
    );
  },
  wait_for_alias: (_, { name }) =>
    `At Route 53, leave ${name} as it is for now: the alias to create is shown once the certificate is issued.`,
  no_alias: ([domain, provider, url = `www.${domain}`]) =>
    `${provider} has no ALIAS records, so ${domain} itself can't point here. Forward it to ${url} at ${provider} and use ` +
    `www.${domain} here, or move its DNS to a provider that has them.`,
  hidden_cname: () =>
    "DNS doesn't show the CNAME record itself, so only this one proves that the domain is yours.",

  // Records in the way
  replace: ([what = '', ...addresses], { name, theValue }) =>
    (addresses.length === 1
      ? `Change the ${addressRecords(addresses)} at ${name} into a ${what} record with ${theValue}.`
      : `Delete all but one of the ${addressRecords(addresses)} at ${name}, and change that one into a ${what} record with ${theValue}.`) +
    ` If your DNS provider can't change the type of a record, delete it and create the ${what} record right after. ${GAP}`,
  create_beside: ([what, ...addresses], { name, place }) =>
    `Create an ${what} record ${place}, then delete the ${addressRecords(addresses)} at ${name} that ` +
    `${addresses.length === 1 ? 'points' : 'point'} elsewhere (${addresses.join(', ')}). If your DNS provider doesn't allow both at once, ` +
    `delete first and create right after. ${GAP}`,
  delete_foreign: (addresses, { name }) =>
    `Delete the ${addressRecords(addresses)} at ${name} that ${addresses.length === 1 ? 'points' : 'point'} elsewhere (${addresses.join(', ')}).`,
  delete_own_addresses: (_, { name }) => `If ${name} itself has A or AAAA records, delete them.`,
  delete_others: (types, { name }) =>
    `Delete the ${types.join(' and ')} records at ${name}: a CNAME record can't share its name with others.`,
  delete_alias: () => "Delete it: other records can't share its name.",
  then_create: () => 'Then create the CNAME record.',
  use_another_name: types => `If you need the ${types.join(' and ')} records, use another name.`,

  // Values and names
  change: (values, { name, value, host }) =>
    `Change the value of the CNAME record at ${name} from ${values.join(', ')} to ${host(value)}.`,
  zone_in_value: ([zone]) => `Your DNS provider appended ${zone} to the value.`,
  end_with_dot: () => 'End it with a dot.',
  zone_twice: ([zone], { label }) =>
    `The name of the record ends in ${zone} twice, because your DNS provider adds it. Enter ${label} as the name.`,
  chained: (way, { name, value, host }) =>
    `${name} reaches ${host(value)} through ${way.join(', ')}, which doesn't prove that the domain is yours.`,
  wildcard: (_, { name }) => `A wildcard record answers for ${name}.`,
  keep_wildcard: () => 'You can keep it.',
  create_itself: (_, { type, name, theValue }) =>
    `Create a ${type} record for ${name} itself with ${theValue}.`,
  alias_of: ([canonical], { name }) => `${name} is an alias (CNAME) of ${canonical}.`,
  unquote: ([quoted], { name, value, host }) =>
    `The TXT record at ${name} contains quotation marks or spaces (${quoted}). Enter ${host(value)} without them.`,
  add_value: (_, { name, theValue }) => `Add ${theValue} to the TXT record at ${name}.`,
  misplaced: ([place], { name, label }) =>
    `The TXT record is in the wrong place, at ${place}. Move it to ${name}: enter ${label} as its name.`,

  // Cloudflare's proxy
  proxied: (_, { name }) => `The record at ${name} is proxied by Cloudflare. Set it to "DNS only".`,
  keep_proxy: (_, { value, host }) =>
    `If the project is published at this service's own API, you can keep the proxy instead: point the record at ${host(value)}, set the SSL/TLS mode to "Full (strict)", and create the TXT record, which proves the domain.`,
  perhaps_proxied: (_, { name }) =>
    `${name} resolves to IP addresses of Cloudflare. If your DNS is at Cloudflare, set the record to "DNS only". If not:`,

  // Nothing is known
  no_answer: ([name]) =>
    `DNS doesn't answer for ${name}. This usually passes. If it persists, ask your DNS provider.`,
  servers_failing_for_name: (about, { name }) =>
    `${serversOf(about)} answer with SERVFAIL for ${name}. ${SERVFAIL_CAUSES}`,
  not_resolved: (_, { name }) =>
    `The name servers have the record, but public resolvers can't resolve ${name}. If this persists, check DNSSEC and ` +
    'the name servers at your registrar.',
  host_without_address: (_, { value, host }) =>
    `Our host ${host(value)} has no IP address yet. If this persists, tell us.`,
} as const satisfies Readonly<Record<string, Sentence>>;

type Sentence = (about: readonly string[], shown: Shown) => string;

function sentenceOf(kind: string): Sentence | undefined {
  return Object.hasOwn(SENTENCES, kind) ? SENTENCES[kind as keyof typeof SENTENCES] : undefined;
}

/** Where to correct the delegation. */
function correctionAt(place: string | undefined): string {
  return place === 'parent'
    ? 'correct its NS records in the parent zone'
    : 'correct the name servers at your registrar';
}

function serversOf([zone, ...servers]: readonly string[]): string {
  return `The name servers of ${zone} (${servers.join(', ')})`;
}

/** What to call the records with these addresses: `A record`, `AAAA records`, `A and AAAA records`. */
function addressRecords(addresses: readonly string[]): string {
  return `${typesOf(addresses).join(' and ')} ${addresses.length === 1 ? 'record' : 'records'}`;
}

function typesOf(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map(address => (address.includes(':') ? 'AAAA' : 'A')))].toSorted();
}
