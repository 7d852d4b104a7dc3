import { inject } from 'vitest';

/** The state machines of the simulation are those of the stacks that the test run has synthesized. */
process.env.SIMULATION_ASSEMBLY = inject('assembly');
