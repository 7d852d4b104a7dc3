import { Annotations, Arn, ArnFormat, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';

/**
 * Where alarms are sent, and the e-mail address that gets them. The topic has a key of its own, because CloudWatch may
 * not use the key that AWS manages for topics (alias/aws/sns), whose policy cannot be changed.
 */
export class AlarmTopic extends Construct {
  readonly action: SnsAction;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarms of ${environment.stackName}.`,
      enableKeyRotation: true,
      // Only alarms on their way are encrypted with it.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const topic = new Topic(this, 'Topic', {
      displayName: `Petstore ${environment.stage}`,
      masterKey: key,
      enforceSSL: true,
    });
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    // Without a condition: AWS documents none for the use of a key by way of a topic.
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
      }),
    );
    // A topic with a policy loses the default one, by which the services of the account may publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { ArnLike: { 'aws:SourceArn': this.#alarms() } },
      }),
    );
    this.action = new SnsAction(topic);
    const { alarmAddress } = environment;
    if (alarmAddress !== undefined) topic.addSubscription(new EmailSubscription(alarmAddress));
    const note = alarmNote(environment);
    // The cdk command prints the annotation, and the value of the output without its description.
    Annotations.of(this).addInfo(note);
    new CfnOutput(this, 'AlarmTopic', {
      value: topic.topicArn,
      description: note,
    }).overrideLogicalId('AlarmTopic');
  }

  #alarms(): string {
    return Arn.format(
      {
        service: 'cloudwatch',
        resource: 'alarm',
        resourceName: '*',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      },
      Stack.of(this),
    );
  }
}

/** Who gets alarms, and what is left to do for it. */
function alarmNote({ alarmAddress, stage }: Environment): string {
  return alarmAddress === undefined
    ? `Alarms reach nobody: set alarmAddress in ${stage}.json (infra/settings/README.md).`
    : `Alarms are sent to ${alarmAddress}, after the link in the mail from AWS has been followed.`;
}
