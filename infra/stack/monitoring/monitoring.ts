import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnRule, Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Route } from '../../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../../shared/operations.ts';
import { createPet } from '../../../shared/pets/operations.ts';
import type { Environment } from '../environments.ts';
import type { PublicApi } from '../public-api.ts';
import type { ServiceApi } from '../service-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { addDashboard, saveQueries } from './dashboard.ts';
import { domainAlarms, domainMetrics } from './domain-alarms.ts';
import { functionAlarms, heartbeat } from './function-alarms.ts';
import {
  apiAlarms,
  concurrencyAlarm,
  machineAlarm,
  queueAlarm,
  ruleAlarms,
  tableAlarms,
} from './resource-alarms.ts';
import { type AlarmDeclaration, addAlarm } from './service-alarm.ts';
import { StackParts } from './stack-parts.ts';

interface MonitoringParts {
  readonly publicApi: PublicApi;
  /** The function that logs how all domains are. */
  readonly reconcileDomains: ServiceFunction;
}

/**
 * Alarms for when the service is not well, a dashboard and queries that show why. To be created last: it watches what is
 * in the stack by then.
 */
export class Monitoring extends Construct {
  constructor(
    scope: Construct,
    id: string,
    environment: Environment,
    { publicApi, reconcileDomains }: MonitoringParts,
  ) {
    super(scope, id);
    const { stage } = environment;
    const namespace = `Petstore/${stage}`;
    const parts = new StackParts(this);
    new UndeliveredEvents(this, 'UndeliveredEvents', parts.rules);
    const counters = parts.apis.map(api => ({ api, counter: new AccessLogCounter(this, namespace, api) }));
    const throttled = counters.map(({ api, counter }) => ({ api, metric: counter.status('Throttled', 429) }));
    const domains = domainMetrics(this, namespace, reconcileDomains.logGroup);

    const declarations: AlarmDeclaration[] = [
      ...throttled.flatMap(({ api, metric }) => apiAlarms(api, metric)),
      concurrencyAlarm(environment.concurrencyQuota),
      ...functionAlarms(parts),
      ...parts.machines.map(machineAlarm),
      ...parts.tables.flatMap(tableAlarms),
      ...ruleAlarms(parts.rules),
      ...parts.queues().map(queueAlarm),
      ...domainAlarms(domains),
      ...parts.scheduled().map(scheduled => heartbeat(this, namespace, scheduled)),
    ];
    const topic = new AlarmTopic(this, 'Alarms', environment);
    const alarms = declarations.map(declaration => addAlarm(topic, stage, topic.action, declaration));

    const { api } = publicApi;
    const publicCounter = new AccessLogCounter(this, namespace, api);
    addDashboard(this, {
      stage,
      parts,
      alarms,
      publicApi: api,
      counts: [
        createdPets(publicCounter),
        publicCounter.status('Unauthorized', 401),
        ...throttled.map(({ metric }) => metric),
        ...deprecatedRequests(publicCounter),
      ],
      domains,
    });
    saveQueries(this, stage, {
      accessLogs: parts.apis.map(({ accessLogs }) => accessLogs),
      functions: parts.functions,
    });
  }
}

/** Counts the lines of an API's access log that match, at no cost per request. Other lines count zero. */
export class AccessLogCounter {
  readonly #scope: Construct;
  readonly #namespace: string;
  readonly #api: ServiceApi;
  readonly #prefix: string;

  constructor(scope: Construct, namespace: string, api: ServiceApi) {
    this.#scope = scope;
    this.#namespace = namespace;
    this.#api = api;
    this.#prefix = api.node.scope?.node.id ?? '';
  }

  /** Responses with a status, such as 429. */
  status(metric: string, status: number): Metric {
    return this.#count(metric, FilterPattern.stringValue('$.status', '=', String(status)));
  }

  /** Requests of an operation, or its responses with a status. */
  operation(metric: string, { method, path }: Route, status?: number): Metric {
    const isMethod = FilterPattern.stringValue('$.method', '=', method);
    const isHead = FilterPattern.stringValue('$.method', '=', 'HEAD');
    return this.#count(
      metric,
      FilterPattern.all(
        // A client that asks by HEAD uses the operation, too.
        method === 'GET' ? FilterPattern.any(isMethod, isHead) : isMethod,
        FilterPattern.stringValue('$.resource', '=', `/v1${path}`),
        ...(status === undefined ? [] : [FilterPattern.stringValue('$.status', '=', String(status))]),
      ),
    );
  }

  #count(metric: string, filterPattern: IFilterPattern): Metric {
    const metricName = `${this.#prefix}${metric}`;
    const filter = new MetricFilter(this.#scope, metricName, {
      logGroup: this.#api.accessLogs,
      filterPattern,
      metricNamespace: this.#namespace,
      metricName,
      metricValue: '1',
      defaultValue: 0,
    });
    return filter.metric({ statistic: 'sum', label: metric });
  }
}

/** Responses 201 of createPet. Those that repeat an earlier response, by its Idempotency-Key, count too. */
export function createdPets(counter: AccessLogCounter): Metric {
  return counter.operation('CreatedAnimals', createPet, 201);
}

/** The requests of each deprecated operation. */
export function deprecatedRequests(counter: AccessLogCounter): Metric[] {
  const deprecated = OPERATIONS.filter(({ stability }) => stability === 'deprecated');
  return deprecated.map(operation => counter.operation(`Deprecated-${operation.name}`, operation));
}

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
