import * as z from 'zod';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import type { Change, HostedZones } from './hosted-zones.ts';
import { changeArn, ResourceId } from './resource-id.ts';
import { Route53Error } from './route53-error.ts';

export function changeOperations(zones: HostedZones): readonly RestOperation[] {
  return [
    restOperation({
      name: 'GetChange',
      http: { route: 'GET /change/{Id}' },
      input: z.strictObject({ Id: ResourceId }),
      resource: ({ Id = '' }) => changeArn(Id),
      perform({ Id }) {
        const change = zones.findChange(Id);
        if (change === undefined) {
          throw new Route53Error('NoSuchChange', `Could not find resource with ID: ${Id}`);
        }
        return { ChangeInfo: changeInfo(zones, change) };
      },
    }),
  ];
}

export function changeInfo(zones: HostedZones, change: Change) {
  return {
    Id: `/change/${change.id}`,
    Status: zones.statusOf(change),
    SubmittedAt: new Date(change.submittedAtMs).toISOString(),
    Comment: change.comment,
  };
}
