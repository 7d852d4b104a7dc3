import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { readDefinition } from '../../../infra/local/stepfunctions/definition.ts';
import { runExecution } from '../../../infra/local/stepfunctions/interpreter.ts';
import { StateError } from '../../../infra/local/stepfunctions/state-error.ts';
import { resolvedResources } from './templates.ts';

const PRODUCTION = 'Petstore-Production';
const resources = resolvedResources(PRODUCTION);
const machine = resources.find(
  ({ type, logicalId }) => type === 'AWS::StepFunctions::StateMachine' && logicalId.startsWith('Protection'),
);
const DEFINITION = String(machine?.properties.DefinitionString);

/** What the state machine sees of an account: the stack and its tables, as CloudFormation and CDK handle them. */
class Account {
  status = 'REVIEW_IN_PROGRESS';
  /** AWS may leave out what is off. */
  isStackProtected: boolean | undefined = false;
  /** The tables that exist, and whether each is protected. */
  readonly tables = new Map<string, boolean | undefined>();
  /** How often each call is refused before it succeeds. */
  refusals = 0;
  readonly #refused = new Map<string, number>();

  /** As `cdk deploy` begins a first deploy: CDK sets what the assembly says before the change set is executed. */
  beginFirstDeploy(): void {
    const manifest = JSON.parse(readFileSync(join(inject('assembly'), 'manifest.json'), 'utf8'));
    this.isStackProtected = manifest.artifacts[PRODUCTION].properties.terminationProtection ?? false;
    this.status = 'CREATE_IN_PROGRESS';
    for (const { type, physicalId, properties } of resources) {
      if (type === 'AWS::DynamoDB::Table')
        this.tables.set(physicalId, properties.DeletionProtectionEnabled as undefined);
    }
  }

  /** CloudFormation deletes what it created, by RetainExceptOnCreate also the tables; DynamoDB refuses protected ones. */
  rollBack(): void {
    this.status = 'ROLLBACK_IN_PROGRESS';
    for (const [table, isProtected] of this.tables) if (!isProtected) this.tables.delete(table);
    this.status = this.tables.size > 0 ? 'ROLLBACK_FAILED' : 'ROLLBACK_COMPLETE';
  }

  /** Runs the state machine, as the schedule does at any time. */
  async protect() {
    const outcome = await runExecution({
      definition: readDefinition(DEFINITION, { stack: PRODUCTION, logicalId: 'Protection', type: '' }),
      input: '{}',
      clock: { sleep: async () => {} },
      history: [],
      signal: new AbortController().signal,
      runTask: async () => expect.unreachable(),
      callAws: async (call, parameters) => this.#call(call, parameters as Record<string, string>),
    });
    return outcome?.status;
  }

  #call(call: string, { TableName = '', ...parameters }: Record<string, unknown>) {
    const name = String(TableName);
    const times = this.#refused.get(`${call} ${name}`) ?? 0;
    this.#refused.set(`${call} ${name}`, times + 1);
    if (times < this.refusals) throw new StateError('DynamoDb.ResourceInUseException', 'is being updated');
    switch (call) {
      case 'cloudformation:describeStacks':
        return {
          Stacks: [{ StackStatus: this.status, EnableTerminationProtection: this.isStackProtected }],
        };
      case 'cloudformation:updateTerminationProtection':
        this.isStackProtected = parameters.EnableTerminationProtection === true;
        return {};
      case 'dynamodb:describeTable':
        return { Table: { TableName: name, DeletionProtectionEnabled: this.tables.get(name) } };
      default:
        // Whether DynamoDB accepts an update that changes nothing is not documented.
        if (this.tables.get(name)) throw new StateError('DynamoDb.DynamoDbException', 'no change');
        this.tables.set(name, parameters.DeletionProtectionEnabled === true);
        return {};
    }
  }
}

test('a first deploy that fails rolls back completely and leaves a stack that CDK can delete', async () => {
  const account = new Account();
  account.beginFirstDeploy();
  expect(account.tables.size).toBe(7);
  // The schedule may be due at any moment.
  await account.protect();
  account.status = 'ROLLBACK_IN_PROGRESS';
  await account.protect();
  account.rollBack();
  expect([account.status, account.isStackProtected]).toEqual(['ROLLBACK_COMPLETE', false]);
  expect(await account.protect()).toBe('SUCCEEDED');
  expect(account.isStackProtected).toBe(false);
});

test.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'])(
  'once the stack is %s, every table and the stack are protected, also where one is already',
  async status => {
    const account = new Account();
    account.beginFirstDeploy();
    account.status = status;
    account.refusals = 5;
    const [first = '', second = ''] = account.tables.keys();
    account.tables.set(first, true).set(second, false);
    expect(await account.protect()).toBe('SUCCEEDED');
    expect([...account.tables.values()]).toEqual(Array(7).fill(true));
    expect(account.isStackProtected).toBe(true);
    expect(await account.protect()).toBe('SUCCEEDED');
    // Somebody switches off the protection of one table, by hand.
    account.tables.set(first, false);
    expect(await account.protect()).toBe('SUCCEEDED');
    expect(account.tables.get(first)).toBe(true);
    // CDK switches that of the stack off at a deploy without changes.
    for (const off of [false, undefined]) {
      account.isStackProtected = off;
      expect(await account.protect()).toBe('SUCCEEDED');
      expect(account.isStackProtected).toBe(true);
    }
  },
);

test.each([
  'CREATE_IN_PROGRESS',
  'ROLLBACK_FAILED',
  'UPDATE_IN_PROGRESS',
  'DELETE_IN_PROGRESS',
  'DELETE_FAILED',
])('a stack that is %s is left alone', async status => {
  const account = new Account();
  account.beginFirstDeploy();
  account.status = status;
  expect(await account.protect()).toBe('SUCCEEDED');
  expect([...account.tables.values(), account.isStackProtected]).not.toContain(true);
});
