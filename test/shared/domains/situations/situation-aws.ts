import { isDeepStrictEqual } from 'node:util';
import type { AccountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { type Certificates, isLost } from '../../../../shared/domains/aws/certificates.ts';
import type { PlatformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { timeOf } from '../../../../shared/domains/clock.ts';
import {
  type ApiStage,
  ApiUnknown,
  AttachedByOthers,
  type AttachedDomain,
  type Front,
  type FrontClaim,
  FrontFull,
  FrontRefused,
  FrontTaken,
  isSameRoute,
  type Later,
  NotAttached,
  type Ticket,
} from '../../../../shared/domains/front.ts';
import type { ManagedRecord } from '../../../../shared/domains/life/domain.ts';
import type { Refusal, Situation, SituationCertificate, SituationName } from './situation.ts';
import { RIVAL } from './situation-claims.ts';

/** What AWS has in the world of a situation, as it changes, and what it was asked to change. */
export interface AwsState {
  readonly names: Map<string, SituationName>;
  readonly routes: Map<string, ApiStage>;
  readonly hosts: Map<string, string>;
  readonly records: ManagedRecord[];
  readonly certificates: Map<string, SituationCertificate>;
  /** Calls that have changed something. */
  readonly calls: string[];
}

/** AWS at the beginning of a situation. */
export function awsOf({ gateway, acm, hosted, hosts }: Situation): AwsState {
  return {
    names: new Map(Object.entries(gateway.names)),
    routes: new Map(Object.entries(gateway.routes)),
    hosts: new Map(Object.entries(hosts)),
    records: [...hosted.records],
    certificates: new Map(acm.certificates.map(certificate => [certificate.arn, certificate])),
    calls: [],
  };
}

/** Notes a call that changes AWS, unless it has nothing to change. */
function call(aws: AwsState, isIdle: boolean, ...words: readonly string[]): void {
  if (!isIdle) aws.calls.push(words.join(' '));
}

export function certificatesIn({ acm }: Situation, aws: AwsState): Certificates {
  const { certificates } = aws;
  const ofClaim = ({ target }: FrontClaim) =>
    [...certificates.values()].filter(each => each.target === target);
  const isInUse = ({ arn, isInUse: isHeld }: SituationCertificate) =>
    isHeld || [...aws.names.values()].some(({ certificateArn }) => certificateArn === arn);
  const remove = (certificate: SituationCertificate): boolean => {
    const { arn } = certificate;
    if (isInUse(certificate)) return false;
    call(aws, !certificates.delete(arn), 'delete', arn);
    return true;
  };
  return {
    async ensure(claim) {
      let usable: string | undefined;
      for (const certificate of ofClaim(claim)) {
        const { arn, view } = certificate;
        if (arn === claim.certificate.replaces || isLost(view)) remove(certificate);
        else usable ??= arn;
      }
      if (usable !== undefined) return usable;
      const arn = `arn:aws:acm:us-east-1:000000000000:certificate/requested-${certificates.size}`;
      call(aws, false, 'request', claim.domain);
      certificates.set(arn, { arn, target: claim.target, view: UNKNOWN, isInUse: false });
      return arn;
    },
    view: async arn => certificates.get(arn)?.view ?? { ...UNKNOWN, status: null },
    async removeAll(claim) {
      const left = ofClaim(claim).filter(certificate => !remove(certificate));
      return left.length === 0;
    },
    isRecordShared: async () => acm.isRecordShared,
  };
}

/** What ACM says of a new certificate. */
const UNKNOWN: SituationCertificate['view'] = {
  status: 'PENDING_VALIDATION',
  serial: null,
  failure: null,
  renewal: null,
  validFrom: null,
  expiresAt: null,
  validations: [],
};

const REFUSALS: Readonly<Record<Exclude<Refusal, 'busy'>, (aws: AwsState, name: string) => Error>> = {
  rejected: () => new FrontRefused('The certificate is not known yet.'),
  full: () => new FrontFull('Too many domain names.'),
  taken: () => new FrontTaken('The domain name you provided already exists.'),
  'created by others': (aws, name) => createdBy(aws, name, null),
  'created by the rival': (aws, name) => createdBy(aws, name, RIVAL.target),
};

/** Somebody else has created the domain name a moment ago. */
function createdBy({ names }: AwsState, name: string, target: string | null): Error {
  names.set(name, { host: 'd-6.example', hostedZoneId: 'Z1UJRXOUMOOFQ8', certificateArn: 'theirs', target });
  return new AttachedByOthers(`${name} is not ours.`);
}

/** The host of a domain name that is created. */
const NEW_HOST = 'd-5.execute-api.us-east-1.amazonaws.com';

export function frontIn({ nowMs, gateway }: Situation, aws: AwsState): Front {
  const { names, routes } = aws;
  const find = ({ domain, target }: FrontClaim): AttachedDomain | undefined => {
    const name = names.get(domain);
    if (!name) return undefined;
    const { target: owner, ...attached } = name;
    return { ...attached, isOurs: owner === target };
  };
  const requireUsable = (claim: FrontClaim, arn: string) => {
    const { attachRefusal } = gateway;
    const isIssued = aws.certificates.get(arn)?.view.status === 'ISSUED';
    const isCreatedByOthers = attachRefusal?.startsWith('created');
    if (attachRefusal && attachRefusal !== 'busy' && !(isCreatedByOthers && names.has(claim.domain))) {
      throw REFUSALS[attachRefusal](aws, claim.domain);
    }
    if (!isIssued) throw new FrontRefused('The certificate is not issued.');
  };

  const waitFor = (ticket: Ticket = null, isBusy: boolean): Later | undefined => {
    const slotMs = ticket === null ? nowMs + gateway.slotInMs : Date.parse(ticket);
    if (slotMs <= nowMs && !isBusy) return undefined;
    const atMs = slotMs > nowMs ? slotMs : nowMs + 31_000;
    return { kind: 'later', atMs, ticket: timeOf(atMs), isBusy: slotMs <= nowMs };
  };

  return {
    isForeign: async name => names.get(name)?.target === null,
    find: async claim => find(claim),
    hasStage: async ({ apiId }) => !gateway.missingApis.includes(apiId),
    routeOf: async ({ domain }) => routes.get(domain),

    async attach(claim, certificateArn, ticket) {
      const { domain, target } = claim;
      const present = find(claim);
      if (present && !present.isOurs) {
        throw new AttachedByOthers(`${domain} is not ours.`);
      }
      if (present?.certificateArn === certificateArn) {
        call(aws, true);
        return undefined;
      }
      const waiting = waitFor(ticket, gateway.attachRefusal === 'busy');
      if (waiting) return waiting;
      requireUsable(claim, certificateArn);
      call(aws, false, present ? 'recertify' : 'attach', domain, certificateArn);
      const { host = NEW_HOST, hostedZoneId = 'Z1UJRXOUMOOFQ8' } = present ?? {};
      names.set(domain, { host, hostedZoneId, certificateArn, target });
      return undefined;
    },

    async route(claim, { apiId, stage }) {
      const { domain } = claim;
      const present = find(claim);
      if (!present) throw new NotAttached(`${domain} is not there.`);
      if (!present.isOurs) throw new AttachedByOthers(`${domain} is not ours.`);
      if (gateway.missingApis.includes(apiId)) throw new ApiUnknown('Invalid REST API identifier');
      call(aws, isSameRoute(routes.get(domain), { apiId, stage }), 'route', domain, apiId);
      routes.set(domain, { apiId, stage });
    },

    async unroute(claim) {
      const isGone = !find(claim)?.isOurs || !routes.delete(claim.domain);
      call(aws, isGone, 'unroute', claim.domain);
    },

    async detach(claim, ticket) {
      const { domain } = claim;
      if (!find(claim)?.isOurs) {
        call(aws, true);
        return undefined;
      }
      const waiting = waitFor(ticket, gateway.isDetachBusy);
      if (waiting) return waiting;
      call(aws, false, 'detach', domain);
      names.delete(domain);
      routes.delete(domain);
      return undefined;
    },
  };
}

export function platformZoneIn(aws: AwsState): PlatformZone {
  const { hosts } = aws;
  const point = (host: string, target: string) => {
    call(aws, hosts.get(host) === target, 'point', host, target);
    hosts.set(host, target);
  };
  return {
    targetOf: async host => hosts.get(host),
    pointAt: async (host, target) => point(host, target),
    async open(host, target) {
      point(host, hosts.get(host) ?? target);
    },
    alias: async (name, { host }) => point(name, host),
    async remove(host) {
      call(aws, !hosts.delete(host), 'remove', host);
    },
    nameServers: async () => ['ns-1.aws.example', 'ns-2.aws.example'],
  };
}

export function accountZonesIn({ hosted }: Situation, aws: AwsState): AccountZones {
  const { records } = aws;
  const words = ({ type, name, value }: ManagedRecord) => [type, name, value];
  return {
    list: async () => [...hosted.zones],
    async create(record) {
      const isThere = records.some(({ type, name }) => type === record.type && name === record.name);
      call(aws, isThere, 'create', ...words(record));
      if (!isThere) records.push(record);
    },
    async remove(record) {
      const index = records.findIndex(present => isDeepStrictEqual(present, record));
      call(aws, index < 0, 'delete', ...words(record));
      if (index >= 0) records.splice(index, 1);
    },
  };
}
