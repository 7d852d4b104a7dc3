/**
 * The one kind of condition that is known here: {"DateLessThan": {"aws:CurrentTime": "2030-12-05T00:00:00Z"}}.
 * All of its operators must hold, each for one of its times.
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

/** Whether a condition holds at a time; one without operators always does. */
export function isMet(condition: CurrentTimeCondition, nowMs: number): boolean {
  return OPERATORS.every(operator => {
    const times = condition[operator]?.['aws:CurrentTime'];
    return times === undefined || times.some(timeMs => HOLDS[operator](nowMs, timeMs));
  });
}
