/**
 * What the service is known to get wrong. Each of these violates an invariant, which notes it instead of failing a run, and
 * has a scenario in faults/known.test.ts that is expected to fail. Mending one makes the scenario pass, which fails the test
 * until the entry is gone.
 */
export const KNOWN = {
  driftStays: 'The daily check names a deleted mapping or a changed host of a live domain, and leaves it so.',
  readyRecordsUnseen: 'The checks of a ready domain look at neither its TXT record nor CAA.',
  readyTroubleUntold: 'A ready domain that loses its certificate or its edge emits no event.',
  reconcileDies: 'A reconcile checks four ready domains a second, so it dies if there are more than 222.',
  withdrawalRaced:
    'A run that sets default URLs up while they are withdrawn brings back what was just deleted.',
} as const;

export type KnownViolation = keyof typeof KNOWN;
