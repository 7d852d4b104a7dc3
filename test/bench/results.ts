import type { ColdStart } from './cold/cold-start.ts';
import type { OperationCost } from './dynamodb/operation-costs.ts';
import type { OneMachine } from './machine/one-machine.ts';
import type { WarmInvocation } from './warm/warm-invocations.ts';

/** The measurements of a run. A part that was not selected is absent. */
export interface Results {
  cold?: ColdStart[];
  warm?: WarmInvocation[];
  dynamodb?: OperationCost[];
  machine?: OneMachine;
}
