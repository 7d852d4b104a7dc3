import type { Resource } from '../cloudformation/resource-type.ts';
import { surroundings } from '../surroundings.ts';
import {
  type AwsEvent,
  type DeclaredRule,
  type DeliveryOptions,
  declaredRules,
  deliver,
  matches,
  wholeEvent,
} from './rules.ts';

interface EventBusOptions extends DeliveryOptions {
  /** Receives every event as a line of JSON, whether or not a rule matches it. */
  record(line: string): void;
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
   * Invokes the functions of all rules that match an event and waits for the first attempt of each. An event before the
   * first deployment waits for that deployment.
   */
  async put(event: AwsEvent): Promise<void> {
    const whole = wholeEvent(event, surroundings(this.#options));
    this.#options.record(JSON.stringify(whole));
    await this.#firstDeployment.promise;
    const matching = this.#rules.filter(
      ({ EventPattern }) => EventPattern !== undefined && matches(EventPattern, whole),
    );
    await Promise.all(matching.map(rule => deliver(whole, rule, this.#options)));
  }
}

/** The event of CloudFormation for a stack whose deploy has ended. */
export function stackStatusChange({ StackId, StackStatus }: ChangedStack): AwsEvent {
  return {
    source: 'aws.cloudformation',
    'detail-type': 'CloudFormation Stack Status Change',
    resources: [StackId],
    detail: {
      'stack-id': StackId,
      'status-details': { status: StackStatus, 'status-reason': '' },
      'client-request-token': '',
    },
  };
}

interface ChangedStack {
  readonly StackId: string;
  readonly StackStatus: string;
}
