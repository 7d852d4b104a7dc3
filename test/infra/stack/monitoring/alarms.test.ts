import { describe, expect, test } from 'vitest';
import { ofType, placeOf } from '../../../../infra/local/template.ts';
import { STACKS, templateOf } from '../templates.ts';
import {
  type AlarmState,
  alarmsOf,
  type Fed,
  metricsOf,
  periodOf,
  type Series,
  statesOf,
} from './alarm-states.ts';

describe.each(STACKS)('the alarms of %s', stack => {
  const template = templateOf(stack);
  const stage = stack.replace('Petstore-', '').toLowerCase();
  const alarms = alarmsOf(stack);
  const _severityOf = ({ AlarmDescription }: (typeof alarms)[number][1]) =>
    /^(Page|Ticket): /.exec(AlarmDescription)?.[1]?.toLowerCase();

  /** The states of an alarm after each period. */
  const states = (title: string, fed: Fed) => {
    const [, alarm] = alarms.find(([, { AlarmName }]) => AlarmName === `petstore-${stage}-${title}`) ?? [];
    if (!alarm) throw new Error(`There is no alarm ${title}.`);
    return statesOf(alarm, fed);
  };
  const publicApi = (name: string) => `AWS/ApiGateway ${name} petstore-${stage}`;
  const canary = (name: string) => `AWS/Lambda ${name} Sum MonitoringCanaryCallApiFunction`;
  const own = (name: string) => `Petstore/${stage} ${name}`;
  const requestsAndErrors = (requests: Series, errors: Series) => ({
    metrics: { [publicApi('Count SampleCount')]: requests, [publicApi('5XXError Sum')]: errors },
  });

  test('have names, descriptions and periods that CloudWatch accepts, a name each, and at most ten metrics', () => {
    expect(new Set(alarms.map(([, { AlarmName }]) => AlarmName)).size).toBe(alarms.length);
    for (const [id, alarm] of alarms) {
      expect(alarm.AlarmName, id).toMatch(/^petstore-(production|staging)-[a-z0-9-]+$/);
      expect(alarm.AlarmDescription, id).toMatch(
        /^(Page|Ticket): [A-Z].{1,900}\. Runbook: infra\/runbook\.md#[a-z0-9-]+$/,
      );
    }
    for (const [id, alarm] of alarms) {
      expect(metricsOf(alarm).length, id).toBeLessThanOrEqual(10);
      // CloudWatch looks back for a week, and for a day in periods of less than an hour.
      const period = periodOf(alarm);
      expect(period * alarm.EvaluationPeriods, id).toBeLessThanOrEqual((period < 3600 ? 1 : 7) * 86_400);
    }
  });

  test('are quiet when nothing is known, and so are all of a new stack', () => {
    for (const [id, alarm] of alarms) {
      expect(statesOf(alarm, {}, 1), id).not.toContain('ALARM');
    }
  });

  test('server errors: one request in a hundred fails, in two of three periods', () => {
    const failing = (...errors: number[]) =>
      states('public-api-server-errors', requestsAndErrors([1000, 1000, 1000], errors));
    expect(failing(10, 0, 10)).toEqual(['OK', 'OK', 'ALARM']);
    expect(failing(9, 9, 9)).toEqual(['OK', 'OK', 'OK']);
    expect(failing(0, 900, 0)).toEqual(['OK', 'OK', 'OK']);
    // A single client that gets four errors.
    const few = states('public-api-server-errors', requestsAndErrors([4, 4, 4], [4, 4, 4]));
    expect(few).not.toContain('ALARM');
    const redirects = (name: string) => `AWS/ApiGateway ${name} petstore-${stage}-redirects`;
    const metrics = { [redirects('Count SampleCount')]: [500, 500], [redirects('5XXError Sum')]: [5, 5] };
    expect(states('redirects-server-errors', { metrics })).toEqual(['OK', 'ALARM']);
  });

  test.each(['public-api-server-errors', 'public-api-outage'])(
    '%s: bodies that are too large for Lambda are not failures, however many of them are 5xx',
    title => {
      const fed = (errors: number, oversized: number | undefined) => ({
        metrics: {
          ...requestsAndErrors([100, 100], [errors, errors]).metrics,
          [own('PublicApiOversized Sum')]: [oversized, oversized],
        },
      });
      expect(states(title, fed(100, 100))).not.toContain('ALARM');
      expect(states(title, fed(100, 5))).toContain('ALARM');
      expect(states(title, fed(100, undefined))).toContain('ALARM');
    },
  );

  test('outage: all of a few requests fail, although those of the canary do not', () => {
    const fed = (requests: number, errors: number, runs: number | undefined) => ({
      metrics: { ...requestsAndErrors([requests], [errors]).metrics, [canary('Invocations')]: [runs] },
    });
    expect(states('public-api-outage', fed(9, 3, 6))).toEqual(['ALARM']);
    expect(states('public-api-outage', fed(3, 3, undefined))).toEqual(['ALARM']);
    expect(states('public-api-outage', fed(8, 2, 6))).toEqual(['OK']);
    // One client gets errors, and another one does not.
    expect(states('public-api-outage', fed(16, 8, 6))).toEqual(['OK']);
    expect(states('public-api-outage', fed(106, 89, 6))).toEqual(['OK']);
    expect(states('public-api-outage', fed(106, 90, 6))).toEqual(['ALARM']);
  });

  test('refused clients: nine requests in ten are refused for a quarter of an hour, although those of the canary are not', () => {
    const runs = 'AWS/Lambda Invocations Sum MonitoringCanaryCallApiFunction';
    const refused = (counted: number, requests: number) =>
      states('public-api-refused-clients', {
        metrics: {
          [publicApi('4XXError Sum')]: [counted, counted, counted],
          [publicApi('Count SampleCount')]: [requests, requests, requests],
          [runs]: [1, 1, 1],
        },
      });
    expect(refused(20, 21)).toEqual(['OK', 'OK', 'ALARM']);
    expect(refused(90, 101)).toEqual(['OK', 'OK', 'ALARM']);
    expect(refused(90, 102)).toEqual(['OK', 'OK', 'OK']);
    expect(refused(19, 20)).toEqual(['OK', 'OK', 'OK']);
  });

  const requests = publicApi('Count SampleCount');
  const latency = publicApi('Latency p95');
  const throttled = own('PublicApiThrottled Sum');
  const ofRedirects = `AWS/ApiGateway Count SampleCount petstore-${stage}-redirects`;
  const concurrency = 'AWS/Lambda ClaimedAccountConcurrency Maximum';

  test.each<[what: string, title: string, metrics: Record<string, number>, state: AlarmState]>([
    ['one in twenty takes two seconds', 'public-api-latency', { [requests]: 20, [latency]: 2000 }, 'ALARM'],
    ['fewer do', 'public-api-latency', { [requests]: 20, [latency]: 1999 }, 'OK'],
    ['few requests are slow', 'public-api-latency', { [requests]: 19, [latency]: 9000 }, 'OK'],
    ['one in twenty gets 429', 'throttled-requests', { [throttled]: 100, [requests]: 2000 }, 'ALARM'],
    ['fewer do', 'throttled-requests', { [throttled]: 100, [requests]: 2001 }, 'OK'],
    ['few requests get 429', 'throttled-requests', { [throttled]: 99, [requests]: 100 }, 'OK'],
    [
      'redirects get 429',
      'throttled-requests',
      { [own('RedirectsThrottled Sum')]: 100, [ofRedirects]: 100 },
      'ALARM',
    ],
    ['a domain needs attention', 'domains', { [own('DomainsNeedAttention Maximum')]: 1 }, 'ALARM'],
    ['a certificate expires', 'domains', { [own('CertificatesExpiringSoon Maximum')]: 1 }, 'ALARM'],
    ['four fifths of the quota are used', 'lambda-concurrency', { [concurrency]: 800 }, 'ALARM'],
    ['less is used', 'lambda-concurrency', { [concurrency]: 799 }, 'OK'],
  ])('in two periods %s: %s, %j, is then %s', (_, title, metrics, state) => {
    const twice = Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, [value, value]]));
    expect(states(title, { metrics: twice })).toEqual(['OK', state]);
  });

  test('canary: the API is out of reach', () => {
    const fed = (...errors: (number | undefined)[]) => ({ metrics: { [canary('Errors')]: errors } });
    expect(states('canary', fed(0, 3, 3, 0, 0))).toEqual(['OK', 'OK', 'ALARM', 'ALARM', 'OK']);
    // The next attempt succeeded.
    expect(states('canary', fed(1, 1, 1))).not.toContain('ALARM');
  });

  test('smoke test: the last one failed, until another one passes', () => {
    const fed = {
      metrics: { [own('SmokeFailures Maximum')]: [undefined, 1, undefined, undefined, 0, undefined] },
    };
    expect(states('smoke-test', fed)).toEqual(['INSUFFICIENT_DATA', 'ALARM', 'ALARM', 'ALARM', 'OK', 'OK']);
  });

  test('domains: a domain that is never verified raises one ticket, while it waits and after it failed', () => {
    const waiting = [0, 1, 1, 1, 0, 0, 0, 0, 0];
    const failed = [0, 0, 0, 0, 1, 1, 0, 0, 0];
    const metrics = {
      [own('DomainsWaitingLongerThanADay Maximum')]: waiting,
      [own('DomainsFailedWithinADay Maximum')]: failed,
    };
    const ringing = states('domains', { metrics });
    expect(ringing).toEqual(['OK', 'OK', ...Array(5).fill('ALARM'), 'OK', 'OK']);
    const others = alarms.filter(([, alarm]) =>
      metricsOf(alarm).some(({ name }) => /^(Domains|Certificates)/.test(name)),
    );
    expect(others).toHaveLength(1);
  });

  test('background errors: an event is lost after three attempts', () => {
    const fed = (errors: number) => ({ metrics: { [own('BackgroundErrors Sum')]: [errors] } });
    expect(states('background-errors', fed(3))).toEqual(['ALARM']);
    expect(states('background-errors', fed(2))).toEqual(['OK']);
  });

  test.each<[machine: string, alarm: string]>([['DomainMail', 'domain-mail-executions']])(
    'an execution of %s failed',
    (machine, alarm) => {
      const metrics = { [`AWS/States ExecutionsFailed Sum ${machine}`]: [0, 1] };
      expect(states(alarm, { metrics })).toEqual(['OK', 'ALARM']);
    },
  );

  test('undelivered events: a message is in the queue', () => {
    const queue = 'AWS/SQS ApproximateNumberOfMessagesVisible Maximum MonitoringUndeliveredEventsQueue';
    expect(states('undelivered-events', { metrics: { [queue]: [0, 1, 1, 0, 0] } })).toEqual([
      'OK',
      'ALARM',
      'ALARM',
      'ALARM',
      'OK',
    ]);
  });

  // A state machine on a schedule has an alarm of its own.
  const rules = [...ofType(template, 'AWS::Events::Rule').values()];
  const schedules = rules.filter(
    ({ Properties }) => Properties.ScheduleExpression && Properties.Targets[0].Arn['Fn::GetAtt'],
  );
  const heartbeats = alarms.filter(([, { AlarmName }]) => AlarmName.endsWith('-heartbeat'));

  /** The function whose invocations, or completed runs, a heartbeat counts. */
  const functionOf = (alarm: (typeof alarms)[number][1]) => {
    const [{ name, dimensions }] = metricsOf(alarm) as [ReturnType<typeof metricsOf>[number]];
    if (dimensions.FunctionName) return dimensions.FunctionName;
    const filters = [...ofType(template, 'AWS::Logs::MetricFilter').values()];
    const ofMetric = filters.find(
      ({ Properties }) => Properties.MetricTransformations[0].MetricName === name,
    );
    return placeOf(ofMetric?.Properties.LogGroupName).replace(/Logs$/, 'Function');
  };
  const targetsOf = ({ Properties }: (typeof rules)[number]): string[] =>
    Properties.Targets.map(({ Arn }: { Arn: unknown }) => placeOf(Arn));

  test('every scheduled function has a heartbeat; where other rules invoke it, completed runs are counted', () => {
    expect(heartbeats.map(([, alarm]) => functionOf(alarm)).toSorted()).toEqual(
      schedules.flatMap(targetsOf).toSorted(),
    );
    const targets = rules.flatMap(targetsOf);
    for (const [id, alarm] of heartbeats) {
      const isShared = targets.filter(target => target === functionOf(alarm)).length > 1;
      expect(metricsOf(alarm)[0]?.namespace, id).toBe(isShared ? `Petstore/${stage}` : 'AWS/Lambda');
    }
  });

  test.each(heartbeats)('%s: fires when runs stop, and not before the first one was due', (_, alarm) => {
    const fn = functionOf(alarm);
    const [metric] = metricsOf(alarm);
    const name =
      metric?.namespace === 'AWS/Lambda' ? `AWS/Lambda Invocations Sum ${fn}` : own(`${metric?.name} Sum`);
    const rule = schedules.find(schedule => targetsOf(schedule).includes(fn));
    const everyPeriods = rule?.Properties.ScheduleExpression === 'rate(1 day)' ? 24 : 1;
    const never: Series = Array.from({ length: alarm.EvaluationPeriods + 1 });
    const runs: Series = Array.from({ length: everyPeriods * 4 + 1 }, (_, period) =>
      period % everyPeriods === 0 ? 1 : undefined,
    );
    const stopped: Series = Array.from({ length: alarm.EvaluationPeriods });
    // A new stack: the first run comes as late as its schedule allows.
    expect(
      statesOf(alarm, { metrics: { [name]: [...never.slice(0, everyPeriods), ...runs] } }),
    ).not.toContain('ALARM');
    expect(statesOf(alarm, { metrics: { [name]: [...runs, ...stopped] } }).slice(-2)).toEqual([
      'OK',
      'ALARM',
    ]);
    // The rule never worked.
    expect(statesOf(alarm, { metrics: { [name]: never } }).at(-1)).toBe('ALARM');
    expect(alarm.EvaluationPeriods * periodOf(alarm)).toBeLessThanOrEqual(
      everyPeriods === 24 ? 26 * 3600 : 900,
    );
  });
});
