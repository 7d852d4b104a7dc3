import { removalOfEnvironment } from '../../../shared/domain-flow/flow-environment.ts';

/** Step of the removal: takes down the next thing that was made for the domain, until nothing is left. */
export const handler = removalOfEnvironment().takeDown;
