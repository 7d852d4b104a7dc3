import { Arn, ArnFormat, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { AlarmAddresses, Environment } from '../environments.ts';
import type { Severity } from './service-alarm.ts';

/**
 * Where alarms are sent: a topic for each severity, and the email addresses that get them. The topics have their own key,
 * because CloudWatch may not use the AWS-managed key for topics (alias/aws/sns), whose policy can't be changed.
 */
export class AlarmTopics extends Construct {
  readonly actions: Readonly<Record<Severity, SnsAction>>;
  readonly #key: Key;

  constructor(
    scope: Construct,
    id: string,
    { stackName, stage }: Environment,
    { pages, tickets }: AlarmAddresses,
  ) {
    super(scope, id);
    this.#key = new Key(this, 'Key', {
      description: `Encrypts the alarms of ${stackName}.`,
      enableKeyRotation: true,
      // It encrypts only alarms in transit.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.#key.addToResourcePolicy(
      new PolicyStatement({
        principals: [CLOUDWATCH],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions: this.#fromAlarms(),
      }),
    );
    this.actions = {
      page: this.#topic('Topic', 'AlarmTopic', `Petstore ${stage} page`, pages),
      ticket: this.#topic('Tickets', 'TicketTopic', `Petstore ${stage} ticket`, tickets),
    };
  }

  #topic(id: string, output: string, displayName: string, address: string): SnsAction {
    const topic = new Topic(this, id, { displayName, masterKey: this.#key, enforceSSL: true });
    // A policy of our own replaces the default one, which lets the account's services publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [CLOUDWATCH],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: this.#fromAlarms(),
      }),
    );
    topic.addSubscription(new EmailSubscription(address));
    new CfnOutput(this, output, {
      value: topic.topicArn,
      description: `Emails go to ${address} once the link in the confirmation email from AWS has been followed.`,
    }).overrideLogicalId(output);
    return new SnsAction(topic);
  }

  #fromAlarms() {
    const stack = Stack.of(this);
    const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
    const alarms = { service: 'cloudwatch', resource: 'alarm', resourceName: '*', arnFormat };
    return {
      ArnLike: { 'aws:SourceArn': Arn.format(alarms, stack) },
      StringEquals: { 'aws:SourceAccount': stack.account },
    };
  }
}

const CLOUDWATCH = new ServicePrincipal('cloudwatch.amazonaws.com');
