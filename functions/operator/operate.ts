import { operatorFunction } from '../../shared/operator/operator-function.ts';

/** The operator function: every command. */
export const handler = operatorFunction({ runsChecksOnly: false });
