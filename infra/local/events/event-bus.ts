import type { Resource } from '../cloudformation/resource.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { matches } from './event-pattern.ts';
import { type AwsEvent, type DeclaredRule, declaredRules, deliver, wholeEvent } from './rules.ts';

export interface EventBusOptions {
  readonly invoke: InvokeFunction;
  report(line: string): void;
}

/** The default event bus with the rules that the stacks declare. */
export class EventBus {
  readonly #options: EventBusOptions;
  readonly #firstDeployment = Promise.withResolvers<void>();
  #rules: readonly DeclaredRule[] = [];

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  /** Replaces the rules by those of a new deployment. */
  deploy(resources: readonly Resource[]): void {
    this.#rules = declaredRules(resources);
    this.#firstDeployment.resolve();
  }

  /**
   * Invokes the functions of all rules that match an event and waits for them. An event before the first deployment
   * waits for that deployment.
   */
  async put(event: AwsEvent): Promise<void> {
    await this.#firstDeployment.promise;
    const { invoke, report } = this.#options;
    const whole = wholeEvent(event);
    const matching = this.#rules.filter(
      ({ EventPattern }) => EventPattern !== undefined && matches(EventPattern, whole),
    );
    await Promise.all(matching.map(rule => deliver(whole, rule, invoke, report)));
  }
}
