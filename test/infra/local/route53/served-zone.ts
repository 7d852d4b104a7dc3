import {
  type Change,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
} from '@aws-sdk/client-route-53';
import { servedRoute53 } from './served-route53.ts';

/** The Route 53 API with one zone. */
export async function servedZone(Name = 'example.com') {
  const served = await servedRoute53();
  const zone = await served.created(Name);
  const list = (input: Omit<ListResourceRecordSetsCommandInput, 'HostedZoneId'> = {}) =>
    served.client.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, ...input }));
  return {
    ...served,
    zone,
    list,
    change: (...changes: Change[]) => served.change(zone, ...changes),
    names: async () =>
      (await list()).ResourceRecordSets?.map(({ Name: name, Type }) => `${name} ${Type}`) ?? [],
  };
}

/** What `names` gives for the records that every zone has. */
export const OWN = ['example.com. NS', 'example.com. SOA'];

/** The answer to a batch with these faults. */
export const rejection = (...messages: string[]) => ({
  name: 'InvalidChangeBatch',
  message: `[${messages.join(', ')}]`,
  $metadata: { httpStatusCode: 400 },
});
