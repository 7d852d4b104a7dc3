/**
 * What an execution does after a pass: states of the machine with these names, which show where a domain is. `Done`: nothing
 * is awaited that an execution waits for; `Superseded`: another execution goes on.
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
