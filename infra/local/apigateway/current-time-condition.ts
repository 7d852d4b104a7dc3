/**
 * The only condition that the local runtime supports: {"DateLessThan": {"aws:CurrentTime": "2030-12-05T00:00:00Z"}}.
 * It is met when each of its operators is, for at least one of the operator's times.
 */
import * as z from 'zod';

const Time = z.iso.datetime({ offset: true }).transform(text => Date.parse(text));

const CurrentTime = z.strictObject({
  'aws:CurrentTime': z.union([Time.transform(time => [time]), z.array(Time).min(1)]),
});

const HOLDS = {
  DateLessThan: (nowMs: number, timeMs: number) => nowMs < timeMs,
  DateLessThanEquals: (nowMs: number, timeMs: number) => nowMs <= timeMs,
  DateGreaterThan: (nowMs: number, timeMs: number) => nowMs > timeMs,
  DateGreaterThanEquals: (nowMs: number, timeMs: number) => nowMs >= timeMs,
} as const;

const OPERATORS = Object.keys(HOLDS) as (keyof typeof HOLDS)[];

export const CurrentTimeCondition = z
  .partialRecord(z.enum(OPERATORS), CurrentTime)
  .refine(condition => Object.keys(condition).length > 0, { message: 'no operator' });
export type CurrentTimeCondition = z.infer<typeof CurrentTimeCondition>;

/** Whether a condition is met at a time. A condition without operators always is. */
export function isMet(condition: CurrentTimeCondition, nowMs: number): boolean {
  return OPERATORS.every(operator => {
    const times = condition[operator]?.['aws:CurrentTime'];
    return times === undefined || times.some(timeMs => HOLDS[operator](nowMs, timeMs));
  });
}
