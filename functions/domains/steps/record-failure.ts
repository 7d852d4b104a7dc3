import { verificationOfEnvironment } from '../../../shared/domain-flow/flow-environment.ts';

/** Step of the verification: leaves the reason where an operator finds it. */
export const handler = verificationOfEnvironment().recordFailure;
