import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
  type RRType,
} from '@aws-sdk/client-route-53';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { withoutTrailingDot } from '../dns/dns-query.ts';

/** The names of a domain name of API Gateway in DNS. */
interface AliasTarget {
  readonly host: string;
  readonly hostedZoneId: string;
}

/**
 * The hosts `<label>.<platform zone>` that custom domains point at, and those of default URLs. Every call is idempotent.
 */
export interface PlatformZone {
  /**
   * Creates the host, unless it exists. It has to resolve as soon as the domain is claimed: otherwise DNS providers that flatten
   * CNAME records would have no answer for an ALIAS to it.
   */
  open(host: string, target: string): Promise<void>;
  pointAt(host: string, target: string): Promise<void>;
  targetOf(host: string): Promise<string | undefined>;
  /**
   * Points a name at its API Gateway domain name with alias records. Unlike a CNAME, a wildcard alias doesn't change the zone's
   * negative answers, which the check of the delegation needs (platform-delegation.ts).
   */
  alias(name: string, target: AliasTarget): Promise<void>;
  /** Deletes the host, whatever it points at. */
  remove(host: string): Promise<void>;
  /** The name servers that the parent of the zone has to delegate to. */
  nameServers(): Promise<string[]>;
}

const TTL_SECONDS = 60;

/** A regional domain name of API Gateway has IPv4 and IPv6 addresses. */
const ALIAS_TYPES = ['A', 'AAAA'] as const;
/** The most record sets a host can have: an alias's two, or one CNAME. */
const RECORDS_OF_HOST = ALIAS_TYPES.length;

function isHostRecord(type: RRType | undefined): boolean {
  return type === 'CNAME' || ALIAS_TYPES.some(alias => alias === type);
}

/** The name as it was given: Route 53 returns a wildcard's asterisk as an octal escape. */
function nameOf(name = ''): string {
  return withoutTrailingDot(name).replace('\\052', '*');
}

/** The zone of an environment without a platform domain: it has no hosts, and can't create any. */
const NO_ZONE: PlatformZone = {
  open: refuseHost,
  pointAt: refuseHost,
  alias: refuseHost,
  targetOf: async () => undefined,
  remove: async () => {},
  nameServers: async () => [],
};

async function refuseHost(host: string): Promise<void> {
  throw new Error(`The host ${host} cannot be created: this environment has no platform domain.`);
}

/** The platform's zone by its id; undefined in an environment without a platform domain. */
export function platformZone(hostedZoneId: string | undefined): PlatformZone {
  if (hostedZoneId === undefined) return NO_ZONE;
  const route53 = controlPlaneClient(Route53Client);
  const change = (...Changes: Change[]) =>
    route53.send(
      new ChangeResourceRecordSetsCommand({ HostedZoneId: hostedZoneId, ChangeBatch: { Changes } }),
    );
  const recordOf = (host: string, target: string) => ({
    Name: host,
    Type: 'CNAME' as const,
    TTL: TTL_SECONDS,
    ResourceRecords: [{ Value: target }],
  });
  const find = async (host: string): Promise<ResourceRecordSet[]> => {
    // Stryker disable next-line ArrayDeclaration: an element that isn't a record set doesn't have the name of the host.
    const { ResourceRecordSets = [] } = await route53.send(
      new ListResourceRecordSetsCommand({
        HostedZoneId: hostedZoneId,
        StartRecordName: host,
        MaxItems: RECORDS_OF_HOST,
      }),
    );
    return ResourceRecordSets.filter(({ Name, Type }) => nameOf(Name) === host && isHostRecord(Type));
  };
  return {
    async open(host, target) {
      try {
        await change({ Action: 'CREATE', ResourceRecordSet: recordOf(host, target) });
      } catch (error) {
        if (!(error instanceof InvalidChangeBatch)) throw error;
      }
    },

    async pointAt(host, target) {
      await change({ Action: 'UPSERT', ResourceRecordSet: recordOf(host, target) });
    },

    async alias(name, { host: DNSName, hostedZoneId: HostedZoneId }) {
      const present = (await find(name)).map(({ AliasTarget }) => nameOf(AliasTarget?.DNSName));
      if (present.length === ALIAS_TYPES.length && present.every(target => target === DNSName)) return;
      const AliasTarget = { DNSName, HostedZoneId, EvaluateTargetHealth: false };
      const upsert = (Type: RRType): Change => ({
        Action: 'UPSERT',
        ResourceRecordSet: { Name: name, Type, AliasTarget },
      });
      await change(...ALIAS_TYPES.map(upsert));
    },

    async targetOf(host) {
      // Stryker disable next-line ArrayDeclaration: an element that isn't a record has no value.
      const [{ Value } = {}] = (await find(host))[0]?.ResourceRecords ?? [];
      return Value && withoutTrailingDot(Value);
    },

    async remove(host) {
      // Route 53 deletes only an exact match, so the record is read first.
      const present = await find(host);
      if (present.length === 0) return;
      try {
        await change(...present.map((found): Change => ({ Action: 'DELETE', ResourceRecordSet: found })));
      } catch (error) {
        // Somebody else deleted it in the meantime.
        if (!(error instanceof InvalidChangeBatch)) throw error;
      }
    },

    async nameServers() {
      const { DelegationSet } = await route53.send(new GetHostedZoneCommand({ Id: hostedZoneId }));
      return (DelegationSet?.NameServers ?? []).map(withoutTrailingDot);
    },
  };
}
