import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  activeRedirect,
  livePrimary,
  NO_ROUTING,
  type Redirect,
  type Routing,
  RoutingRefused,
  withLive,
  withoutDomain,
  withoutLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../../../shared/projects/routing.ts';
import { FOUR, led, onlyRedirects } from './four-domains.ts';

/**
 * The primary does not redirect, no redirect leads to a domain that redirects, and a live domain is without a primary only
 * if it redirects. What is in effect leads from live domains to live domains.
 */
function expectRulesToHold(routing: Routing): void {
  const { liveDomains, primary, redirects } = routing;
  expect(new Set(liveDomains).size).toBe(liveDomains.length);
  const sources = redirects.map(({ from }) => from);
  expect(new Set(sources).size).toBe(sources.length);
  if (primary === null) expect(sources).toEqual(expect.arrayContaining(liveDomains));
  expect(sources).not.toContain(primary);
  for (const { from, to } of redirects) {
    expect(from).not.toBe(to);
    expect(sources).not.toContain(to);
  }
  for (const from of [...liveDomains, 'z']) {
    const active = activeRedirect(routing, from);
    if (active) expect(liveDomains).toEqual(expect.arrayContaining([from, active.to]));
  }
  const served = livePrimary(routing);
  if (served !== undefined) expect(activeRedirect(routing, served)).toBeUndefined();
}

// Random operations seldom produce several redirects, so some runs start with them.
test.each([
  ['no domains', NO_ROUTING],
  ['two redirects to one domain', led(led(FOUR, 'b', 'a'), 'c', 'a')],
  ['redirects to two domains', led(led(FOUR, 'b', 'a'), 'c', 'd')],
  ['redirects to a domain that is not live', withoutLive(onlyRedirects(), 'd')],
])('the rules of Routing hold after any operations that start from %s', (_, start) => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const status = fc.constantFrom(301, 302, 307, 308);
  const operation = fc.oneof(
    name.map(domain => (routing: Routing) => withLive(routing, domain)),
    name.map(domain => (routing: Routing) => withoutLive(routing, domain)),
    name.map(domain => (routing: Routing) => withoutDomain(routing, domain)),
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
        expectRolesToSurvive(routing);
      }
    }),
    { numRuns: 100, seed: 1 },
  );
});

/** Whichever domains are not live for a while, the same is in effect when they are live again, and nothing else changes. */
function expectRolesToSurvive(routing: Routing): void {
  const { liveDomains, primary } = routing;
  if (primary === null) return;
  const returned = liveDomains.reduce(withLive, liveDomains.reduce(withoutLive, routing));
  expect(returned).toEqual(routing);
}
