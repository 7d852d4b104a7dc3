import { type CfnElement, Stack } from 'aws-cdk-lib';
import { CfnAuthorizer, CfnMethod } from 'aws-cdk-lib/aws-apigateway';
import { type CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { type CfnStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct, IConstruct } from 'constructs';
import { ServiceApi } from '../service-api.ts';
import { ServiceFunction } from '../service-function.ts';
import { ServiceTable } from '../service-table.ts';

type Class<Instance> = abstract new (...args: never[]) => Instance;

/** A function that a rule invokes on a schedule. */
export interface ScheduledFunction {
  readonly fn: ServiceFunction;
  readonly everyMinutes: number;
  /** Other rules invoke it, too, so an invocation isn't necessarily a scheduled one. */
  readonly hasOtherRules: boolean;
}

/**
 * What there is to watch in a stack. Constructs are looked up rather than listed, so a new one is watched automatically.
 */
export class StackParts {
  readonly apis: readonly ServiceApi[];
  readonly functions: readonly ServiceFunction[];
  readonly machines: readonly StateMachine[];
  readonly tables: readonly ServiceTable[];
  readonly rules: readonly Rule[];
  readonly #stack: Stack;

  constructor(scope: Construct) {
    this.#stack = Stack.of(scope);
    this.apis = this.#all(ServiceApi);
    this.functions = this.#all(ServiceFunction);
    this.machines = this.#all(StateMachine);
    this.tables = this.#all(ServiceTable);
    this.rules = this.#all(Rule);
  }

  /** The functions behind an API, its authorizer included. */
  behind(api: ServiceApi): ServiceFunction[] {
    const { ref } = api.node.defaultChild as CfnElement & { readonly ref: string };
    const parts = [...this.#all(CfnMethod), ...this.#all(CfnAuthorizer)].filter(
      ({ restApiId }) => this.#text(restApiId) === this.#text(ref),
    );
    return this.#invokedBy(
      parts.map(part => (part instanceof CfnMethod ? part.integration : part.authorizerUri)),
    );
  }

  /** The functions that state machines invoke. */
  steps(): ServiceFunction[] {
    return this.#invokedBy(
      this.machines.map(({ node }) => (node.defaultChild as CfnStateMachine).definitionString),
    );
  }

  scheduled(): ScheduledFunction[] {
    return this.rules.flatMap(rule => {
      const { scheduleExpression, targets } = resourceOf(rule);
      if (scheduleExpression === undefined) return [];
      const everyMinutes = minutesOf(scheduleExpression);
      const others = this.rules.filter(other => other !== rule).map(other => resourceOf(other).targets);
      const elsewhere = this.#invokedBy(others);
      return this.#invokedBy([targets]).map(fn => ({
        fn,
        everyMinutes,
        hasOtherRules: elsewhere.includes(fn),
      }));
    });
  }

  #all<Instance extends IConstruct>(type: Class<Instance>): Instance[] {
    return this.#stack.node.findAll().filter((construct): construct is Instance => construct instanceof type);
  }

  /** The functions to which one of these properties refers. */
  #invokedBy(properties: readonly unknown[]): ServiceFunction[] {
    const text = properties.map(property => this.#text(property)).join();
    return this.functions.filter(({ lambda }) => {
      const logicalId = this.#stack.getLogicalId(lambda.node.defaultChild as CfnElement);
      return text.includes(`"${this.#stack.resolve(logicalId)}"`);
    });
  }

  #text(property: unknown): string {
    return JSON.stringify(this.#stack.resolve(property)) ?? '';
  }
}

function resourceOf(rule: Rule): CfnRule {
  return rule.node.defaultChild as CfnRule;
}

const MINUTES = { minute: 1, hour: 60, day: 24 * 60 } as const;

function minutesOf(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (unit === undefined) throw new Error(`A schedule has to be a rate, not ${expression}.`);
  return Number(count) * MINUTES[unit as keyof typeof MINUTES];
}
