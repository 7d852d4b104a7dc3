import { ExecutionDoesNotExist, SFNClient, ValidationException } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { claimed, TARGET } from '../claimed-domain.ts';
import { cannedAnswers } from './canned-answers.ts';

const STATES = 'arn:aws:states:us-east-1:000000000000';
const VERIFY = `${STATES}:stateMachine:Verify`;
const REMOVE = `${STATES}:stateMachine:Remove`;
const { startVerification, startRemoval, stopEarlierVerification, stateOf } = flows(VERIFY, REMOVE);

const CLAIM = TARGET.slice(0, TARGET.indexOf('.'));
const verifying = claimed({ status: 'verifying', attempt: 2 });
const removing = claimed({ status: 'removing', attempt: 3 });

test('a verification and a removal are executions of their own state machines', async () => {
  const sent = cannedAnswers(SFNClient);
  await startVerification(verifying);
  await startRemoval(removing);
  expect(sent.map(({ input }) => input)).toMatchObject([
    { stateMachineArn: VERIFY, name: `${CLAIM}-2` },
    { stateMachineArn: REMOVE, name: `${CLAIM}-3` },
  ]);
});

test('the earlier verification is stopped with a cause', async () => {
  const sent = cannedAnswers(SFNClient);
  await stopEarlierVerification(removing);
  expect(sent).toEqual([
    {
      name: 'StopExecutionCommand',
      input: {
        executionArn: `${STATES}:execution:Verify:${CLAIM}-2`,
        cause: 'Another attempt has begun.',
      },
    },
  ]);
});

test.each([
  new ExecutionDoesNotExist({ message: 'Execution Does Not Exist', $metadata: {} }),
  new ValidationException({ message: 'It has ended.', $metadata: {} }),
])('the earlier verification need not be running: $name', async error => {
  cannedAnswers(SFNClient, error);
  await expect(stopEarlierVerification(removing)).resolves.toBeUndefined();
});

test.each([
  ['RUNNING', 'running'],
  ['PENDING_REDRIVE', 'running'],
  ['SUCCEEDED', 'ended'],
  ['FAILED', 'ended'],
  ['TIMED_OUT', 'ended'],
  ['ABORTED', 'ended'],
])('an execution that is %s counts as %s', async (status, state) => {
  cannedAnswers(SFNClient, { status });
  expect(await stateOf(verifying)).toBe(state);
});

test('the state of a removal is that of its execution, and of any other domain that of its verification', async () => {
  const sent = cannedAnswers(SFNClient);
  await stateOf(verifying);
  await stateOf(removing);
  expect(sent.map(({ input }) => input)).toEqual([
    { executionArn: `${STATES}:execution:Verify:${CLAIM}-2` },
    { executionArn: `${STATES}:execution:Remove:${CLAIM}-3` },
  ]);
});
