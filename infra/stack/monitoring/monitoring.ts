import { Annotations, Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { AlarmAddresses, Environment } from '../environments.ts';
import type { ServiceFunction } from '../service-function.ts';
import { AlarmTopics } from './alarm-topics.ts';
import { alarmDeclarations } from './alarms.ts';
import { Canary, type CanaryParts } from './canary.ts';
import { addDashboard, saveQueries } from './dashboard.ts';
import {
  AccessLogCounter,
  backgroundErrors,
  createdPets,
  deprecatedRequests,
  domainMetrics,
} from './log-metrics.ts';
import { addAlarm } from './service-alarm.ts';
import { StackParts } from './stack-parts.ts';

interface MonitoringParts extends CanaryParts {
  /** The function that logs the state of all domains. */
  readonly reconcileDomains: ServiceFunction;
}

/**
 * Saved queries and, if somebody gets alarms, the alarms, a dashboard and their metrics, which cost money even while nobody
 * looks. Create it last: it watches what is in the stack by then.
 */
export class Monitoring extends Construct {
  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { reconcileDomains, ...canaryParts }: MonitoringParts,
  ) {
    super(scope, id);
    const { stage, alarms: addresses } = environment;
    const namespace = `Petstore/${stage}`;
    const canary = addresses && new Canary(this, 'Canary', environment, canaryParts);
    const parts = new StackParts(this);
    const undelivered = new UndeliveredEvents(this, 'UndeliveredEvents', parts.rules);
    saveQueries(this, stage, parts);
    // The cdk command prints it.
    Annotations.of(this).addInfo(alarmNote(environment));
    if (!addresses || !canary) return;

    const { api } = canaryParts.publicApi;
    const apis = parts.apis.map(each => {
      const counter = new AccessLogCounter(this, namespace, each);
      return { api: each, counter, throttled: counter.status('Throttled', 429) };
    });
    const domains = domainMetrics(this, namespace, reconcileDomains.logGroup);
    const watched = {
      stage,
      namespace,
      publicApi: api,
      apis: apis.map(each => ({ ...each, oversized: each.counter.oversized('Oversized') })),
      canary: canary.callApi,
      backgroundErrors: backgroundErrors(this, namespace, backgroundFunctions(parts, canary), canary.callApi),
      domains,
      // The domain flow records its failure in the domain.
      machines: parts.machines.filter(({ node }) => node.scope?.node.id !== 'DomainFlow'),
      undelivered: undelivered.queue,
      concurrencyQuota: environment.concurrencyQuota,
      scheduled: parts.scheduled(),
    };
    const topics = new AlarmTopics(this, 'Alarms', environment, addresses);
    const alarms = alarmDeclarations(topics, watched).map(alarm =>
      addAlarm(topics, stage, topics.actions, alarm),
    );
    addBudget(this, addresses);

    const counter = apis.find(each => each.api === api)?.counter;
    addDashboard(this, {
      stage,
      parts,
      alarms,
      publicApi: api,
      counts: [
        ...(counter ? [createdPets(counter), counter.status('Unauthorized', 401)] : []),
        ...apis.map(({ throttled }) => throttled),
        ...(counter ? deprecatedRequests(counter) : []),
      ],
      domains,
    });
  }
}

/**
 * Functions whose failure neither a client nor a domain's status shows: scheduled ones, event handlers, and the operator's.
 */
function backgroundFunctions(parts: StackParts, canary: Canary): ServiceFunction[] {
  const others = [canary.callApi, ...parts.steps(), ...parts.apis.flatMap(api => parts.behind(api))];
  return parts.functions.filter(fn => !others.includes(fn));
}

/** Who gets alarms, and what's left to do for that. */
function alarmNote({ alarms, stage }: Environment): string {
  if (!alarms)
    return `There are no alarms and no dashboard: set alarmAddress in ${stage}.json (infra/settings/README.md).`;
  const { pages, tickets } = alarms;
  const receivers = [...new Set([pages, tickets])].join(' and ');
  return `Alarms are sent to ${receivers}, once the link in the confirmation email from AWS has been followed.`;
}

/**
 * The whole account's spending: a budget by the stack's tags would stay silent until somebody activates them for billing. AWS
 * Budgets sends its own emails, without a subscription.
 */
function addBudget(scope: Construct, { tickets, monthlyBudget }: AlarmAddresses): void {
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'EMAIL', address: tickets }];
  const whenAbove = (notificationType: 'ACTUAL' | 'FORECASTED') => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold: 100,
      thresholdType: 'PERCENTAGE',
    },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      // Unnamed: a change of address replaces the budget, and the new one couldn't have the old one's name.
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
    },
    notificationsWithSubscribers: [whenAbove('ACTUAL'), whenAbove('FORECASTED')],
  });
}

/**
 * The dead-letter queue of all rules, for events that EventBridge couldn't deliver to a target within a day. An event that
 * was delivered but whose function fails isn't there: Lambda retries it twice, and each failure counts as an error.
 */
export class UndeliveredEvents extends Construct {
  readonly queue: Queue;

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
    this.queue = queue;
    for (const rule of rules) {
      const resource = rule.node.defaultChild as CfnRule;
      const targets: unknown[] = Stack.of(this).resolve(resource.targets) ?? [];
      for (const index of targets.keys()) {
        resource.addPropertyOverride(`Targets.${index}.DeadLetterConfig.Arn`, queue.queueArn);
      }
    }
  }
}
