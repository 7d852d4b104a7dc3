import * as z from 'zod/mini';

const DEFAULT_LIMIT = 50;
const MAXIMUM_LIMIT = 500;
const RANGE = `must be 1 to ${MAXIMUM_LIMIT}`;

/** How many entries a list has at most. */
export const ListLimit = z._default(
  z.int('must be a whole number').check(z.gte(1, RANGE), z.lte(MAXIMUM_LIMIT, RANGE)),
  DEFAULT_LIMIT,
);
