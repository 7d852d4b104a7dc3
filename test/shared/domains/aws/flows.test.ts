import { DescribeExecutionCommand, ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { expect, test } from 'vitest';
import { deployedMachine, lambda, MACHINE_ARN } from '../../../../infra/local/testing/deployed-machine.ts';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { claimed, removing, TARGET } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

const LABEL = TARGET.slice(0, TARGET.indexOf('.'));
const verifying = claimed({ status: 'verifying', attempt: 2 });

test('an attempt is started once, also when it has ended; the next one is another execution', async () => {
  const machine = await deployedMachine(
    { StartAt: 'Done', States: { Done: { Type: 'Succeed' } } },
    lambda(() => ({})),
  );
  stubEndpoint('SFN', machine.endpoint);
  const { start } = flows(MACHINE_ARN);
  const executions = async () => {
    const list = new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN });
    const { executions: listed = [] } = await machine.client.send(list);
    return Promise.all(
      listed.map(({ executionArn }) => machine.client.send(new DescribeExecutionCommand({ executionArn }))),
    );
  };
  await start(verifying);
  await expect.poll(executions).toMatchObject([{ status: 'SUCCEEDED' }]);
  await start({ ...verifying, revision: 9 });
  const input = '{"domain":"www.zoo.example","project":"zoo","attempt":2}';
  expect(await executions()).toMatchObject([{ name: `${LABEL}-2`, input }]);
  await start(removing({ attempt: 3 }));
  expect((await executions()).map(({ name }) => name).toSorted()).toEqual([`${LABEL}-2`, `${LABEL}-3`]);
});
