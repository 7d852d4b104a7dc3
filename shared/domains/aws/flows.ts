import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  ValidationException,
} from '@aws-sdk/client-sfn';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { claimOf, type Domain } from '../life/domain.ts';
import { isBeingRemoved } from '../life/domain-status.ts';

export type Flows = ReturnType<typeof flows>;

/** The state machines of custom domains. An execution is named after claim and attempt, so it is started once. */
export function flows(verifyMachineArn: string, removeMachineArn: string) {
  const sfn = controlPlaneClient(SFNClient);
  const start = async (stateMachineArn: string, { domain, project, attempt, target }: Domain) => {
    const name = executionName({ target, attempt });
    const input = JSON.stringify({ domain, project, attempt });
    try {
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
  return {
    startVerification: (domain: Domain) => start(verifyMachineArn, domain),
    startRemoval: (domain: Domain) => start(removeMachineArn, domain),

    /** Stops the execution of the attempt before this one, if there is one. */
    async stopEarlierVerification(domain: Domain): Promise<void> {
      const executionArn = executionOf(verifyMachineArn, { ...domain, attempt: domain.attempt - 1 });
      try {
        await sfn.send(new StopExecutionCommand({ executionArn, cause: 'Another attempt has begun.' }));
      } catch (error) {
        // Whether AWS accepts to stop an execution that has ended is not documented.
        const isOver = error instanceof ExecutionDoesNotExist || error instanceof ValidationException;
        if (!isOver) throw error;
      }
    },

    /** Whether the execution of the present attempt runs, has ended, or was never started. */
    async stateOf(domain: Domain): Promise<'absent' | 'running' | 'ended'> {
      const machineArn = isBeingRemoved(domain) ? removeMachineArn : verifyMachineArn;
      try {
        const executionArn = executionOf(machineArn, domain);
        const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
        return status === 'RUNNING' || status === 'PENDING_REDRIVE' ? 'running' : 'ended';
      } catch (error) {
        if (error instanceof ExecutionDoesNotExist) return 'absent';
        throw error;
      }
    },
  };
}

function executionName(domain: Pick<Domain, 'target' | 'attempt'>): string {
  return `${claimOf(domain)}-${domain.attempt}`;
}

function executionOf(machineArn: string, domain: Domain): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${executionName(domain)}`;
}
