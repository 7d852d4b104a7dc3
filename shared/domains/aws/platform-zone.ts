import {
  type Change,
  ChangeResourceRecordSetsCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { withoutTrailingDot } from '../dns/trailing-dot.ts';

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
}

const TTL_SECONDS = 60;

export function platformZone(hostedZoneId: string): PlatformZone {
  const route53 = new Route53Client({ maxAttempts: 6 });
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
    const { ResourceRecordSets: [first] = [] } = await route53.send(
      new ListResourceRecordSetsCommand({
        HostedZoneId: hostedZoneId,
        StartRecordName: host,
        StartRecordType: 'CNAME',
        MaxItems: 1,
      }),
    );
    const isHost = withoutTrailingDot(first?.Name ?? '') === host && first?.Type === 'CNAME';
    return isHost ? first : undefined;
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
  };
}
