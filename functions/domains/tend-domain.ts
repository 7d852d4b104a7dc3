import { worker } from '../../shared/domains/composition.ts';

/** The task of the state machine: one pass over a domain that is set up or removed, and what to wait for after it. */
export const handler = worker();
