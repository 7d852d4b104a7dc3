import * as z from 'zod';
import type { Principal } from '../iam/principal.ts';
import { Publication, type Topics } from '../topics.ts';
import type { AwsSdkCall } from './definition.ts';
import { StateError } from './state-error.ts';

/** What the calls of tasks work on. */
export interface AwsSdkTargets {
  readonly topics: Topics;
}

/** An operation of AWS that a task calls without a function. */
interface Call {
  /** As Step Functions names the errors of the service: DynamoDb.ResourceInUseException. */
  readonly errorPrefix: string;
  readonly action: string;
  /** Parameters that AWS would accept and this does not support are refused. */
  readonly parameters: z.ZodType;
  resource(parameters: never, targets: AwsSdkTargets): string;
  run(parameters: never, targets: AwsSdkTargets): Promise<unknown>;
}

/** Makes the call of a task in the name of the state machine's role. */
export async function callAws(
  name: AwsSdkCall,
  given: unknown,
  role: Principal,
  targets: AwsSdkTargets,
): Promise<unknown> {
  const { errorPrefix, action, parameters: schema, resource, run } = CALLS[name];
  const { success, data, error } = schema.safeParse(given);
  if (!success) throw new StateError('States.Runtime', z.prettifyError(error));
  const denial = role.denial(action, resource(data as never, targets));
  // The model of the service doesn't have this error, so that Step Functions names it by the service alone.
  if (denial !== undefined) throw new StateError(`${errorPrefix}.${errorPrefix}Exception`, denial);
  try {
    // Step Functions returns JSON.
    return JSON.parse(JSON.stringify(await run(data as never, targets)));
  } catch (cause) {
    throw new StateError(`${errorPrefix}.${(cause as Error).name}`, (cause as Error).message);
  }
}

const CALLS: Readonly<Record<AwsSdkCall, Call>> = {
  'sns:publish': {
    errorPrefix: 'Sns',
    action: 'sns:Publish',
    parameters: Publication,
    resource: ({ TopicArn }: Publication) => TopicArn,
    run: async (publication: Publication, { topics }) => topics.publish(publication),
  },
};
