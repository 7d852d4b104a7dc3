/**
 * What the service is known to get wrong. Each of these violates an invariant, which notes it instead of failing a run, and
 * has a scenario in faults/known.test.ts that is expected to fail. Mending one makes the scenario pass, which fails the test
 * until the entry is gone.
 */
export const KNOWN = {
  withdrawalRaced:
    'A run that sets default URLs up while they are withdrawn brings back what was just deleted.',
} as const;

export type KnownViolation = keyof typeof KNOWN;
