import { worker } from '../../shared/domains/composition.ts';

/** The state machine's task: one pass over a domain that is being set up or removed, and what to wait for next. */
export const handler = worker();
