import { DescribeExecutionCommand, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { deployedMachine, lambda, MACHINE_ARN } from '../../../infra/local/stepfunctions/deployed-machine.ts';
import { claimed, TARGET } from '../claimed-domain.ts';
import { clientsFind } from './client-endpoint.ts';

const FOREVER = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 1_000_000_000, End: true } } };

/** One state machine that stands for both, and the executions of it. */
async function deployed() {
  const machine = await deployedMachine(
    FOREVER,
    lambda(() => ({})),
  );
  clientsFind('SFN', machine.endpoint);
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

test('an attempt is verified once, however often it is started', async () => {
  const { executions, startVerification } = await deployed();
  await startVerification(claimed({ attempt: 2 }));
  await startVerification(claimed({ attempt: 2, revision: 9 }));
  expect(await executions()).toMatchObject([
    { name: `${LABEL}-2`, status: 'RUNNING', input: '{"domain":"www.zoo.example","attempt":2}' },
  ]);
});

test('an attempt that is over is not started again', async () => {
  const { executions, startVerification, startRemoval, stopEarlierVerification } = await deployed();
  await startVerification(claimed({ attempt: 2 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  await startVerification(claimed({ attempt: 2 }));
  expect(await executions()).toMatchObject([{ name: `${LABEL}-2`, status: 'ABORTED' }]);
  await startRemoval(claimed({ attempt: 3 }));
  expect((await executions()).map(({ name, status }) => `${name} ${status}`).toSorted()).toEqual([
    `${LABEL}-2 ABORTED`,
    `${LABEL}-3 RUNNING`,
  ]);
});

test('a verification that never began needs no stopping, nor does one that was stopped', async () => {
  const { executions, startVerification, stopEarlierVerification } = await deployed();
  await stopEarlierVerification(claimed({ attempt: 2 }));
  await startVerification(claimed({ attempt: 2 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  await stopEarlierVerification(claimed({ attempt: 3 }));
  expect(await executions()).toMatchObject([{ status: 'ABORTED' }]);
});
