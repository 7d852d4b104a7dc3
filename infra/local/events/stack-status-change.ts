import { stackId } from '../cloudformation/pseudo-parameters.ts';
import type { AwsEvent } from './rules.ts';

/** The event of CloudFormation for a deployed stack. */
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
