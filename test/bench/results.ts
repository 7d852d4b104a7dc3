import type { ColdStart } from './cold/cold-start.ts';
import type { OperationCost } from './dynamodb/operation-costs.ts';
import type { OneMachine } from './machine/one-machine.ts';
import type { WarmInvocation } from './warm/warm-invocations.ts';

/** What was measured; a part that was left out is absent. */
export interface Results {
  cold?: ColdStart[];
  warm?: WarmInvocation[];
  dynamodb?: OperationCost[];
  machine?: OneMachine;
}
