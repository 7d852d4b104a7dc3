import { Construct } from 'constructs';
import type { Environment } from '../environments.ts';
import type { PublicApi } from '../public-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import { AccessLogCounter, createdAnimals, deprecatedRequests } from './access-log-metrics.ts';
import { AlarmTopic } from './alarm-topic.ts';
import { apiAlarms, concurrencyAlarm } from './api-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { domainAlarms } from './domain-alarms.ts';
import { domainMetrics } from './domain-metrics.ts';
import { machineAlarm, queueAlarm, ruleAlarms } from './event-alarms.ts';
import { functionAlarms } from './function-alarms.ts';
import { heartbeat } from './heartbeats.ts';
import { saveQueries } from './saved-queries.ts';
import { type AlarmDeclaration, addAlarm } from './service-alarm.ts';
import { StackParts } from './stack-parts.ts';
import { tableAlarms } from './table-alarms.ts';
import { UndeliveredEvents } from './undelivered-events.ts';

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
        createdAnimals(publicCounter),
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
