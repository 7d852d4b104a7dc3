import { afterEach, beforeEach, inject, vi } from 'vitest';

// The service logs to stdout, which would hide the report of the tests.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The state machines of the simulation are those of the stacks that the test run has synthesized. */
process.env.SIMULATION_ASSEMBLY = inject('assembly');
