import { stackId } from '../cloudformation/pseudo-parameters.ts';
import type { AwsEvent } from './rules.ts';

/** What CloudFormation announces when a stack has been deployed. */
export function stackStatusChange(stack: string, isUpdate: boolean): AwsEvent {
  const status = isUpdate ? 'UPDATE_COMPLETE' : 'CREATE_COMPLETE';
  return {
    source: 'aws.cloudformation',
    'detail-type': 'CloudFormation Stack Status Change',
    resources: [stackId(stack)],
    detail: {
      'stack-id': stackId(stack),
      'status-details': { status, 'status-reason': '' },
      'client-request-token': '',
    },
  };
}
