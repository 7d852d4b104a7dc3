import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  JsonPath,
  type State,
  StateMachine,
  Succeed,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { acknowledgeWildcard, type ServiceFunction } from './service-function.ts';

/**
 * Retries whatever may pass: a function that could not be started, a service that did not answer or is throttling. From
 * 2 s, doubling up to 5 min, 20 times: 510 s + 12 × 300 s, about 69 minutes.
 */
const RETRY = {
  errors: ['States.TaskFailed', 'States.Timeout'],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 20,
};

/**
 * The record of a failure is retried for longer, 510 s + 34 × 300 s, about three hours: without it the flow fails and the
 * domain does not say why, and it may be the same outage that stopped the step and now keeps the table from answering.
 */
const RECORD_RETRY = { ...RETRY, maxAttempts: 42 };

/** How a flow ends when a step of it is not done. */
interface FlowEndings {
  /** The step said that the flow has failed, and has recorded why. */
  readonly failed: IChainable;
  /** Another attempt has begun, or the domain is gone. */
  readonly superseded: IChainable;
  /** The step kept failing: this records it. */
  readonly broken: IChainable;
}

/** The states of one step: the task, the question that its outcome answers, and the wait before it is repeated. */
export function repeatedStep(
  scope: Construct,
  { task: id, question }: { readonly task: string; readonly question: string },
  step: ServiceFunction,
  next: IChainable,
  { failed, superseded, broken }: FlowEndings,
): State {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction: step.lambda,
    outputPath: '$.Payload',
    retryOnServiceExceptions: false,
  });
  task.addRetry(RETRY);
  task.addCatch(broken, { resultPath: JsonPath.stringAt('$.error') });
  const wait = new Wait(scope, `Wait to ${id.charAt(0).toLowerCase()}${id.slice(1)} again`, {
    time: WaitTime.secondsPath('$.waitSeconds'),
  });
  wait.next(task);
  task.next(
    new Choice(scope, question)
      .when(Condition.stringEquals('$.outcome', 'done'), next)
      .when(Condition.stringEquals('$.outcome', 'waiting'), wait)
      .when(Condition.stringEquals('$.outcome', 'failed'), failed)
      .otherwise(superseded),
  );
  return task;
}

/** The endings of a flow such as Verification. One that failed ends in a Fail state, so AWS shows and counts it. */
export function flowEndings(scope: Construct, flow: string, recordFailure: ServiceFunction): FlowEndings {
  const failed = new Fail(scope, `${flow}Failed`, {
    stateName: 'Failed',
    error: `${flow}Failed`,
    cause: 'The record of the domain says why: petstore domains show.',
  });
  const broken = new LambdaInvoke(scope, `${flow}Broken`, {
    stateName: 'Record the failure',
    lambdaFunction: recordFailure.lambda,
    retryOnServiceExceptions: false,
  });
  broken.addRetry(RECORD_RETRY);
  broken.next(failed);
  const superseded = new Succeed(scope, `${flow}Superseded`, { stateName: 'Superseded' });
  return { failed, superseded, broken };
}

/** A state machine whose steps are functions of the service. */
export function flowMachine(
  scope: Construct,
  id: string,
  start: IChainable,
  steps: readonly ServiceFunction[],
): StateMachine {
  const machine = new StateMachine(scope, id, { definitionBody: DefinitionBody.fromChainable(start) });
  for (const { lambda } of steps) {
    const step = Stack.of(scope).getLogicalId(lambda.node.defaultChild as CfnElement);
    acknowledgeWildcard(machine, `<${step}.Arn>:*`, 'The versions of the step itself.');
  }
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions-SF1', reason: 'The history of an execution says all; nothing secret is in it.' },
    { id: 'AwsSolutions-SF2', reason: 'Every step is a function with a log of its own.' },
  );
  return machine;
}
