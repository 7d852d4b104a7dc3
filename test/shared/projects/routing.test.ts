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
  test('becomes the primary if it is the first, and serves the project beside it otherwise', () => {
    expect(FOUR).toEqual({ liveDomains: ['a', 'b', 'c', 'd'], primary: 'a', redirects: [] });
  });

  test('changes nothing if it is live already', () => {
    expect(withLive(FOUR, 'c')).toEqual(FOUR);
  });
});

describe('a domain that is no longer live', () => {
  test('leaves the primary to the domain that has served the project the longest', () => {
    const routing = led(FOUR, 'b', 'd');
    expect(withoutLive(routing, 'a')).toEqual({
      liveDomains: ['b', 'c', 'd'],
      primary: 'c',
      redirects: [{ from: 'b', to: 'd', status: 301 }],
    });
  });

  test('ends its own redirect and those to it', () => {
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

  test('leaves nothing if it was the last one', () => {
    expect(withoutLive(withLive(NO_ROUTING, 'a'), 'a')).toEqual(NO_ROUTING);
  });

  test('changes nothing if it never was live', () => {
    expect(withoutLive(FOUR, 'z')).toEqual(FOUR);
  });
});

describe('a redirect', () => {
  test('replaces the earlier redirect of the same domain', () => {
    const routing = led(led(FOUR, 'c', 'a'), 'c', 'b', 308);
    expect(routing.redirects).toEqual([{ from: 'c', to: 'b', status: 308 }]);
    expect(redirectOf(routing, 'c')).toMatchObject({ to: 'b' });
  });

  test('is ended without the others; ending one that is not there changes nothing', () => {
    const routing = led(led(FOUR, 'c', 'a'), 'd', 'a');
    expect(withoutRedirect(routing, 'c').redirects).toEqual([{ from: 'd', to: 'a', status: 301 }]);
    expect(withoutRedirect(routing, 'b')).toEqual(routing);
  });
});

test.each([
  [
    'a primary that is not live',
    FOUR,
    (routing: Routing) => withPrimary(routing, 'z'),
    'domain_not_live',
    'z is not a live domain',
  ],
  [
    'a primary that redirects',
    led(FOUR, 'b', 'a'),
    (routing: Routing) => withPrimary(routing, 'b'),
    'redirects_elsewhere',
    'b redirects to a. End that redirect first (unredirect).',
  ],
  [
    'a redirect to itself',
    FOUR,
    (routing: Routing) => led(routing, 'b', 'b'),
    'redirect_to_itself',
    'b cannot redirect to itself.',
  ],
  [
    'a redirect from a domain that is not live',
    FOUR,
    (routing: Routing) => led(routing, 'z', 'a'),
    'domain_not_live',
    'z is not a live domain of this project.',
  ],
  [
    'a redirect to a domain that is not live',
    FOUR,
    (routing: Routing) => led(routing, 'b', 'z'),
    'domain_not_live',
    'z is not a live domain of this project.',
  ],
  [
    'a redirect from the primary',
    FOUR,
    (routing: Routing) => led(routing, 'a', 'b'),
    'is_primary',
    'a is the primary domain. Make another domain the primary first.',
  ],
  [
    'a redirect that closes a loop',
    led(FOUR, 'b', 'c'),
    (routing: Routing) => led(routing, 'c', 'b'),
    'redirect_loop',
    'b redirects to c already: that would be a loop.',
  ],
  [
    'a redirect to a domain that redirects, and names the final target',
    led(FOUR, 'b', 'a'),
    (routing: Routing) => led(routing, 'c', 'b'),
    'redirects_elsewhere',
    'b redirects to a itself: redirect c to a.',
  ],
  [
    'a redirect from a domain that is the target of another',
    led(FOUR, 'b', 'c'),
    (routing: Routing) => led(routing, 'c', 'a'),
    'redirects_here',
    'b redirects to c, and redirects are not chained. Redirect b elsewhere first.',
  ],
] as const)('refuses %s', (_, routing, change, reason, message) => {
  expect(() => change(routing)).toThrow(RoutingRefused);
  expect(() => change(routing)).toThrow(message);
  expect(() => change(routing)).toThrow(expect.objectContaining({ reason }));
});

/** There is one primary, it serves the project, and no redirect leads to a domain that redirects. */
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

// Random operations seldom produce several redirects, so some runs start with them.
test.each([
  ['no domains', NO_ROUTING],
  ['two redirects to one domain', led(led(FOUR, 'b', 'a'), 'c', 'a')],
  ['redirects to two domains', led(led(FOUR, 'b', 'a'), 'c', 'd')],
])('the rules of Routing hold after any operations that start from %s', (_, start) => {
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
