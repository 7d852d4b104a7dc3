import type { Change, HostedZones } from './hosted-zones.ts';
import type { Operations } from './operation.ts';
import { Route53Error } from './route53-error.ts';

/** GetChange. */
export function changeOperations(zones: HostedZones): Operations {
  return {
    'GET /change/{id}': {
      name: 'GetChange',
      resource: 'change/{id}',
      perform({ parameters: { id = '' } }) {
        const change = zones.findChange(id);
        if (change === undefined) {
          throw new Route53Error('NoSuchChange', `Could not find resource with ID: ${id}`);
        }
        return { element: 'GetChangeResponse', content: { ChangeInfo: changeInfo(zones, change) } };
      },
    },
  };
}

export function changeInfo(zones: HostedZones, change: Change) {
  return {
    Id: `/change/${change.id}`,
    Status: zones.statusOf(change),
    SubmittedAt: new Date(change.submittedAtMs).toISOString(),
    Comment: change.comment,
  };
}
