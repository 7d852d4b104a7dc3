import * as z from 'zod';
import { ACCOUNT_ID, REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import {
  nameOf,
  noEffect,
  type Resource,
  type ResourceType,
  resourcesOf,
} from '../cloudformation/resource-type.ts';
import type { AsynchronousInvocations } from '../lambda/asynchronous-invocations.ts';
import type { InvokeFunction } from '../lambda/invocation.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * An event pattern: {"source": ["aws.cloudformation"], "detail": {"status": ["A", "B"]}}. A field of the event must
 * be one of the listed values, or a list that contains one; an object matches the fields of an object, or of one in a list.
 * A name with dots is a path. Filters such as {"prefix": …} are rejected, and so are empty lists.
 */
const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const EventPattern: z.ZodType<EventPattern> = z.record(
  z.string(),
  z.union([z.array(Value).min(1), z.lazy(() => EventPattern)]),
);
export interface EventPattern {
  [field: string]: z.infer<typeof Value>[] | EventPattern;
}

export function matches(pattern: EventPattern, event: unknown): boolean {
  return isMatched(withoutDots(pattern) as EventPattern, withoutDots(event));
}

function isMatched(pattern: EventPattern, event: unknown): boolean {
  if (!isObject(event)) return false;
  return Object.entries(pattern).every(([field, expected]) => {
    const values = [event[field]].flat();
    return Array.isArray(expected)
      ? expected.some(one => values.includes(one))
      : values.some(value => isMatched(expected, value));
  });
}

/** {"a.b": 1, "a": {"c": 2}} is {"a": {"b": 1, "c": 2}}. */
function withoutDots(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDots);
  if (!isObject(value)) return value;
  const byFirstName = Map.groupBy(Object.entries(value), ([name]) => name.replace(/\..*$/s, ''));
  const merged = byFirstName.entries().map(([first, fields]): [string, unknown] => {
    if (fields.length === 1 && fields[0]?.[0] === first) return [first, fields[0][1]];
    const below = fields.flatMap(([name, inner]): [string, unknown][] =>
      name === first ? Object.entries(inner ?? {}) : [[name.slice(first.length + 1), inner]],
    );
    return [first, Object.fromEntries(below)];
  });
  return Object.fromEntries(merged.map(([name, inner]) => [name, withoutDots(inner)]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const RATE = /^rate\((\d+) (minute|hour|day)s?\)$/;

const MINUTE_MS = 60_000;
const MS_BY_UNIT: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/** The period of a schedule such as rate(5 minutes). */
export function rateMs(expression: string): number {
  const [, count = '', unit = ''] = RATE.exec(expression) ?? [];
  return Number(count) * (MS_BY_UNIT[unit] ?? Number.NaN);
}

/** AWS::Events::Rule, of the default event bus. */
export const Rule = z
  .strictObject({
    Name: z.string().optional(),
    Description: noEffect,
    State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
    EventPattern: EventPattern.optional(),
    ScheduleExpression: z
      .string()
      .regex(RATE, 'only rate(…) is supported, such as rate(5 minutes)')
      .optional(),
    Targets: z
      .array(
        z.strictObject({
          Id: z.string(),
          Arn: z.string(),
          // The role that starts an execution; a function permits the rule itself.
          RoleArn: z.string().optional(),
          Input: z.string().optional(),
          // The function that a target names exists, so no event is undeliverable.
          DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
        }),
      )
      .default([]),
  })
  .refine(
    rule => rule.EventPattern !== undefined || rule.ScheduleExpression !== undefined,
    'want EventPattern or ScheduleExpression',
  );

export const ruleType: ResourceType = {
  properties: Rule,
  ref: declaration => nameOf(declaration, 'Name'),
  attributes: { Arn: declaration => regionalArn('events', `rule/${nameOf(declaration, 'Name')}`) },
};

export interface AwsEvent {
  /** The event bus chooses the id and the time of an event that has none. */
  readonly id?: string;
  readonly time?: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

type Target = z.output<typeof Rule>['Targets'][number];

const STATE_MACHINE = /:states:.*:stateMachine:/;

export type DeclaredRule = z.output<typeof Rule> & { readonly arn: string };

/** The enabled rules that the stacks declare. */
export function declaredRules(resources: readonly Resource[]): DeclaredRule[] {
  return resourcesOf('AWS::Events::Rule', Rule, resources)
    .map(({ physicalId, properties }) => ({
      ...properties,
      arn: regionalArn('events', `rule/${physicalId}`),
    }))
    .filter(({ State }) => State === 'ENABLED');
}

/** An event with the fields that the event bus adds. */
export function wholeEvent(event: AwsEvent, { now, newId }: Pick<Surroundings, 'now' | 'newId'>) {
  return {
    version: '0',
    id: newId('uuid'),
    account: ACCOUNT_ID,
    region: REGION,
    time: new Date(now()).toISOString().replace(/\.\d+Z$/, 'Z'),
    ...event,
  };
}

/** What a delivery needs from Lambda and Step Functions. */
export interface DeliveryOptions extends Partial<Surroundings> {
  readonly invoke: InvokeFunction;
  /** Starts an execution of a state machine in the name of a role. */
  startExecution(stateMachineArn: string, roleArn: string, input: string): void;
  readonly asynchronous: AsynchronousInvocations;
  report(line: string): void;
}

/**
 * Invokes the functions of a rule, or starts its state machines, with an event or with the Input of the target, and waits
 * for the first attempt of each. The invocations are asynchronous: failed ones are retried.
 */
export async function deliver(
  event: object,
  { arn, Targets }: DeclaredRule,
  { invoke, startExecution, asynchronous, report }: DeliveryOptions,
): Promise<void> {
  const caller = { principal: 'events.amazonaws.com', sourceArn: arn };
  const failureOf = async ({ Arn, RoleArn = '' }: Target, input: unknown): Promise<string | undefined> => {
    try {
      if (STATE_MACHINE.test(Arn)) {
        startExecution(Arn, RoleArn, JSON.stringify(input));
        return undefined;
      }
      const { functionError } = await invoke(Arn, input, caller);
      return functionError && 'failed, see its log.';
    } catch (error) {
      return `was not invoked: ${(error as Error).message}`;
    }
  };
  const deliverTo = async (target: Target, input: unknown): Promise<boolean> => {
    const failure = await failureOf(target, input);
    // When the runtime stops it interrupts functions: that is not their failure.
    if (failure !== undefined && !asynchronous.isStopped) report(`${arn}: ${target.Arn} ${failure}`);
    return failure === undefined;
  };
  await Promise.all(
    Targets.map(target =>
      asynchronous.run(() =>
        deliverTo(target, target.Input === undefined ? event : JSON.parse(target.Input)),
      ),
    ),
  );
}
