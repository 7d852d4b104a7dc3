import {
  NO_ROUTING,
  type Redirect,
  type Routing,
  withLive,
  withRedirect,
} from '../../../shared/projects/routing.ts';

/** a, b, c and d went live in this order: a is the primary. */
export const FOUR = ['a', 'b', 'c', 'd'].reduce(withLive, NO_ROUTING);

export const led = (routing: Routing, from: string, to: string, status: Redirect['status'] = 301) =>
  withRedirect(routing, { from, to, status });

/** The primary is a; b and c redirect to d. */
export const onlyRedirects = () => led(led(FOUR, 'b', 'd'), 'c', 'd');
