/**
 * What an execution does after a pass, named like the machine's states, which show where a domain is. `Done`: there's nothing
 * for an execution to wait for; `Superseded`: another execution took over.
 */
export const WAITS = [
  'WaitForDns',
  'WaitForCertificate',
  'WaitForSlot',
  'WaitForRelease',
  'WaitForProject',
  'WaitForVisitors',
  'WaitForOthers',
] as const;
export const ENDS = ['Done', 'Failed', 'Superseded'] as const;
export type FlowState = (typeof WAITS)[number] | (typeof ENDS)[number];
