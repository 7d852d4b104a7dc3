/** What the context object tells about an execution. */
export interface ExecutionIdentity {
  readonly arn: string;
  readonly name: string;
  readonly roleArn: string;
  readonly startMs: number;
  /** JSON text. */
  readonly input: string;
  readonly stateMachineArn: string;
  readonly stateMachineName: string;
}

/** The context object, which definitions read as $$. It has no Task and no Map, which readDefinition rejects. */
export interface ContextObject extends ReturnType<typeof executionContext> {
  readonly State: { readonly EnteredTime: string; readonly Name: string; readonly RetryCount: number };
}

/** The part of the context object that is the same in all states. */
export function executionContext(execution: ExecutionIdentity, input: unknown) {
  return {
    Execution: {
      Id: execution.arn,
      Input: input,
      Name: execution.name,
      RoleArn: execution.roleArn,
      StartTime: new Date(execution.startMs).toISOString(),
      RedriveCount: 0,
    },
    StateMachine: { Id: execution.stateMachineArn, Name: execution.stateMachineName },
  };
}
