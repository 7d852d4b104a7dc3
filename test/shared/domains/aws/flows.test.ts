import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import {
  deployedMachine,
  lambda,
  MACHINE_ARN,
} from '../../../../infra/local/test/stepfunctions/deployed-machine.ts';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { claimed, TARGET } from '../claimed-domain.ts';
import { cannedResponses, stubEndpoint } from './client-endpoint.ts';

const FOREVER = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 1_000_000_000, End: true } } };

/** The flows on one state machine, which serves for verification and removal, and its executions. */
async function deployedFlows() {
  const machine = await deployedMachine(
    FOREVER,
    lambda(() => ({})),
  );
  stubEndpoint('SFN', machine.endpoint);
  const executions = async () => {
    const { executions: listed = [] } = await machine.client.send(
      new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN }),
    );
    return Promise.all(
      listed.map(({ executionArn }) => machine.client.send(new DescribeExecutionCommand({ executionArn }))),
    );
  };
  return { executions, ...flows(MACHINE_ARN, MACHINE_ARN) };
}

const LABEL = TARGET.slice(0, TARGET.indexOf('.'));

test('an attempt is started once, also when it has ended; startRemoval starts the next one', async () => {
  const { executions, startVerification, startRemoval, stopEarlierVerification } = await deployedFlows();
  await startVerification(claimed({ attempt: 2 }));
  await startVerification(claimed({ attempt: 2, revision: 9 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  await startVerification(claimed({ attempt: 2 }));
  const input = '{"domain":"www.zoo.example","project":"zoo","attempt":2}';
  expect(await executions()).toMatchObject([{ name: `${LABEL}-2`, status: 'ABORTED', input }]);
  await startRemoval(claimed({ attempt: 3 }));
  expect((await executions()).map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
    `${LABEL}-2 ABORTED`,
    `${LABEL}-3 RUNNING`,
  ]);
});

test('stopEarlierVerification stops the attempt before, with a cause, and may be repeated or find none', async () => {
  const { executions, startVerification, stopEarlierVerification } = await deployedFlows();
  await stopEarlierVerification(claimed({ attempt: 2 }));
  await startVerification(claimed({ attempt: 2 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  expect(await executions()).toMatchObject([{ status: 'ABORTED', cause: 'Another attempt has begun.' }]);
});

test('stateOf returns whether the execution of the attempt runs, has ended, or was never started', async () => {
  const { startVerification, stopEarlierVerification, stateOf } = await deployedFlows();
  const verifying = claimed({ status: 'verifying', attempt: 2 });
  expect(await stateOf(verifying)).toBe('absent');
  await startVerification(verifying);
  expect(await stateOf(verifying)).toBe('running');
  await stopEarlierVerification(claimed({ attempt: 3 }));
  expect(await stateOf(verifying)).toBe('ended');
});

describe('requests', () => {
  const STATES = 'arn:aws:states:us-east-1:000000000000';
  const VERIFY = `${STATES}:stateMachine:Verify`;
  const REMOVE = `${STATES}:stateMachine:Remove`;
  const { startVerification, startRemoval, stopEarlierVerification, stateOf } = flows(VERIFY, REMOVE);
  const verifying = claimed({ status: 'verifying', attempt: 2 });
  const removing = claimed({ status: 'removing', attempt: 3 });

  test('a verification and a removal are executions of their own state machines', async () => {
    const sent = cannedResponses(SFNClient);
    await startVerification(verifying);
    await startRemoval(removing);
    await stopEarlierVerification(removing);
    await stateOf(verifying);
    await stateOf(removing);
    expect(sent.map(({ input }) => input)).toMatchObject([
      { stateMachineArn: VERIFY, name: `${LABEL}-2` },
      { stateMachineArn: REMOVE, name: `${LABEL}-3` },
      { executionArn: `${STATES}:execution:Verify:${LABEL}-2` },
      { executionArn: `${STATES}:execution:Verify:${LABEL}-2` },
      { executionArn: `${STATES}:execution:Remove:${LABEL}-3` },
    ]);
  });

  test.each([
    ['running', 'RUNNING', 'PENDING_REDRIVE'],
    ['ended', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
  ])('an execution counts as %s that is %s', async (state, ...statuses) => {
    cannedResponses(SFNClient, ...statuses.map(status => ({ status })));
    for (const status of statuses) expect(await stateOf(verifying), status).toBe(state);
  });
});
