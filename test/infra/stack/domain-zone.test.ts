import { describe, expect, test } from 'vitest';
import { resourcesOf, STACKS, templateOf } from './templates.ts';

describe.each(STACKS)('the zone of the platform domain of %s', stack => {
  test('has the name that operators are told and that grants are bound to', () => {
    const template = templateOf(stack);
    const [zone] = [...resourcesOf(template, 'AWS::Route53::HostedZone').values()];
    const operator = resourcesOf(template, 'AWS::Lambda::Function').get('OperatorOperateFunction');
    expect(zone?.Properties.Name).toBe(`${operator?.Properties.Environment.Variables.PLATFORM_DOMAIN}.`);
  });
});
