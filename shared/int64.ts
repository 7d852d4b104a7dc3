import * as z from 'zod/mini';

export const INT64_MINIMUM = -(2n ** 63n);
export const INT64_MAXIMUM = 2n ** 63n - 1n;

/**
 * A 64-bit signed integer. It is a bigint everywhere inside the service: a JavaScript number is exact only up to
 * 2^53, and two representations of one field would meet sooner or later.
 */
export const Int64 = z
  .bigint(`must be an integer from ${INT64_MINIMUM} to ${INT64_MAXIMUM}`)
  .check(
    z.refine(
      value => value >= INT64_MINIMUM && value <= INT64_MAXIMUM,
      `must be an integer from ${INT64_MINIMUM} to ${INT64_MAXIMUM}`,
    ),
  );

/** Reads an int64 written in plain decimal digits, as it stands in a path; undefined for any other text. */
export function int64FromText(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MINIMUM && value <= INT64_MAXIMUM ? value : undefined;
}
