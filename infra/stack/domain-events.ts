import { Arn, Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { detailTypeOf, eventSourceOf } from '../../shared/domains/events/domain-event.ts';
import { PUBLISH_MINUTES } from '../../shared/domains/events/publisher.ts';
import { EVENT_TYPES } from '../../shared/domains/life/domain-status.ts';
import { STEP_TIMEOUT } from './domain-flow.ts';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import { ServiceFunction } from './service-function.ts';

/** The events of custom domains: every two minutes those in the outbox are put on the default event bus of the account. */
export class DomainEvents extends Construct {
  constructor(scope: Construct, id: string, environment: Environment, domains: Domains) {
    super(scope, id);
    const publish = new ServiceFunction(this, 'PublishEvents', 'domains/publish-events', {
      environment,
      timeout: STEP_TIMEOUT,
    })
      .grantTable(domains.table, 'DOMAINS_TABLE', ['Query', 'DeleteItem'])
      .withVariable('ENVIRONMENT', environment.stage);
    const [source, detailType] = ['events:source', 'events:detail-type'];
    publish.allowIf(
      {
        'ForAllValues:StringEquals': {
          [source]: [eventSourceOf(environment.stage)],
          [detailType]: EVENT_TYPES.map(detailTypeOf),
        },
        // Without the key ForAllValues would be met.
        Null: { [source]: 'false', [detailType]: 'false' },
      },
      'events:PutEvents',
      Arn.format({ service: 'events', resource: 'event-bus', resourceName: 'default' }, Stack.of(this)),
    );
    new Rule(this, 'EveryTwoMinutes', {
      description: 'Events of domains are published.',
      schedule: Schedule.rate(Duration.minutes(PUBLISH_MINUTES)),
      targets: [new LambdaFunction(publish.lambda)],
    });
  }
}
