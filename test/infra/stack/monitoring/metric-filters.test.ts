import { describe, expect, test } from 'vitest';
import { ofType, stableName } from '../../../../infra/local/template.ts';
import { filterPattern } from '../../../../infra/local/testing/patterns.ts';
import { domainCounts } from '../../../../shared/domains/life/domain-counts.ts';
import { CANARY_IMPAIRED, logCompletedRun, RUN_COMPLETED } from '../../../../shared/log.ts';
import { OPERATIONS } from '../../../../shared/operations.ts';
import { loggedLines } from '../../../functions/logged-lines.ts';
import { operationFunctions, STACKS, templateOf } from '../templates.ts';
import { alarmsOf, metricsOf } from './alarm-states.ts';

const DEPRECATED = OPERATIONS.filter(({ stability }) => stability === 'deprecated');

describe.each(STACKS)('the metrics made of logs of %s', stack => {
  const template = templateOf(stack);
  const _namespace = `Petstore/${stack.replace('Petstore-', '').toLowerCase()}`;
  const filters = [...ofType(template, 'AWS::Logs::MetricFilter').values()].map(({ Properties }) => ({
    logGroup: stableName(Properties.LogGroupName.Ref),
    pattern: Properties.FilterPattern as string,
    fields: [...Properties.FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, field]) => field),
    metric: Properties.MetricTransformations[0],
  }));

  test('of the access log read fields that the access log has', () => {
    const formats = [...ofType(template, 'AWS::ApiGateway::Stage').values()].map(({ Properties }) =>
      Object.keys(JSON.parse(Properties.AccessLogSetting.Format)),
    );
    const ofAccessLogs = filters.filter(({ logGroup }) => /^(PublicApi|Redirects)AccessLogs$/.test(logGroup));
    expect(ofAccessLogs.length).toBeGreaterThan(0);
    for (const { fields } of ofAccessLogs) {
      for (const format of formats) expect(format).toEqual(expect.arrayContaining(fields));
    }
  });

  test.each<[metric: string, line: Record<string, string>, isCounted: boolean]>([
    ['PublicApiCreatedAnimals', { method: 'POST', resource: '/v1/pets', status: '201' }, true],
    ['PublicApiCreatedAnimals', { method: 'POST', resource: '/v1/pets', status: '400' }, false],
    ['PublicApiCreatedAnimals', { method: 'GET', resource: '/v1/pets', status: '200' }, false],
    ['PublicApiUnauthorized', { method: 'GET', resource: '/v1/pets', status: '401' }, true],
    ['PublicApiUnauthorized', { method: 'GET', resource: '/v1/pets', status: '429' }, false],
    ['PublicApiThrottled', { method: 'GET', resource: '/v1/pets', status: '429' }, true],
    ['PublicApiThrottled', { method: 'GET', resource: '/v1/pets', status: '401' }, false],
    ['RedirectsThrottled', { method: 'GET', resource: '/{proxy+}', status: '429' }, true],
    ['RedirectsThrottled', { method: 'GET', resource: '/{proxy+}', status: '308' }, false],
    ['PublicApiOversized', { status: '500', lambdaStatus: '413' }, true],
    ['PublicApiOversized', { status: '413', lambdaStatus: '413' }, false],
    ['PublicApiOversized', { status: '500', lambdaStatus: '200' }, false],
    ['RedirectsOversized', { status: '502', lambdaStatus: '413' }, true],
    ['RedirectsOversized', { status: '502', lambdaStatus: '200' }, false],
    ...DEPRECATED.flatMap(({ name, method, path }): [string, Record<string, string>, boolean][] => [
      [`PublicApiDeprecated-${name}`, { method, resource: `/v1${path}`, status: '404' }, true],
      [`PublicApiDeprecated-${name}`, { method, resource: '/v1/other', status: '200' }, false],
    ]),
  ])('%s: the line %j counts: %s', (name, line, isCounted) => {
    const patterns = filters.filter(({ metric }) => metric.MetricName === name);
    expect(patterns.map(({ pattern }) => filterPattern(pattern)(JSON.stringify(line)))).toEqual([isCounted]);
  });

  test('BackgroundErrors counts failed invocations of every function that neither serves a request nor is a step', () => {
    const all = filters.filter(({ metric }) => metric.MetricName === 'BackgroundErrors');
    const ofCanary = all.filter(({ logGroup }) => logGroup === 'MonitoringCanaryCallApiLogs');
    const ofErrors = all.filter(filter => !ofCanary.includes(filter));
    const impaired = filterPattern(ofCanary[0]?.pattern ?? '');
    expect([CANARY_IMPAIRED, RUN_COMPLETED].map(message => impaired(JSON.stringify({ message })))).toEqual([
      true,
      false,
    ]);
    const functions = [...ofType(template, 'AWS::Lambda::Function').keys()];
    const others = /^(DomainFlow|Docs|Setup|Redirects|ApiKeysAuthorize|MonitoringCanary)/;
    const operations = new Set(operationFunctions(template));
    expect(ofErrors.map(({ logGroup }) => logGroup.replace(/Logs$/, 'Function')).toSorted()).toEqual(
      functions.filter(name => !others.test(name) && !operations.has(name)).toSorted(),
    );
    const report = (status: string) => JSON.stringify({ type: 'platform.report', record: { status } });
    for (const { pattern } of ofErrors) {
      const counts = filterPattern(pattern);
      expect(['success', 'error', 'timeout', 'failure'].map(status => counts(report(status)))).toEqual([
        false,
        true,
        true,
        true,
      ]);
      expect(counts(JSON.stringify({ type: 'platform.start', record: {} }))).toBe(false);
    }
  });

  test('of scheduled runs match the line that a completed run logs', () => {
    const lines = loggedLines();
    logCompletedRun({ ...domainCounts([], 0) });
    const [line = {}] = lines();
    const ofRuns = filters.filter(
      ({ metric }) => metric.MetricName.endsWith('Runs') || metric.MetricValue.startsWith('$.'),
    );
    expect(ofRuns.length).toBeGreaterThan(4);
    for (const { pattern } of ofRuns) {
      const counts = filterPattern(pattern);
      expect(counts(JSON.stringify(line)), pattern).toBe(true);
      expect(counts(JSON.stringify({ ...line, message: 'other' })), pattern).toBe(false);
    }
    // A heartbeat: each line is one run.
    const runs = ofRuns.filter(({ metric }) => metric.MetricName.endsWith('Runs'));
    expect(runs.map(({ logGroup, metric }) => [logGroup, metric.MetricName, metric.MetricValue])).toEqual([
      ['ProjectsReconcileEndpointLogs', 'ReconcileEndpointRuns', '1'],
      ['DomainChecksReconcileDomainsLogs', 'ReconcileDomainsRuns', '1'],
    ]);
  });

  test('of domains are the counts that the reconcile logs', () => {
    const ofDomains = filters.filter(({ metric }) => metric.MetricValue.startsWith('$.'));
    const counts = ofDomains.map(({ metric }) => metric.MetricValue.slice(2));
    expect(counts.toSorted()).toEqual(Object.keys(domainCounts([], 0)).toSorted());
    for (const { logGroup, fields, metric } of ofDomains) {
      expect(logGroup).toBe('DomainChecksReconcileDomainsLogs');
      // CloudWatch Logs takes a value only from a field that the pattern names.
      expect(fields).toContain(metric.MetricValue.slice(2));
    }
  });

  test('are all in an alarm or on the dashboard', () => {
    const [dashboard] = ofType(template, 'AWS::CloudWatch::Dashboard').values();
    const shown = JSON.stringify(dashboard?.Properties.DashboardBody);
    const watched = alarmsOf(stack).flatMap(([, alarm]) => metricsOf(alarm).map(({ name }) => name));
    for (const { metric } of filters) {
      expect(
        watched.includes(metric.MetricName) || shown.includes(metric.MetricName),
        metric.MetricName,
      ).toBe(true);
    }
  });
});
