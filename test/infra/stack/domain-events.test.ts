import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assetOf, FUNCTIONS } from './function-assets.ts';
import { nameOf, resourcesOf, STACKS, templateOf } from './templates.ts';

const PUBLISH = 'DomainEventsPublishEventsFunction';
const bundleOf = (name: string) => join(assetOf(name), 'index.cjs');

describe.each(STACKS)('the domain events of %s', stack => {
  const template = templateOf(stack);

  test('are published every two minutes', () => {
    const rule = resourcesOf(template, 'AWS::Events::Rule').get('DomainEventsEveryTwoMinutes')?.Properties;
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(2 minutes)', State: 'ENABLED' });
    expect(nameOf(rule?.Targets[0].Arn['Fn::GetAtt'][0])).toBe(PUBLISH);
  });
});

describe('the function that publishes events', () => {
  test('alone has the client of EventBridge', () => {
    const having = [...FUNCTIONS.keys()].filter(name =>
      readFileSync(bundleOf(name), 'utf8').includes('AWSEvents'),
    );
    expect(having).toEqual([PUBLISH]);
  });

  test('is small, because it runs every two minutes', () => {
    expect(statSync(bundleOf(PUBLISH)).size).toBeLessThan(245_000);
  });
});
