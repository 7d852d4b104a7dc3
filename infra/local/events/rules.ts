import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { ACCOUNT_ID, REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { Rule } from './rule-type.ts';

export interface AwsEvent {
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

/** Invokes the functions of a rule with an event, or with the Input of the target, and waits for them. */
export async function deliver(
  event: object,
  { arn, Targets }: DeclaredRule,
  invoke: InvokeFunction,
  report: (line: string) => void,
): Promise<void> {
  const caller = { principal: 'events.amazonaws.com', sourceArn: arn };
  await Promise.all(
    Targets.map(async ({ Arn, Input }) => {
      try {
        const { functionError } = await invoke(Arn, Input === undefined ? event : JSON.parse(Input), caller);
        if (functionError !== undefined) report(`${arn}: ${Arn} failed, see its log.`);
      } catch (error) {
        report(`${arn}: ${Arn} was not invoked: ${(error as Error).message}`);
      }
    }),
  );
}
