import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  NO_ROUTING,
  type Redirect,
  type Routing,
  RoutingRefused,
  redirectOf,
  withLive,
  withoutLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../../../shared/projects/routing.ts';

/** a, b, c and d went live in this order: a is the primary. */
const FOUR = ['a', 'b', 'c', 'd'].reduce(withLive, NO_ROUTING);
const led = (routing: Routing, from: string, to: string, status: Redirect['status'] = 301) =>
  withRedirect(routing, { from, to, status });

describe('a domain that goes live', () => {
  test('is the primary if it is the first, and serves the project beside it otherwise', () => {
    expect(FOUR).toEqual({ liveDomains: ['a', 'b', 'c', 'd'], primary: 'a', redirects: [] });
  });

  test('and is live already changes nothing', () => {
    expect(withLive(FOUR, 'c')).toEqual(FOUR);
  });
});

describe('a domain that is no longer live', () => {
  test('hands the primary to the longest live one that serves the project', () => {
    const routing = led(FOUR, 'b', 'd');
    expect(withoutLive(routing, 'a')).toEqual({
      liveDomains: ['b', 'c', 'd'],
      primary: 'c',
      redirects: [{ from: 'b', to: 'd', status: 301 }],
    });
  });

  test('takes the redirects to it and its own with it', () => {
    const routing = led(led(led(FOUR, 'b', 'a'), 'c', 'a'), 'd', 'a');
    expect(withoutLive(routing, 'b').redirects).toEqual([
      { from: 'c', to: 'a', status: 301 },
      { from: 'd', to: 'a', status: 301 },
    ]);
    expect(withoutLive(routing, 'a')).toEqual({
      liveDomains: ['b', 'c', 'd'],
      primary: 'b',
      redirects: [],
    });
  });

  test('and was the last leaves nothing', () => {
    expect(withoutLive(withLive(NO_ROUTING, 'a'), 'a')).toEqual(NO_ROUTING);
  });

  test('and never was changes nothing', () => {
    expect(withoutLive(FOUR, 'z')).toEqual(FOUR);
  });
});

describe('a redirect', () => {
  test('takes the place of the one that was there', () => {
    const routing = led(led(FOUR, 'c', 'a'), 'c', 'b', 308);
    expect(routing.redirects).toEqual([{ from: 'c', to: 'b', status: 308 }]);
    expect(redirectOf(routing, 'c')).toMatchObject({ to: 'b' });
  });

  test('that is ended leaves the others; one that is not there changes nothing', () => {
    const routing = led(led(FOUR, 'c', 'a'), 'd', 'a');
    expect(withoutRedirect(routing, 'c').redirects).toEqual([{ from: 'd', to: 'a', status: 301 }]);
    expect(withoutRedirect(routing, 'b')).toEqual(routing);
  });
});

test.each([
  ['the primary: not live', FOUR, (routing: Routing) => withPrimary(routing, 'z'), 'z is not a live domain'],
  [
    'the primary: it redirects',
    led(FOUR, 'b', 'a'),
    (routing: Routing) => withPrimary(routing, 'b'),
    'b redirects to a. End that redirect first (unredirect).',
  ],
  [
    'a redirect: to itself',
    FOUR,
    (routing: Routing) => led(routing, 'b', 'b'),
    'b cannot redirect to itself.',
  ],
  [
    'a redirect: from what is not live',
    FOUR,
    (routing: Routing) => led(routing, 'z', 'a'),
    'z is not a live domain of this project.',
  ],
  [
    'a redirect: to what is not live',
    FOUR,
    (routing: Routing) => led(routing, 'b', 'z'),
    'z is not a live domain of this project.',
  ],
  [
    'a redirect: from the primary',
    FOUR,
    (routing: Routing) => led(routing, 'a', 'b'),
    'a is the primary domain. Make another domain the primary first.',
  ],
  [
    'a redirect: a loop',
    led(FOUR, 'b', 'c'),
    (routing: Routing) => led(routing, 'c', 'b'),
    'b redirects to c already: that would be a loop.',
  ],
  [
    'a redirect: to one that redirects, with where to redirect instead',
    led(FOUR, 'b', 'a'),
    (routing: Routing) => led(routing, 'c', 'b'),
    'b redirects to a itself: redirect c to a.',
  ],
  [
    'a redirect: from one that others redirect to',
    led(FOUR, 'b', 'c'),
    (routing: Routing) => led(routing, 'c', 'a'),
    'b redirects to c, and redirects are not chained. Redirect b elsewhere first.',
  ],
] as const)('refused as %s', (_, routing, change, message) => {
  expect(() => change(routing)).toThrow(RoutingRefused);
  expect(() => change(routing)).toThrow(message);
});

/** One primary that serves, and no redirect leads to another. */
function expectRulesToHold(routing: Routing): void {
  const { liveDomains, primary, redirects } = routing;
  expect(new Set(liveDomains).size).toBe(liveDomains.length);
  if (liveDomains.length === 0) expect(routing).toEqual(NO_ROUTING);
  else expect(liveDomains).toContain(primary);
  const sources = redirects.map(({ from }) => from);
  expect(new Set(sources).size).toBe(sources.length);
  expect(sources).not.toContain(primary);
  for (const { from, to } of redirects) {
    expect(liveDomains).toContain(from);
    expect(liveDomains).toContain(to);
    expect(sources).not.toContain(to);
  }
}

// Chance alone seldom comes to several redirects, so some runs begin with them.
test.each([
  ['nothing', NO_ROUTING],
  ['two redirects to one domain', led(led(FOUR, 'b', 'a'), 'c', 'a')],
  ['redirects to two domains', led(led(FOUR, 'b', 'a'), 'c', 'd')],
])('from %s on, whatever is done, the rules hold', (_, start) => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const status = fc.constantFrom(301, 302, 307, 308);
  const operation = fc.oneof(
    name.map(domain => (routing: Routing) => withLive(routing, domain)),
    name.map(domain => (routing: Routing) => withoutLive(routing, domain)),
    name.map(domain => (routing: Routing) => withPrimary(routing, domain)),
    name.map(domain => (routing: Routing) => withoutRedirect(routing, domain)),
    fc
      .record({ from: name, to: name, status })
      .map(redirect => (routing: Routing) => withRedirect(routing, redirect as Redirect)),
  );
  fc.assert(
    fc.property(fc.array(operation, { minLength: 10, maxLength: 40 }), operations => {
      let routing = start;
      expectRulesToHold(routing);
      for (const operate of operations) {
        try {
          routing = operate(routing);
        } catch (error) {
          if (!(error instanceof RoutingRefused)) throw error;
        }
        expectRulesToHold(routing);
      }
    }),
    { numRuns: 100, seed: 1 },
  );
});
