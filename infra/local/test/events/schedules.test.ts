import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Resource } from '../../cloudformation/resource-type.ts';
import { ruleType } from '../../events/rules.ts';
import { Schedules } from '../../events/schedules.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const RULE_ARN = 'arn:aws:events:us-east-1:000000000000:rule/daily';

function rule(properties: Record<string, unknown>): Resource {
  const type = 'AWS::Events::Rule';
  const Targets = [{ Id: 'T', Arn: 'fn' }];
  return {
    stack: 'Zoo',
    logicalId: 'Daily',
    type,
    physicalId: 'daily',
    properties: { Targets, ...properties },
  };
}

function schedules(waitScale = 1) {
  const invoke = vi.fn(async () => ({ payload: 'null' }));
  const reports: string[] = [];
  const asynchronous = new AsynchronousInvocations(1);
  return {
    invoke,
    reports,
    schedules: new Schedules({
      waitScale,
      invoke,
      startExecution: () => {},
      asynchronous,
      report: line => reports.push(line),
    }),
  };
}

const MINUTE_MS = 60_000;

test('a rule invokes its function at the end of each period', async () => {
  const { schedules: all, invoke } = schedules();
  all.deploy([rule({ ScheduleExpression: 'rate(5 minutes)' })]);
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS - 1);
  expect(invoke).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1 + 5 * MINUTE_MS);
  expect(invoke).toHaveBeenCalledTimes(2);
  expect(invoke).toHaveBeenLastCalledWith(
    'fn',
    expect.objectContaining({
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      resources: [RULE_ARN],
    }),
    { principal: 'events.amazonaws.com', sourceArn: RULE_ARN },
  );
});

test('the period is scaled, and the function receives the Input of the target', async () => {
  const { schedules: all, invoke } = schedules(0.01);
  const Targets = [{ Id: 'T', Arn: 'fn', Input: '{"command":"recheck"}' }];
  all.deploy([rule({ ScheduleExpression: 'rate(1 day)', Targets })]);
  await vi.advanceTimersByTimeAsync(14.4 * MINUTE_MS);
  expect(invoke).toHaveBeenCalledExactlyOnceWith('fn', { command: 'recheck' }, expect.anything());
});

test('a scaled period has at least 5 s', async () => {
  const { schedules: all, invoke } = schedules(0.0001);
  all.deploy([rule({ ScheduleExpression: 'rate(1 minute)' })]);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(invoke).toHaveBeenCalledTimes(2);
});

test('a deployment does not delay an unchanged schedule; a disabled rule and stop end it', async () => {
  const { schedules: all, invoke } = schedules();
  const hourly = { ScheduleExpression: 'rate(1 hour)' };
  all.deploy([rule(hourly)]);
  await vi.advanceTimersByTimeAsync(50 * MINUTE_MS);
  all.deploy([rule({ ...hourly, Targets: [{ Id: 'T', Arn: 'other' }] })]);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(invoke).toHaveBeenCalledExactlyOnceWith('other', expect.anything(), expect.anything());
  all.deploy([rule({ ...hourly, State: 'DISABLED' })]);
  await vi.advanceTimersByTimeAsync(120 * MINUTE_MS);
  all.deploy([rule(hourly)]);
  all.stop();
  await vi.advanceTimersByTimeAsync(120 * MINUTE_MS);
  expect(invoke).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a failing function is reported and invoked again, and the rule continues', async () => {
  const { schedules: all, invoke, reports } = schedules();
  invoke.mockRejectedValueOnce(new Error('no permission'));
  all.deploy([rule({ ScheduleExpression: 'rate(1 minute)' })]);
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  expect(invoke).toHaveBeenCalledTimes(3);
  expect(reports).toEqual([`${RULE_ARN}: fn was not invoked: no permission`]);
});

test.each(['cron(0 12 * * ? *)', 'rate(5)', undefined])('the schedule %s is rejected', ScheduleExpression => {
  expect(ruleType.properties.safeParse({ ScheduleExpression }).success).toBe(false);
});
