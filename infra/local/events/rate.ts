export const RATE = /^rate\((\d+) (minute|hour|day)s?\)$/;

const MINUTE_MS = 60_000;
const MS_BY_UNIT: Readonly<Record<string, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/** The period of a schedule such as rate(5 minutes). */
export function rateMs(expression: string): number {
  const [, count = '', unit = ''] = RATE.exec(expression) ?? [];
  return Number(count) * (MS_BY_UNIT[unit] ?? Number.NaN);
}
