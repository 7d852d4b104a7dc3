import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import {
  accessLogBytes,
  alarmCost,
  costReport,
  idleCosts,
  withCosts,
} from '../../../infra/cost/cost-report.ts';
import { domainReport } from '../../../infra/cost/domain-costs.ts';
import { type Resources, readTemplate } from '../../../infra/local/template.ts';
import { templateOf } from '../stack/templates.ts';

const production = templateOf('Petstore-Production');
const templates = {
  template: readTemplate(inject('assembly'), 'Petstore-Production'),
  watched: production,
};

/** A template with a change to the resources of a type. */
function changed(type: string, change: (properties: Record<string, unknown>) => object): Resources {
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

test('an alarm on an expression counts with each of its metrics', () => {
  const metric = { Id: 'm', MetricStat: {} };
  const withThree = changed('AWS::CloudWatch::Alarm', () => ({
    Metrics: [metric, metric, { Id: 'e', Expression: 'm / m' }],
  }));
  const alarms = (template: Resources) =>
    idleCosts(template).find(({ what }) => what === 'metrics of alarms');
  const count = Object.values(production.Resources).filter(
    ({ Type }) => Type === 'AWS::CloudWatch::Alarm',
  ).length;
  expect(alarms(withThree)?.count).toBe(2 * count);
});

test('an address for alarms adds at most 18 dollars a month', () => {
  expect(alarmCost(templates)).toBeLessThanOrEqual(18);
});

test('the method that the canary calls has no metrics of its own where they are turned off', () => {
  const plain = changed('AWS::ApiGateway::Stage', properties => ({ ...properties, MethodSettings: [] }));
  expect(idleCosts(plain).filter(({ what }) => what.includes('canary calls'))).toEqual([]);
});

test('rejects a schedule and a field of the access log that it has no numbers for', () => {
  const cron = changed('AWS::Events::Rule', properties => ({
    ...properties,
    ScheduleExpression: 'cron(0 1 * * ? *)',
  }));
  expect(() => idleCosts(cron)).toThrow('The schedule cron(0 1 * * ? *)');
  const format = changed('AWS::ApiGateway::Stage', properties => ({
    ...properties,
    AccessLogSetting: { Format: '$context.path' },
  }));
  expect(() => accessLogBytes(format)).toThrow('The length of $context.path');
});
