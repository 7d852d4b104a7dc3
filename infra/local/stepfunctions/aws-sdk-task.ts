import { DescribeTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';
import type { DeployedStacks } from '../deployed-stacks.ts';
import { type DynamoDbAccess, withEngine } from '../dynamodb/tables.ts';
import type { Principal } from '../iam/principal.ts';
import { Publication, type Topics } from '../topics.ts';
import type { AwsSdkCall } from './definition.ts';
import { StateError } from './state-error.ts';

/** What the calls of tasks work on. */
export interface AwsSdkTargets {
  readonly stacks: DeployedStacks;
  readonly dynamoDb: DynamoDbAccess;
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

/** Errors that the models of the services don't have. Step Functions names them by the service alone. */
const UNMODELED = new Set(['AccessDeniedException', 'ValidationError', 'ValidationException']);

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
  const failed = (error: string, cause: string) =>
    new StateError(`${errorPrefix}.${UNMODELED.has(error) ? `${errorPrefix}Exception` : error}`, cause);
  if (denial !== undefined) throw failed('AccessDeniedException', denial);
  try {
    // Step Functions returns JSON.
    return JSON.parse(JSON.stringify(await run(data as never, targets)));
  } catch (cause) {
    throw failed((cause as Error).name, (cause as Error).message);
  }
}

const DescribeStacks = z.strictObject({ StackName: z.string() });
const UpdateTerminationProtection = z.strictObject({
  StackName: z.string(),
  EnableTerminationProtection: z.boolean(),
});
const DescribeTable = z.strictObject({ TableName: z.string() });
const UpdateTable = z.strictObject({ TableName: z.string(), DeletionProtectionEnabled: z.boolean() });

const ofStack = ({ StackName }: z.output<typeof DescribeStacks>) => StackName;
const ofTable = ({ TableName }: z.output<typeof DescribeTable>) =>
  regionalArn('dynamodb', `table/${TableName}`);

const CALLS: Readonly<Record<AwsSdkCall, Call>> = {
  'cloudformation:describeStacks': {
    errorPrefix: 'CloudFormation',
    action: 'cloudformation:DescribeStacks',
    parameters: DescribeStacks,
    resource: ofStack,
    run: async ({ StackName }: z.output<typeof DescribeStacks>, { stacks }) => ({
      Stacks: [stacks.describe(StackName)],
    }),
  },
  'cloudformation:updateTerminationProtection': {
    errorPrefix: 'CloudFormation',
    action: 'cloudformation:UpdateTerminationProtection',
    parameters: UpdateTerminationProtection,
    resource: ofStack,
    run: async (
      { StackName, EnableTerminationProtection }: z.output<typeof UpdateTerminationProtection>,
      { stacks },
    ) => {
      stacks.protect(StackName, EnableTerminationProtection);
      return { StackId: StackName };
    },
  },
  'dynamodb:describeTable': {
    errorPrefix: 'DynamoDb',
    action: 'dynamodb:DescribeTable',
    parameters: DescribeTable,
    resource: ofTable,
    run: async (input: z.output<typeof DescribeTable>, { dynamoDb }) =>
      withEngine(dynamoDb, async client => {
        const { Table } = await client.send(new DescribeTableCommand(input));
        return { Table };
      }),
  },
  'dynamodb:updateTable': {
    errorPrefix: 'DynamoDb',
    action: 'dynamodb:UpdateTable',
    parameters: UpdateTable,
    resource: ofTable,
    run: async (input: z.output<typeof UpdateTable>, { dynamoDb }) =>
      withEngine(dynamoDb, async client => {
        const { TableDescription } = await client.send(new UpdateTableCommand(input));
        return { TableDescription };
      }),
  },
  'sns:publish': {
    errorPrefix: 'Sns',
    action: 'sns:Publish',
    parameters: Publication,
    resource: ({ TopicArn }: Publication) => TopicArn,
    run: async (publication: Publication, { topics }) => topics.publish(publication),
  },
};
