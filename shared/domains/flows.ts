import {
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { Attempt } from './verification.ts';

/** The state machines of a domain's life. An execution is named after the claim and the attempt, so it runs once. */
export interface Flows {
  startVerification(claim: string, attempt: Attempt): Promise<void>;
  stopVerification(claim: string, attempt: number): Promise<void>;
  startRemoval(claim: string, attempt: Attempt): Promise<void>;
}

export function flows(verifyMachineArn: string, removeMachineArn: string): Flows {
  const sfn = new SFNClient({ maxAttempts: 6 });
  const start = async (stateMachineArn: string, claim: string, attempt: Attempt) => {
    const name = `${claim}-${attempt.attempt}`;
    try {
      await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(attempt) }));
    } catch (error) {
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  };
  return {
    startVerification: (claim, attempt) => start(verifyMachineArn, claim, attempt),
    startRemoval: (claim, attempt) => start(removeMachineArn, claim, attempt),
    async stopVerification(claim, attempt) {
      const executionArn = `${verifyMachineArn.replace(':stateMachine:', ':execution:')}:${claim}-${attempt}`;
      try {
        await sfn.send(new StopExecutionCommand({ executionArn, cause: 'The domain is removed.' }));
      } catch (error) {
        if (!(error instanceof ExecutionDoesNotExist)) throw error;
      }
    },
  };
}
