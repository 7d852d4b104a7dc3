import {
  type Change,
  ChangeResourceRecordSetsCommand,
  InvalidChangeBatch,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';

/** The hosts `<label>.<platform zone>` that custom domains point at. Every call makes sure of something. */
export interface PlatformZone {
  /** Has the host lead to this one. It must lead somewhere from the claim on, or ALIAS records stay empty. */
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
  return {
    async pointAt(host, target) {
      const ResourceRecords = [{ Value: target }];
      await change({
        Action: 'UPSERT',
        ResourceRecordSet: { Name: host, Type: 'CNAME', TTL: TTL_SECONDS, ResourceRecords },
      });
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
