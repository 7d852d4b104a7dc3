import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { claimOf, type Domain } from '../life/domain.ts';

/** The state machines of a domain's life. An execution is named after the claim and the attempt, so it runs once. */
export interface Flows {
  startVerification(domain: Domain): Promise<void>;
  /** Stops the verification that the attempt before this one had begun, if it had. */
  stopEarlierVerification(domain: Domain): Promise<void>;
  startRemoval(domain: Domain): Promise<void>;
}

export function flows(verifyMachineArn: string, removeMachineArn: string): Flows {
  const sfn = new SFNClient({ maxAttempts: 6 });
  const start = async (stateMachineArn: string, { domain, attempt, target }: Domain) => {
    const name = `${claimOf({ target })}-${attempt}`;
    const input = JSON.stringify({ domain, attempt });
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
        if (!(error instanceof ExecutionDoesNotExist)) throw error;
      }
    },
  };
}
