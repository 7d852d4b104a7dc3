import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { claimOf, type Domain } from '../life/domain.ts';

export type Flows = ReturnType<typeof flows>;

/** The state machine of custom domains. Executions are named after claim and attempt, so each is started only once. */
export function flows(stateMachineArn: string, sfn = controlPlaneClient(SFNClient)) {
  return {
    /** Starts the domain's current flow, unless this attempt was started before. */
    async start(claim: Domain): Promise<void> {
      const { domain, project, attempt } = claim;
      const name = `${claimOf(claim)}-${attempt}`;
      const input = JSON.stringify({ domain, project, attempt });
      try {
        await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
}
