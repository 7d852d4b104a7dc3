import { ofType, partsOf, placeOf, type Resources, type TemplateResource } from '../local/template.ts';
import {
  ASSUMED,
  AUTHORIZATION,
  CANARY,
  IDLE_RUN,
  MEASURED_ON,
  type MeasuredRequest,
  PRICES,
  PRICES_AS_OF,
  REQUESTS,
} from './prices.ts';

/** What the service costs, computed from the synthesized template, the measured use of a request, and list prices. */

const SECONDS_OF_DAY = 24 * 60 * 60;

/** The tables of the README: a million requests by operation, a month without requests, and a day of abuse. */
export function costReport({ template, watched }: CostedTemplates): string {
  const requests = REQUESTS.map(request => requestCost(template, request));
  const before = new Map(idleCosts(template).map(cost => [cost.what, cost]));
  const totals = [template, watched].map(idleTotal);
  return [
    `Prices of ${PRICES_AS_OF}, measured on ${MEASURED_ON}.`,
    '',
    '| A million requests | API Gateway | Lambda | DynamoDB | logs | transfer | total |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...requests.map(requestRow),
    '',
    '| A month without requests | count | | with alarms: count | |',
    '|---|--:|--:|--:|--:|',
    ...idleCosts(watched).map(
      ({ what, ...cost }) => `| ${[what, idleCells(before.get(what)), idleCells(cost)].join(' | ')} |`,
    ),
    `| **total** | | ${totals.map(total => `**${dollars(total)}**`).join(' | | ')} |`,
    `| of it for alarms | | ${dollars(0)} | | ${dollars(alarmCost({ template, watched }))} |`,
    '',
    '| A day of requests without a key, as many as the throttles admit | a second | |',
    '|---|--:|--:|',
    ...abuseRows(watched, requests),
    '',
  ].join('\n');
}

/** A stack without addresses for alarms, and with them. */
export interface CostedTemplates {
  readonly template: Resources;
  readonly watched: Resources;
}

/** What an address for alarms adds to a month: alarms, their metrics and topics, the dashboard and the canary. */
export function alarmCost({ template, watched }: CostedTemplates): number {
  return idleTotal(watched) - idleTotal(template);
}

function idleTotal(template: Resources): number {
  return sum(idleCosts(template).map(({ usd }) => usd));
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}

function idleCells({ count, usd }: Omit<IdleCost, 'what'> = { count: 0, usd: 0 }): string {
  return `${count} | ${dollars(usd)}`;
}

function requestRow({ name, gateway, lambda, tables, logs, transfer, total }: RequestCost): string {
  const cells = [gateway, lambda, tables, logs, transfer, total].map(dollars);
  return `| ${[name, ...cells].join(' | ')} |`;
}

/** The open routes, by API and end of path, and the operations whose requests cost the same. */
const OPEN_ROUTES: readonly [path: RegExp, request: string][] = [
  [/^Redirects.*\/(~1\{proxy\+\})?$/, 'a redirect'],
  [/~1setup~1/, 'the page of an owner'],
  [/~1docs$/, 'the reference page'],
  [/~1openapi\.json$/, 'the OpenAPI document'],
];

function abuseRows(template: Resources, requests: readonly RequestCost[]): string[] {
  const settings = [...ofType(template, 'AWS::ApiGateway::Stage')].flatMap(([id, { Properties }]) =>
    (Properties.MethodSettings ?? []).map((setting: { readonly ResourcePath: string }) => ({
      ...setting,
      route: `${id}${setting.ResourcePath}`,
    })),
  );
  return OPEN_ROUTES.map(([path, name]) => {
    const own = settings.filter(({ route }) => path.test(route));
    const perSecond = sum(own.map(({ ThrottlingRateLimit }) => inRegion(template, ThrottlingRateLimit)));
    const { total } = requests.find(request => request.name === name) ?? { total: Number.NaN };
    if (own.length === 0 || Number.isNaN(total)) throw new Error(`${name} has no throttle or no price.`);
    const perDay = perSecond * SECONDS_OF_DAY;
    return `| ${name} | ${perSecond} | ${dollars((perDay / MILLION) * total)} |`;
  });
}

/** A number that may depend on the region; prices are those of us-east-1. */
function inRegion({ Mappings = {} }: Resources, value: number | { 'Fn::FindInMap': string[] }): number {
  if (typeof value === 'number') return value;
  const [mapping = '', , key = ''] = value['Fn::FindInMap'];
  return Number(Mappings[mapping]?.['us-east-1']?.[key]);
}

export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

const START = '<!-- written by npm run cost -->\n';
const END = '<!-- end -->\n';

/** The document with these tables in place of the current ones. */
export function withCosts(document: string, report: string): string {
  const [before, rest = ''] = document.split(START);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined)
    throw new Error('The document has no place for the tables.');
  return `${before}${START}\n${report}\n${END}${after}`;
}

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;

type RequestCost = ReturnType<typeof requestCost>;

/** What a million requests cost, in US dollars. */
function requestCost(template: Resources, request: MeasuredRequest) {
  const authorizations = request.isAuthorized ? ASSUMED.authorizationsPerRequest : 0;
  const logBytes =
    accessLogBytes(template) + ASSUMED.logEventBytes + (1 + authorizations) * ASSUMED.invocationLogBytes;
  const transferBytes = request.responseBytes + ASSUMED.headerBytes;
  const parts = {
    gateway: PRICES.restRequests.usd,
    lambda: invocationCost(template, request) + authorizations * invocationCost(template, AUTHORIZATION),
    tables:
      request.readUnits * PRICES.readUnits.usd +
      (request.writeUnits + authorizations * AUTHORIZATION.writeUnits) * PRICES.writeUnits.usd,
    logs: loggedCost(template, logBytes * MILLION),
    transfer: ((transferBytes * MILLION) / GIGABYTE) * PRICES.dataTransferOut.usd,
  };
  return { name: request.name, ...parts, total: sum(Object.values(parts)) };
}

interface Invocation {
  readonly construct: string;
  readonly cpuMs: number;
  readonly tableCalls: number;
  readonly waitMs?: number;
}

/** A million invocations. Lambda bills every millisecond that has begun. */
function invocationCost(
  template: Resources,
  { construct, cpuMs, tableCalls, waitMs = 0 }: Invocation,
): number {
  const memoryMb = Number(functionOf(template, construct).Properties.MemorySize ?? 128);
  const cpuShare = Math.min(1, memoryMb / ASSUMED.memoryMbOfOneCpu);
  const billedMs = Math.ceil(cpuMs / cpuShare + tableCalls * ASSUMED.tableCallMs + waitMs);
  const gigabyteSeconds = (billedMs / 1000) * (memoryMb / 1024) * MILLION;
  return PRICES.lambdaRequests.usd + gigabyteSeconds * PRICES.lambdaDuration.usd;
}

/** Logs are paid for when they come, and then for each month until they expire. */
function loggedCost(template: Resources, bytes: number): number {
  const [group] = ofType(template, 'AWS::Logs::LogGroup').values();
  const months = Number(group?.Properties.RetentionInDays ?? 30) / 30;
  const storage = ASSUMED.logCompression * months * PRICES.logStorage.usd;
  return (bytes / GIGABYTE) * (PRICES.logIngestion.usd + storage);
}

/** Lengths of the values in the access log that differ from those of their variables. */
const TYPICAL_LENGTHS: Readonly<Record<string, number>> = {
  '$context.requestTime': 26,
  '$context.extendedRequestId': 16,
  '$context.domainName': 50,
  '$context.httpMethod': 4,
  '$context.resourcePath': 12,
  '$context.status': 3,
  '$context.responseLatency': 2,
  '$context.integrationLatency': 2,
  '$context.integration.requestId': 36,
  '$context.integrationStatus': 3,
  '$context.authorizer.latency': 1,
  '$context.authorizer.requestId': 1,
  '$context.responseLength': 4,
  '$context.authorizer.keyId': 28,
  '$context.authorizer.refusal': 1,
  '$context.identity.sourceIp': 13,
  '$context.error.responseType': 1,
};

/** The length of a line of the access log, by the format in the template. */
export function accessLogBytes(template: Resources): number {
  const [stage] = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage');
  const format = String(stage?.Properties.AccessLogSetting?.Format ?? '');
  const line = format.replaceAll(/\$context\.[\w.]+/g, variable => {
    const length = TYPICAL_LENGTHS[variable];
    if (length === undefined) throw new Error(`The length of ${variable} in the access log is not known.`);
    return 'x'.repeat(length);
  });
  return Buffer.byteLength(line);
}

/** What one kind of resource costs in a month without requests. */
export interface IdleCost {
  readonly what: string;
  readonly count: number;
  readonly usd: number;
}

const MINUTES_OF_MONTH = 30 * 24 * 60;

export function idleCosts(template: Resources): IdleCost[] {
  const count = (type: string) => ofType(template, type).size;
  const priced = (what: string, amount: number, { usd }: { readonly usd: number }): IdleCost => ({
    what,
    count: amount,
    usd: amount * usd,
  });
  const alarms = [...ofType(template, 'AWS::CloudWatch::Alarm').values()];
  const alarmMetrics = sum(alarms.map(metricsOf));
  const runs = scheduledRuns(template);
  return [
    priced('metrics of alarms', alarmMetrics, PRICES.alarmMetric),
    priced('dashboards', count('AWS::CloudWatch::Dashboard'), PRICES.dashboard),
    priced('custom metrics', customMetrics(template), PRICES.customMetric),
    priced('metrics of the method that the canary calls', canaryMetrics(template), PRICES.customMetric),
    priced('secrets', count('AWS::SecretsManager::Secret'), PRICES.secret),
    priced('KMS keys', count('AWS::KMS::Key'), PRICES.kmsKey),
    priced('hosted zones', count('AWS::Route53::HostedZone'), PRICES.hostedZone),
    ...(['Lambda', 'tables', 'logs', 'requests of the canary'] as const).map(part => {
      const costs = runs.map(run => run[part]).filter(usd => usd > 0);
      return { what: `scheduled runs: ${part}`, count: costs.length, usd: sum(costs) };
    }),
  ].filter(({ count: amount }) => amount > 0);
}

/** An alarm on one metric, or on an expression of several. */
function metricsOf({ Properties: { Metrics = [{ MetricStat: {} }] } }: TemplateResource): number {
  return Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat !== undefined).length;
}

/**
 * Those that metric filters make of logs, and others that alarms read. A metric that has dimensions is counted once,
 * although each value that occurs is a metric of its own.
 */
function customMetrics(template: Resources): number {
  const made = [...ofType(template, 'AWS::Logs::MetricFilter').values()].flatMap(({ Properties }) =>
    Properties.MetricTransformations.map(
      ({ MetricNamespace, MetricName }: Record<string, string>) => `${MetricNamespace} ${MetricName}`,
    ),
  );
  const read = [...ofType(template, 'AWS::CloudWatch::Alarm').values()].flatMap(({ Properties }) => {
    const { Namespace = 'AWS/', MetricName } = Properties;
    return Namespace.startsWith('AWS/') ? [] : [`${Namespace} ${MetricName}`];
  });
  return new Set([...made, ...read]).size;
}

/** API Gateway makes metrics of each method that is called: Count, 4XXError, 5XXError, Latency, IntegrationLatency. */
const METRICS_PER_METHOD = 5;

/** AWS charges for metrics by method as for custom ones. The canary makes those of a method exist without any client. */
function canaryMetrics(template: Resources): number {
  const hasMetrics = partsOf(template, 'PublicApi', 'AWS::ApiGateway::Stage').some(
    ({ Properties }) => Properties.MethodSettings?.[0]?.MetricsEnabled,
  );
  const hasCanary = ofType(template, 'AWS::Lambda::Function').has(`${CANARY.construct}Function`);
  return hasMetrics && hasCanary ? METRICS_PER_METHOD : 0;
}

/** The schedules, each with what its runs of a month cost. */
function scheduledRuns(template: Resources) {
  return [...ofType(template, 'AWS::Events::Rule')].flatMap(([id, { Properties }]) => {
    const { ScheduleExpression, Targets } = Properties;
    if (ScheduleExpression === undefined) return [];
    const runs = MINUTES_OF_MONTH / minutesOf(id, ScheduleExpression);
    return Targets.flatMap(({ Arn }: { Arn: unknown }) => {
      // The other target is a state machine, which costs next to nothing.
      const [, construct] = /^(\w+)Function$/.exec(placeOf(Arn)) ?? [];
      if (construct === undefined) return [];
      const isCanary = construct === CANARY.construct;
      const waitMs = isCanary ? CANARY.waitMs : 0;
      return {
        Lambda: (runs / MILLION) * invocationCost(template, { ...IDLE_RUN, construct, waitMs }),
        tables: ((runs * IDLE_RUN.readUnits) / MILLION) * PRICES.readUnits.usd,
        logs: loggedCost(template, runs * (IDLE_RUN.loggedBytes + ASSUMED.invocationLogBytes)),
        'requests of the canary': isCanary ? (runs / MILLION) * canaryRequestCost(template) : 0,
      };
    });
  });
}

/** A million requests of the canary. It comes so rarely that the authorizer is invoked each time. */
function canaryRequestCost(template: Resources): number {
  const [request] = REQUESTS.filter(({ name }) => name === CANARY.request);
  if (request === undefined) throw new Error(`The request ${CANARY.request} is not measured.`);
  return requestCost(template, request).total + invocationCost(template, AUTHORIZATION);
}

const MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 24 * 60 };

function minutesOf(id: string, expression: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const minutes = Number(count) * (MINUTES[unit] ?? Number.NaN);
  if (Number.isNaN(minutes)) throw new Error(`The schedule ${expression} of ${id} is not known here.`);
  return minutes;
}

/** The function of a construct, such as PetsCreatePet. */
export function functionOf(template: Resources, construct: string): TemplateResource {
  const found = ofType(template, 'AWS::Lambda::Function').get(`${construct}Function`);
  if (found === undefined) throw new Error(`The template has no function ${construct}.`);
  return found;
}
