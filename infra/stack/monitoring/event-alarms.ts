import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { type AlarmDeclaration, FIVE_MINUTES, ONCE, ONE_HOUR, splitByLimit, sumOf } from './service-alarm.ts';
import { titleOf } from './titles.ts';

/** The machines whose executions the service stops itself: a removal stops the verification of its domain. */
const STOPPED_BY_THE_SERVICE = ['Verify'];

/** So many removals of domains that are being verified within an hour are no coincidence. */
const MANY_ABORTED = 10;

/** Executions of a machine that fail, time out or are aborted. A step was retried for an hour before its flow fails. */
export function machineAlarm(machine: StateMachine): AlarmDeclaration {
  const leastAborted = STOPPED_BY_THE_SERVICE.includes(machine.node.id) ? MANY_ABORTED : 1;
  const options = { period: ONE_HOUR };
  return {
    title: `${titleOf(machine)} executions`,
    description: `An execution of the state machine ${machine.node.id} failed or timed out, or at least ${leastAborted} within an hour were aborted.`,
    metric: new MathExpression({
      expression: `SUM([FILL(failed, 0), FILL(timedOut, 0), IF(FILL(aborted, 0) >= ${leastAborted}, FILL(aborted, 0), 0)])`,
      usingMetrics: {
        failed: machine.metricFailed(options),
        timedOut: machine.metricTimedOut(options),
        aborted: machine.metricAborted(options),
      },
      label: 'executions that did not succeed',
      ...options,
    }),
    threshold: 1,
    periods: ONCE,
  };
}

/** Events that EventBridge could not deliver. */
export function ruleAlarms(rules: readonly Rule[]): AlarmDeclaration[] {
  return splitByLimit('Failed deliveries', rules, (title, some) => ({
    title,
    description:
      'EventBridge could not invoke the target of a rule. The graph of the alarm has one line for each rule.',
    metric: sumOf(
      some.map(
        ({ ruleName: RuleName, node }) =>
          new Metric({
            namespace: 'AWS/Events',
            metricName: 'FailedInvocations',
            dimensionsMap: { RuleName },
            statistic: 'sum',
            period: FIVE_MINUTES,
            label: node.path.split('/').slice(1).join(' '),
          }),
      ),
      FIVE_MINUTES,
      'failed deliveries',
    ),
    threshold: 1,
    periods: ONCE,
  }));
}

export function queueAlarm(queue: Queue): AlarmDeclaration {
  return {
    title: titleOf(queue),
    description: 'Messages are in the dead-letter queue: events that no function has received.',
    metric: queue.metricApproximateNumberOfMessagesVisible({ period: FIVE_MINUTES, statistic: 'max' }),
    threshold: 1,
    periods: ONCE,
  };
}
