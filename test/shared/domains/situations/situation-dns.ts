import type { ZoneDelegation } from '../../../../shared/domains/dns/delegation.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { CHALLENGE, NAME, TARGET, VALIDATION } from '../claimed-domain.ts';
import type { ZoneContent } from '../dns/zone-lookup.ts';
import type { Dice } from './dice.ts';
import { NAME_SERVERS, NO_ADDRESS_OF_OURS, OUR_ADDRESS, PROXY_ADDRESS, RIVAL } from './situation-claims.ts';

/** What DNS shows of the name, from every vantage point. */
export interface SituationDns {
  /** The closest zone that encloses the name; null when that can't be found out. */
  readonly zone: string | null;
  readonly delegation: ZoneDelegation | null;
  /** What the name servers of the zone have; null when they weren't found. */
  readonly published: ZoneContent | null;
  /** What each of them has, where they don't agree. */
  readonly servers: readonly ZoneContent[] | null;
  readonly resolvers: readonly ZoneContent[];
}

type Values = Exclude<ZoneContent, 'SERVFAIL'>;

const CHALLENGE_NAME = `_petstore-challenge.${NAME}`;
const FAILING = 'SERVFAIL';

/** Where the name leads by its records. */
const TRAFFIC = {
  here: kind => (kind === 'apex' ? { [`${NAME} A`]: [OUR_ADDRESS] } : { [`${NAME} CNAME`]: [TARGET] }),
  nowhere: () => ({}),
  elsewhere: kind =>
    kind === 'apex' ? { [`${NAME} A`]: [NO_ADDRESS_OF_OURS] } : { [`${NAME} CNAME`]: ['else.example'] },
  'to another address': () => ({ [`${NAME} A`]: [NO_ADDRESS_OF_OURS] }),
  'here by its addresses': () => ({ [`${NAME} A`]: [OUR_ADDRESS] }),
  'here and elsewhere': () => ({ [`${NAME} A`]: [OUR_ADDRESS, NO_ADDRESS_OF_OURS] }),
  'to the rival': () => ({ [`${NAME} CNAME`]: [RIVAL.target] }),
  'to a proxy': () => ({ [`${NAME} A`]: [PROXY_ADDRESS] }),
  'by a wildcard': () => ({ '*.zoo.example A': [NO_ADDRESS_OF_OURS] }),
  'to the host in its own zone': () => ({ [`${NAME} CNAME`]: [`${TARGET}.zoo.example`] }),
  'nowhere, for mail': () => ({ [`${NAME} MX`]: ['10 mail.example'] }),
  unknown: () => ({ [`${NAME} CNAME`]: FAILING, [`${NAME} A`]: FAILING, [`${NAME} AAAA`]: FAILING }),
} as const satisfies Record<string, (kind: Domain['kind']) => Values>;
type Traffic = keyof typeof TRAFFIC;

const HERE: readonly Traffic[] = ['here', 'here by its addresses', 'here and elsewhere'];

const ELSEWHERE = [
  'nowhere',
  'elsewhere',
  'to another address',
  'to the rival',
  'to a proxy',
  'by a wildcard',
  'to the host in its own zone',
  'nowhere, for mail',
  'unknown',
  'here and elsewhere',
] as const satisfies readonly Traffic[];

interface DnsOf {
  readonly claim: Domain;
  readonly hasRival: boolean;
  /** Whether the traffic is expected to be elsewhere as yet. */
  readonly isBeforeSwitch: boolean;
  /** Whether a hosted zone of the account has the name. */
  readonly isManaged: boolean;
}

/** What DNS shows in a situation, and whether visitors arrive by that. */
export function randomDns(dice: Dice, of: DnsOf): SituationDns & { readonly leadsHere: boolean } {
  const { claim, hasRival, isBeforeSwitch, isManaged } = of;
  const zone = dice.usually<string | null>(claim.zone, NAME, 'zoo.example', null);
  const kind = zone === null ? claim.kind : zone === NAME ? 'apex' : 'subdomain';
  const nameServers = isManaged ? NAME_SERVERS.ROUTE_53 : nameServersNow(dice, claim);
  const right = kind === 'apex' || dice.chance(0.85) ? 'here' : 'here by its addresses';
  const traffic = isBeforeSwitch ? dice.pick(...ELSEWHERE) : dice.usually<Traffic>(right, ...ELSEWHERE);
  const needsText = kind === 'apex' || claim.switchLater || hasRival || isBeforeSwitch;
  const all: Values = {
    ...withoutTraffic(dice, Boolean(needsText), hasRival),
    ...TRAFFIC[traffic](kind),
    ...(zone !== null && { [`${zone} NS`]: nameServers }),
  };
  // The flow has not created all records yet.
  const published = isManaged && dice.chance(0.5) ? outdated(dice, all) : all;
  return {
    zone,
    delegation: delegationOf(dice, zone, nameServers),
    ...views(dice, published, isManaged),
    leadsHere: HERE.includes(traffic),
  };
}

function nameServersNow(dice: Dice, { nameServers = [] }: Domain): readonly string[] {
  const { ROUTE_53, CLOUDFLARE, WITHOUT_ALIAS, UNKNOWN } = NAME_SERVERS;
  return dice.usually<readonly string[]>(
    nameServers.length > 0 ? nameServers : UNKNOWN,
    ROUTE_53,
    CLOUDFLARE,
    WITHOUT_ALIAS,
    UNKNOWN,
  );
}

function delegationOf(
  dice: Dice,
  zone: string | null,
  nameServers: readonly string[],
): ZoneDelegation | null {
  const delegation = { zone: zone ?? 'zoo.example', nameServers };
  if (dice.chance(0.2)) return null;
  return dice.usually<ZoneDelegation>(
    delegation,
    { ...delegation, nameServers: [] },
    { ...delegation, fault: 'SERVFAIL' },
    { ...delegation, fault: 'no answer' },
    { ...delegation, fault: 'REFUSED' },
  );
}

/** All records but those that lead visitors anywhere. */
function withoutTraffic(dice: Dice, needsText: boolean, hasRival: boolean): Values {
  const text: Values = { [`${CHALLENGE_NAME} TXT`]: [CHALLENGE] };
  const noText = [
    {},
    { [`${CHALLENGE_NAME} TXT`]: ['something else'] },
    { [`${CHALLENGE_NAME} TXT`]: [`"${CHALLENGE}"`] },
    { [`${NAME} TXT`]: [CHALLENGE] },
    { [`${CHALLENGE_NAME} TXT`]: FAILING },
    { [`${CHALLENGE_NAME} TXT`]: [CHALLENGE, RIVAL.challenge] },
    { [`${CHALLENGE_NAME} TXT`]: [RIVAL.challenge] },
  ] as const satisfies readonly Values[];
  const isRivalSupported = hasRival && dice.chance(0.3);
  const ownText = needsText ? dice.usually<Values>(text, ...noText) : dice.pick<Values>(text, ...noText);
  return {
    [`${TARGET} A`]: dice.usually<readonly string[] | 'SERVFAIL'>([OUR_ADDRESS], [], FAILING),
    [`${RIVAL.target} A`]: [OUR_ADDRESS],
    ...(isRivalSupported ? dice.pick<Values>(noText.at(-1) as Values, noText.at(-2) as Values) : ownText),
    ...dice.usually<Values>(
      { [`${VALIDATION.name} CNAME`]: [VALIDATION.value] },
      {},
      { [`${VALIDATION.name} CNAME`]: ['_x.acm-validations.aws'] },
      { [`${VALIDATION.name} TXT`]: ['something else'] },
      { [`${VALIDATION.name} CNAME`]: FAILING },
    ),
    ...dice.oneOf<Values>(
      [80, {}],
      [4, { [`${NAME} CAA`]: ['0 issue "amazon.com"'] }],
      [5, { [`${NAME} CAA`]: ['0 issue "letsencrypt.org"'] }],
      [3, { 'zoo.example CAA': ['0 issue "letsencrypt.org"'] }],
      [3, { [`${NAME} CAA`]: ['128 tbs "unknown"'] }],
      [5, { [`${NAME} CAA`]: FAILING }],
    ),
  };
}

/** What has been published as the zone's own servers and two resolvers see it. */
function views(
  dice: Dice,
  published: Values,
  isManaged: boolean,
): Pick<SituationDns, 'published' | 'servers' | 'resolvers'> {
  const resolver = () =>
    dice.usually<ZoneContent>(published, outdated(dice, published), outdated(dice, published), FAILING);
  return {
    published: isManaged ? published : dice.usually<ZoneContent | null>(published, published, null, FAILING),
    servers: dice.usually<readonly ZoneContent[] | null>(
      null,
      [published, withRival(published)],
      [published, FAILING],
      [FAILING, FAILING],
    ),
    resolvers: [resolver(), resolver()],
  };
}

/** The zone as it was before some of its records were created. */
function outdated(dice: Dice, published: Values): Values {
  return Object.fromEntries(
    Object.entries(published).filter(([key]) => key.endsWith(' NS') || dice.chance(0.6)),
  );
}

/** The zone as it was while it had the rival's text. */
function withRival(published: Values): Values {
  return { ...published, [`${CHALLENGE_NAME} TXT`]: [RIVAL.challenge] };
}
