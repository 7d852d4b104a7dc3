/** The rules of a Pet's fields that a validation library does not express. */
export const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;

export const SAYS = {
  limit: 'must be an integer from 1 to 100',
  status: 'must be one of available, pending, sold',
  name: 'must be a string',
  nameLength: 'must have 1 to 255 characters, at least one of them not white space',
  nameCharacters: 'must not hold control characters, lone surrogates or U+FFFD',
  int64: `must be an integer from ${INT64_MINIMUM} to ${INT64_MAXIMUM}`,
  object: 'must be a JSON object',
  repeated: 'must be given once',
} as const;

export const LIMIT = /^([1-9]\d?|100)$/;

export function isInt64(value: bigint): boolean {
  return value >= INT64_MINIMUM && value <= INT64_MAXIMUM;
}

export function hasSaneLength(name: string): boolean {
  return name.trim() !== '' && [...name].length <= 255;
}

export function hasSaneCharacters(name: string): boolean {
  return name.isWellFormed() && !/[\p{Cc}\ufffd]/u.test(name);
}

/** Reads an int64 in plain decimal digits, as in a path; undefined for anything else. */
export function petIdFrom(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const petId = BigInt(text);
  return isInt64(petId) ? petId : undefined;
}
