import * as z from 'zod';
import { type Operation, operation } from '../aws-api/operation.ts';
import type { AccountRates } from './account-rates.ts';
import type { Executions } from './executions.ts';
import { PageRequest, requestedPage } from './page-request.ts';
import type { DeclaredStateMachine } from './state-machines.ts';

export function stateMachineOperations(executions: Executions, rates: AccountRates): readonly Operation[] {
  return [
    operation({
      name: 'ListStateMachines',
      rate: rates.ListStateMachines,
      input: PageRequest,
      perform(input) {
        const { shown, nextToken } = requestedPage(executions.stateMachines, input);
        return { stateMachines: shown.map(summary), nextToken };
      },
    }),

    operation({
      name: 'DescribeStateMachine',
      rate: rates.DescribeStateMachine,
      input: z.strictObject({
        stateMachineArn: z.string(),
        includedData: z.enum(['ALL_DATA', 'METADATA_ONLY']).optional(),
      }),
      resource: ({ stateMachineArn }) => stateMachineArn,
      perform({ stateMachineArn }) {
        const machine = executions.stateMachine(stateMachineArn);
        const { roleArn, definitionText } = machine;
        return { ...summary(machine), status: 'ACTIVE', roleArn, definition: definitionText };
      },
    }),
  ];
}

/** The time of creation is not kept. A constant does not change between two answers. */
const CREATION_DATE = 0;

function summary({ arn, name }: DeclaredStateMachine) {
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: CREATION_DATE };
}
