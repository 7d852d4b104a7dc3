import * as orders from '../../shared/orders/operations.ts';
import * as pets from '../../shared/pets/operations.ts';

/** The operations of the interface, as their nouns declare them. */
export const DECLARED_OPERATIONS = Object.values({ ...pets, ...orders }).filter(
  each => typeof each === 'object',
);

/** A request line of each operation: `GET /pets/1`. */
export const REQUEST_LINES = DECLARED_OPERATIONS.map(
  ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`,
);
