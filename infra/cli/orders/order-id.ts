import { usageError } from '../framework/command-error.ts';

export const ORDER_ID_EXAMPLE = '482961476313088';

/** Reads the id of an order or an animal. Ids stay below 2^53, so a number holds them exactly. */
export function readOrderId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(id)) return id;
  const range = `from 1 to ${Number.MAX_SAFE_INTEGER}`;
  throw usageError(`An id is a whole number ${range}, such as ${ORDER_ID_EXAMPLE}, not "${text}".`);
}
