import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { withoutTrailingDot } from '../dns/dns-query.ts';

/** The hosts `<label>.<platform zone>` that custom domains point at. Every call is idempotent. */
export interface PlatformZone {
  /**
   * Creates the host, unless it exists. It has to resolve from the claim on: DNS providers that flatten CNAME records
   * would answer nothing for an ALIAS to it.
   */
  open(host: string, target: string): Promise<void>;
  /** Points the host at this target. */
  pointAt(host: string, target: string): Promise<void>;
  /** What the host points at, if it exists. */
  targetOf(host: string): Promise<string | undefined>;
  /** Deletes the host, whatever it points at. */
  remove(host: string): Promise<void>;
  /** The name servers that the parent of the zone has to delegate to. */
  nameServers(): Promise<string[]>;
}

const TTL_SECONDS = 60;

/** The zone of an environment without a platform domain: it has no host, and none can be created. */
const NO_ZONE: PlatformZone = {
  open: refuseHost,
  pointAt: refuseHost,
  targetOf: async () => undefined,
  remove: async () => {},
  nameServers: async () => [],
};

async function refuseHost(host: string): Promise<void> {
  throw new Error(`The host ${host} cannot be created: this environment has no platform domain.`);
}

/** The platform's zone by its id, which an environment without a platform domain does not have. */
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
  const find = async (host: string): Promise<ResourceRecordSet | undefined> => {
    // Stryker disable next-line ArrayDeclaration: an element that is no record set does not have the name of the host.
    const { ResourceRecordSets: [first] = [] } = await route53.send(
      new ListResourceRecordSetsCommand({
        HostedZoneId: hostedZoneId,
        StartRecordName: host,
        StartRecordType: 'CNAME',
        MaxItems: 1,
      }),
    );
    if (first?.Type !== 'CNAME') return undefined;
    // Stryker disable next-line StringLiteral: any text that is not the host's name means the same.
    const name = withoutTrailingDot(first.Name ?? '');
    return name === host ? first : undefined;
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

    async targetOf(host) {
      // Stryker disable next-line ArrayDeclaration: an element that is no record has no value.
      const [{ Value } = {}] = (await find(host))?.ResourceRecords ?? [];
      return Value && withoutTrailingDot(Value);
    },

    async remove(host) {
      // Route 53 deletes only an exact match, so the record is read first.
      const present = await find(host);
      if (!present) return;
      try {
        await change({ Action: 'DELETE', ResourceRecordSet: present });
      } catch (error) {
        // Somebody else has deleted it in the meantime.
        if (!(error instanceof InvalidChangeBatch)) throw error;
      }
    },

    async nameServers() {
      const { DelegationSet } = await route53.send(new GetHostedZoneCommand({ Id: hostedZoneId }));
      return (DelegationSet?.NameServers ?? []).map(withoutTrailingDot);
    },
  };
}
