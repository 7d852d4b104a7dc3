import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  Choice,
  Condition,
  DefinitionBody,
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
 * Everything that may pass: a function that could not be started, a service that did not answer or has had too many
 * calls. From 2 s, doubling up to 5 min, 20 times: about an hour and a quarter.
 */
const RETRY = {
  errors: ['States.TaskFailed', 'States.Timeout'],
  interval: Duration.seconds(2),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 20,
};

/** A step that is repeated after a wait of its own choosing until it is done, then `next`; or it ends the flow. */
export function repeatedStep(
  scope: Construct,
  id: string,
  step: ServiceFunction,
  next: IChainable,
  onFailure: IChainable,
): State {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction: step.lambda,
    outputPath: '$.Payload',
    retryOnServiceExceptions: false,
  });
  task.addRetry(RETRY);
  task.addCatch(onFailure, { resultPath: JsonPath.stringAt('$.error') });
  const wait = new Wait(scope, `Wait before ${id} again`, { time: WaitTime.secondsPath('$.waitSeconds') });
  wait.next(task);
  task.next(
    new Choice(scope, `${id}: and now`)
      .when(Condition.stringEquals('$.outcome', 'waiting'), wait)
      .when(Condition.stringEquals('$.outcome', 'done'), next)
      .otherwise(new Succeed(scope, `${id}: over`)),
  );
  return task;
}

/** The end of a flow whose step could not be repaired by trying again. */
export function failureRecord(scope: Construct, id: string, recordFailure: ServiceFunction): State {
  const task = new LambdaInvoke(scope, id, {
    lambdaFunction: recordFailure.lambda,
    retryOnServiceExceptions: false,
  });
  task.addRetry(RETRY);
  return task;
}

/** A state machine of steps that all are functions of the service. */
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
