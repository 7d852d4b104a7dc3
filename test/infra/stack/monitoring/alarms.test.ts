import { describe, expect, test } from 'vitest';
import { ofType, placeOf } from '../../../../infra/local/template.ts';
import { STACKS, templateOf } from '../templates.ts';
import {
  type AlarmState,
  alarmsOf,
  compositeState,
  type Fed,
  metricsOf,
  periodOf,
  type Series,
  statesOf,
} from './alarm-states.ts';

describe.each(STACKS)('the alarms of %s', stack => {
  const template = templateOf(stack);
  const stage = stack.replace('Petstore-', '').toLowerCase();
  const all = alarmsOf(stack);
  const alarms = all.filter(([, { AlarmRule }]) => AlarmRule === undefined);
  const _severityOf = ({ AlarmDescription }: (typeof alarms)[number][1]) =>
    /^(Page|Ticket): /.exec(AlarmDescription)?.[1]?.toLowerCase();

  /** The states of an alarm after each period. */
  const states = (title: string, fed: Fed) => {
    const [, alarm] = alarms.find(([, { AlarmName }]) => AlarmName === `petstore-${stage}-${title}`) ?? [];
    if (!alarm) throw new Error(`There is no alarm ${title}.`);
    return statesOf(template, alarm, fed);
  };
  const publicApi = (name: string) => `AWS/ApiGateway ${name} petstore-${stage}`;
  const canary = (name: string) => `AWS/Lambda ${name} Sum MonitoringCanaryCallApiFunction`;
  const own = (name: string) => `Petstore/${stage} ${name}`;
  const requestsAndErrors = (requests: Series, errors: Series) => ({
    metrics: { [publicApi('Count SampleCount')]: requests, [publicApi('5XXError Sum')]: errors },
  });

  test('have names, descriptions and periods that CloudWatch accepts, a name each, and at most ten metrics', () => {
    expect(new Set(all.map(([, { AlarmName }]) => AlarmName)).size).toBe(all.length);
    for (const [id, alarm] of all) {
      expect(alarm.AlarmName, id).toMatch(/^petstore-(production|staging)-[a-z0-9-]+$/);
      expect(alarm.AlarmDescription, id).toMatch(
        /^(Page|Ticket|Notifies nobody): [A-Z].{1,900}\. Runbook: infra\/runbook\.md#[a-z0-9-]+$/,
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
      expect(statesOf(template, alarm, { accessLog: [[]] }), id).not.toContain('ALARM');
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

  /** Lines of the access log in five minutes: keys by their numbers, each with an IP address of its own, with a status. */
  const lines = (status: string, ...keys: number[]) =>
    keys.map(number => ({
      keyId: `key_${String(number).padStart(24, '0')}`,
      keyRefusal: status === '401' ? 'expired' : '-',
      sourceIp: `2001:db8::${number}`,
      status,
    }));
  const unknown = (...keys: number[]) =>
    lines('401', ...keys).map(line => ({ ...line, keyRefusal: 'unknown' }));
  /** Without a key that is known: no route, a web ACL, or a malformed key. */
  const keyless = (status: string, ...callers: number[]) =>
    lines(status, ...callers).map(line => ({ ...line, keyId: '-', keyRefusal: '-' }));
  const fromOneAddress = (period: ReturnType<typeof lines>) =>
    period.map(line => ({ ...line, sourceIp: '192.0.2.1' }));
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => 1000 + index);
  const CANARY_KEY = 99;
  /** The states of an alarm in three periods that are alike. */
  const inThree = (title: string, period: ReturnType<typeof lines>) =>
    states(`public-api-${title}`, { accessLog: [period, period, period] });

  test.each(['401', '403', '404'])('refused clients: everybody gets %s', status => {
    const served = lines('200', CANARY_KEY);
    for (const canary of [served, lines(status, CANARY_KEY)]) {
      const period = [...lines(status, 1, 2, 3), ...canary];
      expect(inThree('refused-clients', period)).toEqual(['OK', 'OK', 'ALARM']);
    }
  });

  test.each([
    [
      'one client uses an expired key, ten thousand times',
      [...lines('401', ...Array<number>(10_000).fill(1)), ...lines('200', 2, 3)],
    ],
    ['two clients do, and nobody else is there', [...lines('401', 1, 2), ...lines('200', CANARY_KEY)]],
    [
      'all get 404 for some pets, and others',
      [...lines('404', 1, 2, 3, 4), ...lines('200', 1, 2, 3, 4, CANARY_KEY)],
    ],
    ['a fifth of the clients is served', [...lines('401', 1, 2, 3, 4), ...lines('200', 5, CANARY_KEY)]],
    ['scanners have no key', keyless('401', ...upTo(50))],
    [
      'somebody tries a thousand keys that nobody has',
      [...unknown(...upTo(1000)), ...lines('200', ...Array.from({ length: 100 }, (_, index) => index))],
    ],
    ['clients are throttled', lines('429', 1, 2, 3, 4, 5)],
  ])('refused clients: not if %s', (_, period) => {
    expect(inThree('refused-clients', period)).toEqual(['OK', 'OK', 'OK']);
  });

  test.each([
    ['keys are unknown, as when their table was replaced', unknown(...upTo(10))],
    [
      'keys are malformed',
      unknown(...upTo(10)).map(line => ({ ...line, keyId: '-', keyRefusal: 'malformed' })),
    ],
    ['a route is lost', keyless('404', ...upTo(10))],
    ['a web ACL blocks everybody but the canary', keyless('403', ...upTo(10))],
    ['the pets are gone', lines('404', ...upTo(10))],
  ])('serves nobody: %s', (_, refused) => {
    for (const period of [refused, [...refused, ...lines('200', CANARY_KEY)]]) {
      expect(inThree('serves-nobody', period)).toEqual(['OK', 'OK', 'ALARM']);
    }
  });

  test.each([
    ['one client asks for deleted pets all night', lines('404', ...Array<number>(500).fill(1))],
    [
      'an expired key comes from many addresses',
      upTo(50).map(n => ({ ...lines('401', n)[0], keyId: 'key_1' })),
    ],
    ['a scanner tries paths', fromOneAddress(keyless('404', ...upTo(1000)))],
    ['a scanner tries keys', fromOneAddress(unknown(...upTo(1000)))],
    [
      'a client is served while many scanners are not',
      [...keyless('404', ...upTo(1000)), ...lines('200', 1)],
    ],
    ['nine callers are refused', keyless('403', ...upTo(9))],
  ])('serves nobody: not if %s', (_, refused) => {
    const period = [...refused, ...lines('200', CANARY_KEY)] as ReturnType<typeof lines>;
    expect(inThree('serves-nobody', period)).toEqual(['OK', 'OK', 'OK']);
  });

  const hours = (lined: number, period: ReturnType<typeof lines>, canary = lines('200', CANARY_KEY)) =>
    Array.from({ length: 24 }, (_, hour) => [...(hour < lined ? period : []), ...canary]);
  const scanners = keyless('404', ...upTo(1000));

  test.each<[day: string, AlarmState, ...Parameters<typeof hours>]>([
    ['a client was served in three hours', 'ALARM', 3, lines('200', 1)],
    ['there are no clients', 'OK', 0, []],
    ['there are no requests at all', 'OK', 0, [], []],
    ['only smoke tests were served, by two keys each', 'OK', 2, lines('200', 1, 2)],
    ['a client was refused all day', 'OK', 24, lines('401', 1)],
  ])('lost its clients: nobody is served, and within the day %s: %s', (_, state, ...day) => {
    const [, alarm = {}] = all.find(([, { AlarmName }]) => AlarmName.endsWith('-lost-its-clients')) ?? [];
    const parts = new Map<string | undefined, AlarmState | undefined>(
      [
        ['serves-nobody', [scanners, scanners, scanners]] as const,
        ['has-no-clients', [...hours(24, lines('200', 1)), ...hours(...day)]] as const,
      ].map(([part, accessLog]) => [
        all.find(([, { AlarmName }]) => AlarmName.endsWith(`-${part}`))?.[0],
        states(`public-api-${part}`, { accessLog }).at(-1),
      ]),
    );
    const lost = (stateOf: (id: string) => AlarmState) => compositeState(alarm, stateOf);
    expect(lost(id => parts.get(id) ?? 'INSUFFICIENT_DATA')).toBe(state);
    // A new stack, and one whose clients are served.
    for (const other of ['INSUFFICIENT_DATA', 'OK'] as const) expect(lost(() => other)).toBe('OK');
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

  test.each<[machine: string, alarm: string]>([
    ['DomainMail', 'domain-mail-executions'],
    // Only production is protected against deletion.
    ...(stack === 'Petstore-Production'
      ? [['Protection', 'protection-executions'] satisfies [string, string]]
      : []),
  ])('an execution of %s failed', (machine, alarm) => {
    const metrics = { [`AWS/States ExecutionsFailed Sum ${machine}`]: [0, 1] };
    expect(states(alarm, { metrics })).toEqual(['OK', 'ALARM']);
  });

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
      statesOf(template, alarm, { metrics: { [name]: [...never.slice(0, everyPeriods), ...runs] } }),
    ).not.toContain('ALARM');
    expect(statesOf(template, alarm, { metrics: { [name]: [...runs, ...stopped] } }).slice(-2)).toEqual([
      'OK',
      'ALARM',
    ]);
    // The rule never worked.
    expect(statesOf(template, alarm, { metrics: { [name]: never } }).at(-1)).toBe('ALARM');
    expect(alarm.EvaluationPeriods * periodOf(alarm)).toBeLessThanOrEqual(
      everyPeriods === 24 ? 26 * 3600 : 900,
    );
  });
});
