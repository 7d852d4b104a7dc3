import type { Rules } from '../template-mutant.ts';
import { type Data, without, withValue } from '../template-mutant.ts';

/** Schedules and events that functions are invoked by. */
export const eventChanges: Rules = {
  'AWS::Events::Rule': ({ Properties }) => [
    withValue('disabled', 'DISABLED', 'Properties', 'State'),
    ...(Properties.ScheduleExpression
      ? [
          withValue('once a month', 'rate(30 days)', 'Properties', 'ScheduleExpression'),
          withValue('every minute', 'rate(1 minute)', 'Properties', 'ScheduleExpression'),
        ]
      : []),
    withValue('no target', [], 'Properties', 'Targets'),
    ...Properties.Targets.flatMap((_: Data, index: number) => [
      without(`no dead-letter queue (${index})`, 'Properties', 'Targets', index, 'DeadLetterConfig'),
    ]),
    ...Object.entries<Data>(Properties.EventPattern ?? {}).flatMap(([key, value]) => [
      without(`a condition less (${key})`, 'Properties', 'EventPattern', key),
      ...(Array.isArray(value) && value.length > 1
        ? value.map((name, index) =>
            without(`an event less (${name})`, 'Properties', 'EventPattern', key, index),
          )
        : []),
    ]),
    ...Object.keys(Properties.EventPattern?.detail ?? {}).map(key =>
      without(`a condition less (${key})`, 'Properties', 'EventPattern', 'detail', key),
    ),
  ],
};
