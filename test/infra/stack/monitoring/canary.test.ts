import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from '../templates.ts';

describe.each(STACKS)('the canary of %s', stack => {
  const template = templateOf(stack);
  const canary = resourcesOf(template, 'AWS::Lambda::Function').get(
    'MonitoringCanaryCallApiFunction',
  )?.Properties;

  test('runs every five minutes, and is stopped before the attempt after it', () => {
    const rule = resourcesOf(template, 'AWS::Events::Rule').get('MonitoringCanaryEveryFewMinutes');
    expect(rule?.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    // Lambda makes the second attempt after a minute.
    expect(canary?.Timeout).toBeLessThan(60);
  });

  test('calls the URL that clients are told, and reads its secret when it runs', () => {
    const { Outputs } = template as typeof template & {
      readonly Outputs: Record<string, { Value: unknown }>;
    };
    const { BASE_URL, CANARY_SECRET_ARN } = canary?.Environment.Variables ?? {};
    expect(BASE_URL).toEqual(Outputs.BaseUrl?.Value);
    expect(CANARY_SECRET_ARN).toEqual({ Ref: expect.stringMatching(/^MonitoringCanarySecret[0-9A-F]{8}$/) });
  });
});
