import { Arn, Duration, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { detailTypeOf, eventSourceOf } from '../../shared/domains/life/domain-event.ts';
import { EVENT_TYPES } from '../../shared/domains/life/domain-status.ts';
import { PUBLISH_MINUTES, RECONCILE_MINUTES } from '../../shared/domains/life/due.ts';
import { type DomainFlow, STEP_TIMEOUT } from './domain-flow.ts';
import type { Domains } from './domains.ts';
import type { Environment } from './environments.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * What happens to domains on a schedule. Every few minutes it reconciles what a command left unreconciled, and looks at
 * domains that are ready or live: one that needs attention stays up and raises an alarm.
 */
export class DomainChecks extends Construct {
  /** Logs the state of all domains on every run. */
  readonly reconcile: ServiceFunction;

  constructor(scope: Construct, id: string, environment: Environment, domainFlow: DomainFlow) {
    super(scope, id);
    this.reconcile = new ServiceFunction(this, 'ReconcileDomains', 'domains/reconcile-domains', {
      environment,
      // A minute of looks and two of passes, each of which may take half a minute: shared/domains/pass/sweep.ts.
      timeout: Duration.minutes(4),
    });
    domainFlow.grantReconcile(this.reconcile);
    const often = Duration.minutes(RECONCILE_MINUTES);
    this.reconcile.runEvery(often, this, 'EveryFewMinutes', 'Domains are reconciled and looked at.');
    new Rule(this, 'RenewalActionRequired', {
      // Not ACM's event about approaching expiry: a 47-day certificate would be announced every day. The daily look sees
      // it.
      description: 'A certificate cannot be renewed, has expired or was revoked.',
      eventPattern: {
        source: ['aws.acm'],
        detailType: [
          'ACM Certificate Renewal Action Required',
          'ACM Certificate Expired',
          'ACM Certificate Revoked',
        ],
      },
      targets: [new LambdaFunction(this.reconcile.lambda)],
    });
  }
}

/** Every two minutes, puts the events in the outbox on the account's default event bus. */
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
        // ForAllValues also holds if the key is absent.
        Null: { [source]: 'false', [detailType]: 'false' },
      },
      'events:PutEvents',
      Arn.format({ service: 'events', resource: 'event-bus', resourceName: 'default' }, Stack.of(this)),
    );
    const often = Duration.minutes(PUBLISH_MINUTES);
    publish.runEvery(often, this, 'EveryTwoMinutes', 'Events of domains are published.');
  }
}
