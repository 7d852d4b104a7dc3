import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import {
  accessLogBytes,
  alarmCost,
  costReport,
  idleCosts,
  requestCosts,
  type Template,
  withCosts,
} from '../../../infra/cost/cost-report.ts';
import { domainReport } from '../../../infra/cost/domain-costs.ts';
import { PRICES } from '../../../infra/cost/prices.ts';
import { templateOf } from '../stack/templates.ts';

const production: Template = templateOf('Petstore-Production');
const unwatched = readFileSync(join(inject('assembly'), 'Petstore-Production.template.json'), 'utf8');
const templates = { template: JSON.parse(unwatched) as Template, watched: production };

/** A template with a change to the resources of a type. */
function changed(type: string, change: (properties: Record<string, unknown>) => object): Template {
  const resources = Object.entries(production.Resources).map(([id, resource]) => [
    id,
    resource.Type === type ? { ...resource, Properties: change(resource.Properties) } : resource,
  ]);
  return { Resources: Object.fromEntries(resources) };
}

test.each([
  ['infra/cost/README.md', costReport(templates)],
  ['shared/domains/guide.md', domainReport(templates.template)],
])('%s has the tables that are computed: npm run cost writes them', (name, tables) => {
  const document = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  expect(document).toBe(withCosts(document, tables));
});

test('a request costs the sum of its parts, API Gateway most of it', () => {
  for (const { gateway, lambda, tables, logs, transfer, total } of requestCosts(production)) {
    expect(gateway + lambda + tables + logs + transfer).toBeCloseTo(total);
    expect(gateway).toBe(PRICES.restRequests.usd);
    expect(Math.min(lambda, logs, transfer)).toBeGreaterThan(0);
  }
});

test('the price follows the memory of the functions', () => {
  const doubled = changed('AWS::Lambda::Function', properties => ({ ...properties, MemorySize: 2048 }));
  const [before, after] = [requestCosts(production), requestCosts(doubled)].map(
    costs => costs[0]?.lambda ?? 0,
  );
  expect(after).toBeGreaterThan(before ?? 0);
});

test('an alarm on an expression counts with each of its metrics', () => {
  const metric = { Id: 'm', MetricStat: {} };
  const withThree = changed('AWS::CloudWatch::Alarm', () => ({
    Metrics: [metric, metric, { Id: 'e', Expression: "INSIGHT_RULE_METRIC('rule', 'Sum')" }],
  }));
  const alarms = (template: Template) => idleCosts(template).find(({ what }) => what === 'metrics of alarms');
  const count = Object.values(production.Resources).filter(
    ({ Type }) => Type === 'AWS::CloudWatch::Alarm',
  ).length;
  expect(alarms(withThree)?.count).toBe(3 * count);
});

test('alarms cost at most 18 dollars a month with what comes with an address: their metrics, rules, the dashboard, a key, a secret, the canary', () => {
  const added = alarmCost(templates);
  expect(added).toBeLessThanOrEqual(18);
  const costs = (template: Template) => new Map(idleCosts(template).map(({ what, usd }) => [what, usd]));
  const [before, after] = [costs(templates.template), costs(production)];
  for (const what of ['metrics of alarms', 'dashboards', 'custom metrics'])
    expect(before.has(what)).toBe(false);
  const dearer = [...after].filter(([what, usd]) => usd > (before.get(what) ?? 0)).map(([what]) => what);
  expect(dearer).toEqual([
    ...[
      'metrics of alarms',
      'composite alarms',
      'rules of Contributor Insights',
      'dashboards',
      'custom metrics',
    ],
    ...['metrics of the method that the canary calls', 'secrets', 'KMS keys'],
    ...['Lambda', 'tables', 'logs', 'requests of the canary'].map(part => `scheduled runs: ${part}`),
  ]);
  // Besides the 11 of the dashboard: those of smoke tests, which no filter makes, of background errors, of the scheduled
  // runs of RecheckDomains and ReconcileEndpoint, which events start, too, and of bodies too large for Lambda, of each API.
  expect(after.get('custom metrics')).toBeCloseTo(17 * PRICES.customMetric.usd);
});

test('the canary calls one method, which has metrics of its own unless they are turned off', () => {
  const metrics = (template: Template) =>
    idleCosts(template).find(({ what }) => what === 'metrics of the method that the canary calls');
  expect(metrics(production)).toMatchObject({ count: 5, usd: 5 * PRICES.customMetric.usd });
  expect(metrics(templates.template)).toBeUndefined();
  const plain = changed('AWS::ApiGateway::Stage', properties => ({ ...properties, MethodSettings: [] }));
  expect(metrics(plain)).toBeUndefined();
});

test('rejects a schedule and a field of the access log that it has no numbers for', () => {
  const cron = changed('AWS::Events::Rule', properties => ({
    ...properties,
    ScheduleExpression: 'cron(0 1 * * ? *)',
  }));
  expect(() => idleCosts(cron)).toThrow('The schedule cron(0 1 * * ? *)');
  const format = changed('AWS::ApiGateway::Stage', () => ({ AccessLogSetting: { Format: '$context.path' } }));
  expect(() => accessLogBytes(format)).toThrow('The length of $context.path');
});
