import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/**
 * The dead-letter queue of all rules: EventBridge puts events there that it could not deliver to a target within a day.
 * An event whose function then fails is not among them: Lambda retries it twice and drops it, which has an alarm too.
 */
export class UndeliveredEvents extends Construct {
  constructor(scope: Construct, id: string, rules: readonly Rule[]) {
    super(scope, id);
    const queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of the rules of EventBridge.',
    });
    queue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rules.map(({ ruleArn }) => ruleArn) } },
      }),
    );
    for (const rule of rules) {
      const resource = rule.node.defaultChild as CfnRule;
      const targets: unknown[] = Stack.of(this).resolve(resource.targets) ?? [];
      for (const index of targets.keys()) {
        resource.addPropertyOverride(`Targets.${index}.DeadLetterConfig.Arn`, queue.queueArn);
      }
    }
  }
}
