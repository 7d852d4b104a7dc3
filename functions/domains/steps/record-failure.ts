import { recordSteps } from '../../../shared/domains/composition.ts';

/** Step of both flows: records why the flow could not go on. */
export const handler = recordSteps().recordFailure;
