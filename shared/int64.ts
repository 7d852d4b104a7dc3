import * as z from 'zod/mini';

export const INT64_MINIMUM = -(2n ** 63n);
export const INT64_MAXIMUM = 2n ** 63n - 1n;

/**
 * A 64-bit signed integer. It's a bigint everywhere in the service: a JavaScript number is exact only up to 2^53, and a field
 * that mixes numbers and bigints couldn't be compared.
 */
export const Int64 = z
  .bigint(`must be an integer from ${INT64_MINIMUM} to ${INT64_MAXIMUM}`)
  .check(z.refine(value => value >= INT64_MINIMUM && value <= INT64_MAXIMUM));

/** Parses an int64 in plain decimal digits, as in a path. Any other text is undefined. */
export function int64FromText(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= INT64_MINIMUM && value <= INT64_MAXIMUM ? value : undefined;
}
