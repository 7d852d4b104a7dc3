import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
  ValidationException,
} from '@aws-sdk/client-sfn';
import { claimOf, type Domain } from '../life/domain.ts';

/** The state machines of custom domains. An execution is named after claim and attempt, so it is started once. */
export interface Flows {
  startVerification(domain: Domain): Promise<void>;
  /** Stops the execution of the attempt before this one, if there is one. */
  stopEarlierVerification(domain: Domain): Promise<void>;
  startRemoval(domain: Domain): Promise<void>;
}

export function flows(verifyMachineArn: string, removeMachineArn: string): Flows {
  const sfn = new SFNClient({ maxAttempts: 6 });
  const start = async (stateMachineArn: string, { domain, project, attempt, target }: Domain) => {
    const name = `${claimOf({ target })}-${attempt}`;
    const input = JSON.stringify({ domain, project, attempt });
    try {
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
  return {
    startVerification: domain => start(verifyMachineArn, domain),
    startRemoval: domain => start(removeMachineArn, domain),
    async stopEarlierVerification(domain) {
      const executions = verifyMachineArn.replace(':stateMachine:', ':execution:');
      const executionArn = `${executions}:${claimOf(domain)}-${domain.attempt - 1}`;
      try {
        await sfn.send(new StopExecutionCommand({ executionArn, cause: 'Another attempt has begun.' }));
      } catch (error) {
        // Step Functions may answer that the execution is invalid to stop, since it is over.
        const isOver = error instanceof ExecutionDoesNotExist || error instanceof ValidationException;
        if (!isOver) throw error;
      }
    },
  };
}
