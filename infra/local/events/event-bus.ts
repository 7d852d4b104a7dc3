import type { Resource } from '../cloudformation/resource.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { matches } from './event-pattern.ts';
import { type AwsEvent, declaredRules, deliver, wholeEvent } from './rules.ts';

/** The default event bus with the rules that the stacks declare. */
export interface EventBus {
  /** Gives an event to the functions of all rules that match it, and waits until they are done. */
  put(event: AwsEvent): Promise<void>;
}

export function eventBus(
  resources: readonly Resource[],
  invoke: InvokeFunction,
  report: (line: string) => void,
): EventBus {
  const rules = declaredRules(resources);
  return {
    async put(event) {
      const whole = wholeEvent(event);
      const matching = rules.filter(
        ({ EventPattern }) => EventPattern !== undefined && matches(EventPattern, whole),
      );
      await Promise.all(matching.map(rule => deliver(whole, rule, invoke, report)));
    },
  };
}
