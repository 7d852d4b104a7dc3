import { ChangeResourceRecordSetsCommand, InvalidChangeBatch, Route53Client } from '@aws-sdk/client-route-53';

/** The hosts `<label>.<platform zone>` that custom domains point at. Every call makes sure of something. */
export interface PlatformZone {
  /** Has the host lead to this one. It must lead somewhere from the claim on, or ALIAS records stay empty. */
  pointAt(host: string, target: string): Promise<void>;
  /** Takes the host away, which led to this one. */
  remove(host: string, target: string): Promise<void>;
}

const TTL_SECONDS = 60;

export function platformZone(hostedZoneId: string): PlatformZone {
  const route53 = new Route53Client({ maxAttempts: 6 });
  const change = (Action: 'UPSERT' | 'DELETE', Name: string, Value: string) =>
    route53.send(
      new ChangeResourceRecordSetsCommand({
        HostedZoneId: hostedZoneId,
        ChangeBatch: {
          Changes: [
            {
              Action,
              ResourceRecordSet: { Name, Type: 'CNAME', TTL: TTL_SECONDS, ResourceRecords: [{ Value }] },
            },
          ],
        },
      }),
    );
  return {
    async pointAt(host, target) {
      await change('UPSERT', host, target);
    },
    async remove(host, target) {
      try {
        await change('DELETE', host, target);
      } catch (error) {
        // It is gone already, or never was.
        if (!(error instanceof InvalidChangeBatch)) throw error;
      }
    },
  };
}
