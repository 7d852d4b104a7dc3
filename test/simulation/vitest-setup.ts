import { afterEach, beforeEach, inject, vi } from 'vitest';

// The service logs to stdout, which would hide the report of the tests.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The stacks of the simulation, which have a managed zone. */
process.env.SIMULATION_ASSEMBLY = inject('simulatedAssembly');
