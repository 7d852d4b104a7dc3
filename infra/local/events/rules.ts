import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { ACCOUNT_ID, REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import type { AsynchronousInvocations } from '../lambda/asynchronous-invocations.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { Rule } from './rule-type.ts';

export interface AwsEvent {
  /** The event bus chooses the id and the time of an event that has none. */
  readonly id?: string;
  readonly time?: string;
  readonly source: string;
  readonly 'detail-type': string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

export type DeclaredRule = z.output<typeof Rule> & { readonly arn: string };

/** The enabled rules that the stacks declare. */
export function declaredRules(resources: readonly Resource[]): DeclaredRule[] {
  return resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .map(resource => ({
      ...parseProperties(Rule, resource.properties, resource),
      arn: regionalArn('events', `rule/${resource.physicalId}`),
    }))
    .filter(({ State }) => State === 'ENABLED');
}

/** An event with the fields that the event bus adds. */
export function wholeEvent(event: AwsEvent) {
  return {
    version: '0',
    id: randomUUID(),
    account: ACCOUNT_ID,
    region: REGION,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    ...event,
  };
}

/** What a delivery needs of Lambda. */
export interface DeliveryOptions {
  readonly invoke: InvokeFunction;
  readonly asynchronous: AsynchronousInvocations;
  report(line: string): void;
}

/**
 * Invokes the functions of a rule with an event, or with the Input of the target, and waits for the first attempt of
 * each. The invocations are asynchronous ones: those that fail are repeated.
 */
export async function deliver(
  event: object,
  { arn, Targets }: DeclaredRule,
  { invoke, asynchronous, report }: DeliveryOptions,
): Promise<void> {
  const caller = { principal: 'events.amazonaws.com', sourceArn: arn };
  const failureOf = async (functionArn: string, input: unknown): Promise<string | undefined> => {
    try {
      const { functionError } = await invoke(functionArn, input, caller);
      return functionError && 'failed, see its log.';
    } catch (error) {
      return `was not invoked: ${(error as Error).message}`;
    }
  };
  const deliverTo = async (functionArn: string, input: unknown): Promise<boolean> => {
    const failure = await failureOf(functionArn, input);
    // The end of the runtime interrupts what runs: that is no failure of the function.
    if (failure !== undefined && !asynchronous.isStopped) report(`${arn}: ${functionArn} ${failure}`);
    return failure === undefined;
  };
  await Promise.all(
    Targets.map(({ Arn, Input }) =>
      asynchronous.run(() => deliverTo(Arn, Input === undefined ? event : JSON.parse(Input))),
    ),
  );
}
