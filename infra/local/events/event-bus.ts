import { randomUUID } from 'node:crypto';
import { ACCOUNT_ID, REGION, regionalArn } from '../cloudformation/pseudo-parameters.ts';
import { parseProperties } from '../cloudformation/refusal.ts';
import type { Resource } from '../cloudformation/resource.ts';
import type { InvokeFunction } from '../lambda/invoker.ts';
import { matches } from './event-pattern.ts';
import { Rule } from './rule-type.ts';

export interface AwsEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

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
  const rules = resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .map(resource => ({
      ...parseProperties(Rule, resource.properties, resource),
      arn: regionalArn('events', `rule/${resource.physicalId}`),
    }))
    .filter(({ State }) => State === 'ENABLED');

  const deliver = async (functionArn: string, ruleArn: string, event: object) => {
    const caller = { principal: 'events.amazonaws.com', sourceArn: ruleArn };
    try {
      const { functionError } = await invoke(functionArn, event, caller);
      if (functionError !== undefined) report(`${ruleArn}: ${functionArn} failed, see its log.`);
    } catch (error) {
      report(`${ruleArn}: ${functionArn} was not invoked: ${(error as Error).message}`);
    }
  };

  return {
    async put(event) {
      const whole = {
        version: '0',
        id: randomUUID(),
        account: ACCOUNT_ID,
        region: REGION,
        time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
        ...event,
      };
      const matching = rules.filter(({ EventPattern }) => matches(EventPattern, whole));
      await Promise.all(
        matching.flatMap(({ arn, Targets }) => Targets.map(({ Arn }) => deliver(Arn, arn, whole))),
      );
    },
  };
}
