import {
  type Change,
  ChangeResourceRecordSetsCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';

/** The hosts `<label>.<platform zone>` that custom domains point at. Every call makes sure of something. */
export interface PlatformZone {
  /**
   * Has a new host lead to this one, unless it leads somewhere already. It must do so from the claim on, or ALIAS records
   * stay empty.
   */
  open(host: string, target: string): Promise<void>;
  /** Has the host lead to this one. */
  pointAt(host: string, target: string): Promise<void>;
  /** Takes the host away, wherever it leads. */
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

    async remove(host) {
      // Only what matches exactly can be deleted, so it has to be looked at first.
      const { ResourceRecordSets = [] } = await route53.send(
        new ListResourceRecordSetsCommand({
          HostedZoneId: hostedZoneId,
          StartRecordName: host,
          StartRecordType: 'CNAME',
          MaxItems: 1,
        }),
      );
      const [present] = ResourceRecordSets;
      if (present?.Name?.replace(/\.$/, '') !== host || present.Type !== 'CNAME') return;
      try {
        await change({ Action: 'DELETE', ResourceRecordSet: present });
      } catch (error) {
        // It went in the meantime.
        if (!(error instanceof InvalidChangeBatch)) throw error;
      }
    },
  };
}
