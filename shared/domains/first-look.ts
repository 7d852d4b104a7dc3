import { caaFix, caaLookup, checkCaa, type RecordFix } from './dns/caa.ts';
import { otherRecordsAt, randomSibling, valuesOf } from './dns/check-record.ts';
import { notDelegated, serverFault } from './dns/delegation.ts';
import { cannotPointHere, providerHint, withoutAlias } from './dns/dns-provider.ts';
import { isCloudflareProxy } from './dns/ip-address.ts';
import type { Lookup, RecordType } from './dns/lookup.ts';
import { zoneFaultText } from './dns/record-advice.ts';
import { type RequiredRecord, requiredRecords } from './dns/required-record.ts';
import { anyOf, type VantagePoints } from './dns/vantage-points.ts';
import type { Domain } from './life/domain.ts';
import { type DomainName, displayName, isRegistered, platformNote, platformOf } from './life/domain-name.ts';
import { READY_DAYS } from './life/waits.ts';
import { caaTrouble } from './pass/troubles.ts';

/** A name's current records. */
interface CurrentRecords {
  readonly type: RecordType;
  readonly values: readonly string[];
  /** In seconds; null if it isn't known. */
  readonly ttl: number | null;
}

/** What DNS has at a name. */
interface NameInDns {
  readonly domain: string;
  /** The records that visitors follow now. */
  readonly traffic: readonly CurrentRecords[];
  /** Whether they come from a wildcard, which can stay. */
  readonly isWildcard: boolean;
  /** Whether Cloudflare's proxy hides the record itself. */
  readonly isProxied: boolean;
  /** Other records that keep the traffic record from being created. */
  readonly inTheWay: readonly CurrentRecords[];
}

/** Something to know before adding a name. `fix`: a record that solves the trouble. */
export interface Finding {
  readonly kind:
    | 'refusal'
    | 'claim'
    | 'registration'
    | 'alias'
    | 'traffic'
    | 'ttl'
    | 'in_the_way'
    | 'caa'
    | 'mail';
  readonly isTrouble: boolean;
  readonly text: string;
  readonly fix?: RecordFix;
}

/** The project's relation to the name. */
interface Standing {
  readonly project: string;
  /** Why the name can't be added, as domains.add would say it. */
  readonly refusal: { readonly reason: string | undefined; readonly message: string } | null;
  readonly isPresent: boolean;
  /** Whether another project has the name, and DNS no longer supports that. */
  readonly isContested: boolean;
}

export type FirstLook = Awaited<ReturnType<typeof firstLook>>;

/** Looks at a name before it's added: what DNS has, what is in the way, what will be needed. Writes nothing. */
export async function firstLook(name: DomainName, points: VantagePoints, standing: Standing) {
  const look = await lookUp(name, points, standing);
  return { ...look, findings: findingsOf(look), next: nextOf(look) };
}

type Look = Awaited<ReturnType<typeof lookUp>>;

async function lookUp(name: DomainName, points: VantagePoints, standing: Standing) {
  const { domain, registrable } = name;
  const { delegation } = points;
  const resolve = anyOf(points.resolvers);
  const lookup: Lookup = async (asked, type) => {
    const own = await points.authoritative?.(asked, type);
    return own && own.kind !== 'unknown' ? own : resolve(asked, type);
  };
  const kind = isRegistered(domain) || points.isApex ? ('apex' as const) : ('subdomain' as const);
  const zone = points.zone ?? registrable;
  const nameServers = delegation && [...delegation.nameServers];
  const fault = delegation && serverFault(delegation);
  const claim = { domain, kind, zone, nameServers, records: [] };
  const isPair = name.kind === 'apex' || domain === `www.${registrable}`;
  const sibling = domain === registrable ? `www.${domain}` : registrable;
  const [caa, mail, atName, atSibling] = await Promise.all([
    checkCaa(domain, caaLookup(points)),
    lookup(zone, 'MX'),
    nameInDns(domain, kind, lookup),
    isPair ? nameInDns(sibling, sibling === registrable ? 'apex' : 'subdomain', lookup) : null,
  ]);
  const provider = withoutAlias(claim)?.provider;
  const detour = provider === undefined ? null : { provider, www: `www.${domain}` };
  const withWww = name.kind === 'apex' && !detour;
  const names = [...(detour ? [] : [atName]), ...((detour || withWww) && atSibling ? [atSibling] : [])];
  const switchLater = names.some(({ traffic, isWildcard }) => traffic.length > 0 && !isWildcard);
  return {
    ...standing,
    ...atName,
    unicode: displayName(domain),
    kind,
    zone,
    /** Whether it's delegated to name servers; null if that couldn't be determined. */
    isRegistered: nameServers ? nameServers.length > 0 : null,
    nameServers: nameServers ?? null,
    /** What is wrong with the name servers. */
    fault: fault ? zoneFaultText(fault) : null,
    provider: providerHint(claim),
    /** Present for an apex that can't point here: its DNS provider has no ALIAS records. What to add instead. */
    detour,
    /** The www of an apex, or the apex of a www. */
    sibling: atSibling,
    /** What DNS has at the suggested names. */
    names,
    caa,
    /** The hosts that take mail for the zone. */
    mail: valuesOf(mail),
    /** The records that will be needed. Their values are known once the name is added. */
    records: names.flatMap(({ domain: named }) =>
      neededRecords({ domain: named, kind: named === zone ? 'apex' : 'subdomain', zone, switchLater }),
    ),
    /** What to add, as the input of domains.add has it; null if nothing can be added. */
    suggestion:
      standing.refusal || standing.isPresent ? null : { domain: detour?.www ?? domain, withWww, switchLater },
  };
}

async function nameInDns(domain: string, kind: Domain['kind'], lookup: Lookup): Promise<NameInDns> {
  const recordsOf = async (name: string, type: RecordType): Promise<CurrentRecords[]> => {
    const found = await lookup(name, type);
    return found.kind === 'records' ? [{ type, values: found.values, ttl: found.ttl ?? null }] : [];
  };
  const trafficOf = async (name: string) => {
    const aliases = await recordsOf(name, 'CNAME');
    if (aliases.length > 0) return aliases;
    return (await Promise.all([recordsOf(name, 'A'), recordsOf(name, 'AAAA')])).flat();
  };
  const traffic = await trafficOf(domain);
  const atSibling = traffic.length > 0 && kind === 'subdomain' ? await trafficOf(randomSibling(domain)) : [];
  const isWildcard = traffic.some(({ values }) =>
    atSibling.some(other => other.values.some(value => values.includes(value))),
  );
  const isAlias = traffic.some(({ type }) => type === 'CNAME');
  const others = kind === 'subdomain' && !isAlias ? await otherRecordsAt(domain, lookup) : [];
  return {
    domain,
    traffic,
    isWildcard,
    isProxied: traffic.some(({ values }) => values.some(value => isCloudflareProxy(value))),
    inTheWay: others.map(({ type, values }) => ({ type, values, ttl: null })),
  };
}

type Needed = Pick<RequiredRecord, 'purpose' | 'type' | 'name' | 'label'>;

/** The records a claim will need. The certificate record's name is known only once the certificate is requested. */
function neededRecords(claim: Pick<Domain, 'domain' | 'kind' | 'zone' | 'switchLater'>): Needed[] {
  const certificate = { validations: [{ name: `_….${claim.domain}`, value: '' }] };
  const unknown = { target: '', challenge: '', status: 'pending_dns', contest: undefined } as const;
  return requiredRecords({ ...claim, ...unknown, records: [], certificate })
    .filter(({ isOptional }) => !isOptional)
    .map(({ purpose, type, name: named, label }) => ({ purpose, type, name: named, label }));
}

type Row = readonly [kind: Finding['kind'], isTrouble: boolean, text: string | false | null | undefined];

/** The findings that have a text. */
function found(...rows: readonly Row[]): Finding[] {
  return rows.flatMap(([kind, isTrouble, text]) => (text ? [{ kind, isTrouble, text }] : []));
}

function findingsOf(look: Look): Finding[] {
  const { domain, zone, detour, provider, caa, fault } = look;
  const place = provider
    ? `, and its DNS is at ${provider.name}`
    : `. Its name servers are ${look.nameServers?.join(', ')}`;
  const platform = platformOf(domain);
  const fix = caa.block && caaFix(caa.block, zone);
  const isKnown = look.isRegistered === true && fault === null;
  const general = found(
    ['refusal', true, look.refusal?.message],
    ['claim', false, look.isPresent && `${domain} is already in project ${look.project}.`],
    ['claim', true, look.isContested && contestedClaim(domain)],
    ['claim', true, platform && platformNote(domain, platform)],
    ['registration', true, look.isRegistered === false && zoneFaultText(notDelegated(zone))],
    [
      'registration',
      true,
      look.isRegistered === null && `DNS doesn't answer for ${zone}. Check again in a minute.`,
    ],
    ['registration', true, fault],
    ['registration', false, isKnown && `${zone} is registered${place}.`],
    ['alias', true, detour && cannotPointHere(domain, detour.provider)],
  );
  const mail = found([
    'mail',
    false,
    look.mail.length > 0 && `Mail to ${zone} isn't affected: its MX records stay as they are.`,
  ]);
  if (!isKnown) return [...general, ...mail];
  const blocked = found(['caa', true, caaTrouble(look, caa, { saysFailure: true })?.message]);
  return [
    ...general,
    ...look.names.flatMap(name => trafficFindings(name, look)),
    ...blocked.map(each => ({ ...each, ...(fix && { fix }) })),
    ...found(['caa', false, caa.kind === 'allowed' && 'CAA records allow Amazon to issue the certificate.']),
    ...mail,
  ];
}

function contestedClaim(domain: string): string {
  return `Another project has ${domain}, but its DNS records are gone. Create the TXT record you'll get, and the domain becomes yours.`;
}

/** The TTL that makes a switch quick, in seconds. */
const SHORT_TTL = 300;

function trafficFindings(
  { domain, traffic, isWildcard, isProxied, inTheWay }: NameInDns,
  look: Pick<Look, 'domain' | 'zone'>,
): Finding[] {
  const [longest] = traffic.toSorted((left, right) => (right.ttl ?? 0) - (left.ttl ?? 0));
  const { type, ttl } = longest ?? {};
  const typesOf = (records: readonly CurrentRecords[]) => records.map(record => record.type).join(' and ');
  const now = traffic.map(record => `${record.type} ${record.values.join(', ')}`).join('; ');
  const isChanged = longest !== undefined && !isWildcard && !isProxied;
  const isReplaced = isChanged && (domain === look.zone || type !== 'CNAME');
  const whose = domain === look.domain ? '' : ` of ${domain}`;
  return found(
    ['traffic', false, !longest && `${domain} points nowhere yet.`],
    ['traffic', false, isWildcard && `A wildcard record answers for ${domain} (${now}). You can keep it.`],
    ['traffic', false, isProxied && `${domain} is behind Cloudflare's proxy, which hides the record itself.`],
    ['traffic', false, isChanged && `${domain} is in use: ${now}.`],
    [
      'ttl',
      true,
      isChanged && ttl && ttl > SHORT_TTL ? `The ${type} record${whose} has ${ttlAdvice(ttl)}` : null,
    ],
    [
      'in_the_way',
      true,
      isReplaced &&
        `When you switch, the new record of ${domain} replaces the ${typesOf(traffic)} record. The report then says how, without a gap if your DNS provider allows it.`,
    ],
    [
      'in_the_way',
      true,
      inTheWay.length > 0 &&
        `The ${typesOf(inTheWay)} records at ${domain} are in the way: a CNAME record can't share its name with others. Delete them, or use another name.`,
    ],
  );
}

const HOUR = 3600;
const DAY = 24 * HOUR;

function ttlAdvice(seconds: number): string {
  const [count, unit] =
    seconds > DAY
      ? [seconds / DAY, 'day']
      : seconds >= HOUR
        ? [seconds / HOUR, 'hour']
        : [seconds / 60, 'minute'];
  const rounded = Math.round(count * 10) / 10;
  const lead = seconds <= HOUR ? 'an hour' : seconds <= DAY ? 'a day' : `${Math.ceil(seconds / DAY)} days`;
  return `a TTL of ${rounded} ${unit}${rounded === 1 ? '' : 's'}. Lower it to ${SHORT_TTL} ${lead} before you switch.`;
}

/** What happens next, in order. */
function nextOf({ domain, provider, detour, suggestion, names }: Look): string[] {
  if (!suggestion) return [];
  const { switchLater } = suggestion;
  const added = names.map(name => name.domain).join(' and ');
  const at = provider ? ` at ${provider.name}` : ' at your DNS provider';
  const www = detour && [
    `At ${detour.provider}, forward ${domain} to https://${detour.www}.`,
    `To do without www instead, move the DNS of ${domain} to a provider that has ALIAS records, and add ${domain} then.`,
  ];
  return [
    `Add ${added}${switchLater ? ', to be switched later' : ''}. You then get the records' values.`,
    ...(switchLater
      ? [
          `Create the ownership and certificate records${at}, then verify. Your site isn't affected.`,
          `Once it's ready, change the traffic record within ${READY_DAYS} days. The domain goes live within minutes, without an outage.`,
        ]
      : [`Create the records${at}, then verify. The certificate is usually issued within minutes.`]),
    ...(www ?? []),
  ];
}
