import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { DefinitionBody, JsonPath, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Construct } from 'constructs';
import { detailTypeOf, eventSourceOf } from '../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../shared/domains/life/domain-status.ts';
import { acknowledgeMachine } from './domain-flow.ts';

const field = (name: string) => JsonPath.stringAt(`$.detail.${name}`);
const WHAT_HAPPENED = JsonPath.stringAt("$['detail-type']");

/** From 5 s, doubling up to five minutes: 10 min 15 s + 8 × 5 min, in which SNS may refuse a mail. */
const RETRY = {
  errors: ['States.TaskFailed'],
  interval: Duration.seconds(5),
  backoffRate: 2,
  maxDelay: Duration.minutes(5),
  maxAttempts: 15,
};

/**
 * Emails the events of custom domains to an address. A rule alone could publish them to the topic, but then every email would
 * have the subject "AWS Notification Message", and quotation marks around each line.
 */
export class DomainMail extends Construct {
  constructor(scope: Construct, id: string, stage: string, address: string) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', {
      displayName: `Petstore ${stage} domains`,
      // Its policy lets roles of the account use it through SNS, and it's free.
      masterKey: Alias.fromAliasName(this, 'Key', 'alias/aws/sns'),
      enforceSSL: true,
    });
    topic.addSubscription(new EmailSubscription(address));
    new CfnOutput(this, 'DomainTopic', {
      value: topic.topicArn,
      description: `Emails go to ${address} once the link in the confirmation email from AWS has been followed.`,
    }).overrideLogicalId('DomainTopic');

    const mail = (name: string, subject: string) =>
      new CallAwsService(this, name, {
        service: 'sns',
        action: 'publish',
        iamAction: 'sns:Publish',
        iamResources: [topic.topicArn],
        parameters: { TopicArn: topic.topicArn, Subject: subject, Message: messageOf(stage) },
      });
    const named = mail(
      'Mail the event',
      JsonPath.format(`{}: {} (Petstore ${stage})`, WHAT_HAPPENED, field('domain')),
    ).addRetry({ ...RETRY, maxAttempts: 1 });
    // SNS refuses subjects of 100 characters or more, and a domain name alone may be that long.
    const unnamed = mail(
      'Mail it without the name in the subject',
      JsonPath.format(`{} (Petstore ${stage})`, WHAT_HAPPENED),
    ).addRetry(RETRY);
    const machine = new StateMachine(this, 'DomainMail', {
      definitionBody: DefinitionBody.fromChainable(
        named.addCatch(unnamed, { errors: ['States.TaskFailed'], resultPath: '$.refusal' }),
      ),
    });
    acknowledgeMachine(machine, 'It calls nothing of the service that could be traced.');
    new Rule(this, 'DomainEvent', {
      description: `Domain events are emailed to ${address}.`,
      eventPattern: { source: [eventSourceOf(stage)], detailType: EVENT_TYPES.map(detailTypeOf) },
      targets: [new SfnStateMachine(machine)],
    });
  }
}

function messageOf(stage: string): string {
  const lines = [
    '{}',
    '',
    'Domain: {}',
    'Project: {}',
    'Status: {}',
    'Since: {}',
    '',
    'All domains of the project:',
    `npx petstore domains list --project {} --stage ${stage}`,
  ];
  const values = ['message', 'domain', 'project', 'status', 'at', 'project'];
  return JsonPath.format(lines.join('\n'), ...values.map(field));
}
