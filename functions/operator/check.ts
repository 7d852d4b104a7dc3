import { operatorFunction } from '../../shared/operator/operator-function.ts';

/** The function for `petstore doctor` and `petstore smoke`: their commands, and no others. */
export const handler = operatorFunction({ runsChecksOnly: true });
