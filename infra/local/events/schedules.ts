import type { Resource } from '../cloudformation/resource-type.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import {
  type DeclaredRule,
  type DeliveryOptions,
  declaredRules,
  deliver,
  rateMs,
  wholeEvent,
} from './rules.ts';

/** A small scale turns minutes into milliseconds. Functions that ran all the time would keep the machine busy. */
const SHORTEST_SCALED_MS = 5_000;

interface Schedule {
  rule: DeclaredRule;
  readonly expression: string;
  readonly stopping: AbortController;
}

/** The rules with a schedule. A rule is triggered at the end of each period, which starts when the previous run has ended. */
export class Schedules {
  readonly #options: DeliveryOptions & Surroundings;
  readonly #byRule = new Map<string, Schedule>();

  constructor(options: DeliveryOptions) {
    this.#options = { ...options, ...surroundings(options) };
  }

  /** Replaces the rules by those of a new deployment. A rule with the same schedule keeps its next time. */
  deploy(resources: readonly Resource[]): void {
    const rules = declaredRules(resources);
    for (const [arn, { stopping }] of this.#byRule) {
      if (!rules.some(rule => rule.arn === arn)) {
        stopping.abort();
        this.#byRule.delete(arn);
      }
    }
    for (const rule of rules) {
      this.#set(rule);
    }
  }

  stop(): void {
    for (const { stopping } of this.#byRule.values()) {
      stopping.abort();
    }
    this.#byRule.clear();
  }

  #set(rule: DeclaredRule): void {
    const { arn, ScheduleExpression: expression } = rule;
    const previous = this.#byRule.get(arn);
    if (previous !== undefined && previous.expression === expression) {
      previous.rule = rule;
      return;
    }
    previous?.stopping.abort();
    this.#byRule.delete(arn);
    if (expression !== undefined) {
      const schedule = { rule, expression, stopping: new AbortController() };
      this.#byRule.set(arn, schedule);
      this.#triggerPeriodically(schedule);
    }
  }

  async #triggerPeriodically(schedule: Schedule): Promise<void> {
    const { signal } = schedule.stopping;
    const periodMs = Math.max(SHORTEST_SCALED_MS, rateMs(schedule.expression) * this.#options.waitScale);
    while (true) {
      await this.#options.wait(periodMs, signal);
      if (signal.aborted) {
        return;
      }
      const { rule } = schedule;
      const scheduled = {
        source: 'aws.events',
        'detail-type': 'Scheduled Event',
        resources: [rule.arn],
        detail: {},
      };
      const event = wholeEvent(scheduled, this.#options);
      await deliver(event, rule, this.#options);
    }
  }
}
