import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WhileLive } from '../../../shared/projects/project.ts';
import {
  activeRedirect,
  type DefaultUrlRole,
  type Destination,
  defaultUrlRole,
  destinationOfDefaultUrl,
  livePrimary,
  NO_ROUTING,
  type Redirect,
  type Routing,
  RoutingRefused,
  reachedPrimary,
  redirectOf,
  rolesMoved,
  suspendedRedirect,
  withArrival,
  withLive,
  withoutDomain,
  withoutLive,
  withoutRedirect,
  withPrimary,
  withRedirect,
} from '../../../shared/projects/routing.ts';

/** a, b, c and d went live in this order: a is the primary. */
const FOUR = ['a', 'b', 'c', 'd'].reduce(withLive, NO_ROUTING);

const led = (routing: Routing, from: string, to: string, status: Redirect['status'] = 301) =>
  withRedirect(routing, { from, to, status });

/** The primary is a; b and c redirect to d. */
const onlyRedirects = () => led(led(FOUR, 'b', 'd'), 'c', 'd');

describe('a domain that goes live', () => {
  test('becomes the primary if it is the first, and serves the project beside it otherwise', () => {
    expect(FOUR).toEqual({ liveDomains: ['a', 'b', 'c', 'd'], primary: 'a', redirects: [] });
  });

  test('changes nothing if it is live already', () => {
    expect(withLive(FOUR, 'c')).toEqual(FOUR);
  });
});

describe('a domain that was removed', () => {
  test('leaves the primary to the domain that has served the project the longest', () => {
    const routing = led(FOUR, 'b', 'd');
    expect(withoutDomain(routing, 'a')).toEqual({
      liveDomains: ['b', 'c', 'd'],
      primary: 'c',
      redirects: [{ from: 'b', to: 'd', status: 301 }],
    });
  });

  test('ends its own redirect and those to it', () => {
    const routing = led(led(led(FOUR, 'b', 'a'), 'c', 'a'), 'd', 'a');
    expect(withoutDomain(routing, 'b').redirects).toEqual([
      { from: 'c', to: 'a', status: 301 },
      { from: 'd', to: 'a', status: 301 },
    ]);
    expect(withoutDomain(routing, 'a')).toEqual({
      liveDomains: ['b', 'c', 'd'],
      primary: 'b',
      redirects: [],
    });
  });

  test('leaves the primary to a domain that redirected to it, if the project has none', () => {
    const noPrimary = withoutDomain(withoutLive(onlyRedirects(), 'd'), 'a');
    expect(noPrimary).toMatchObject({ liveDomains: ['b', 'c'], primary: null });
    expect(withoutDomain(noPrimary, 'd')).toEqual({
      liveDomains: ['b', 'c'],
      primary: 'b',
      redirects: [],
    });
  });

  test('leaves nothing if it was the last one', () => {
    expect(withoutDomain(withLive(NO_ROUTING, 'a'), 'a')).toEqual(NO_ROUTING);
  });

  test('changes nothing if it never had a role', () => {
    expect(withoutDomain(FOUR, 'z')).toEqual(FOUR);
  });
});

describe('a domain that is not live at the moment', () => {
  const routing = led(led(FOUR, 'b', 'a'), 'c', 'd');

  test('keeps its roles, which are not in effect', () => {
    const without = withoutLive(routing, 'a');
    expect(without).toEqual({ ...routing, liveDomains: ['b', 'c', 'd'] });
    expect(livePrimary(without)).toBeUndefined();
    expect([activeRedirect(without, 'b'), activeRedirect(without, 'c')]).toEqual([
      undefined,
      { from: 'c', to: 'd', status: 301 },
    ]);
    expect(activeRedirect(withoutLive(routing, 'c'), 'c')).toBeUndefined();
  });

  test('has them in effect again when it is live again', () => {
    const again = withLive(withoutLive(routing, 'a'), 'a');
    expect(livePrimary(again)).toBe('a');
    expect(activeRedirect(again, 'b')).toMatchObject({ to: 'a' });
  });
});

test('a primary domain whose visitors do not arrive stays the primary and live, and replaces the default URL only once they do', () => {
  const away = withArrival(FOUR, 'a', false);
  expect(away).toEqual({ ...FOUR, awayDomains: ['a'] });
  expect(withArrival(away, 'a', false)).toBe(away);
  expect([livePrimary(away), reachedPrimary(away)]).toEqual(['a', undefined]);
  expect(reachedPrimary(withPrimary(away, 'b'))).toBe('b');
  for (const back of [
    withArrival(away, 'a', true),
    withLive(away, 'a'),
    withLive(withoutLive(away, 'a'), 'a'),
  ]) {
    expect(back.awayDomains).toEqual([]);
    expect(reachedPrimary(back)).toBe('a');
  }
  expect(withoutDomain(away, 'a').awayDomains).toEqual([]);
});

test('a redirect to a domain whose visitors do not arrive is suspended until they do; that domain goes on redirecting', () => {
  const routing = led(led(FOUR, 'b', 'a'), 'c', 'd');
  const redirect = { from: 'b', to: 'a', status: 301 };
  const away = withArrival(routing, 'a', false);
  expect([activeRedirect(away, 'b'), suspendedRedirect(away, 'b')]).toEqual([undefined, redirect]);
  expect([activeRedirect(routing, 'b'), suspendedRedirect(routing, 'b')]).toEqual([redirect, undefined]);
  const ownAway = withArrival(routing, 'b', false);
  expect(activeRedirect(ownAway, 'b')).toEqual(redirect);
  const pending = withoutLive(away, 'a');
  expect([activeRedirect(pending, 'b'), suspendedRedirect(pending, 'b')]).toEqual([undefined, undefined]);
  expect(suspendedRedirect(withoutLive(away, 'b'), 'b')).toBeUndefined();
});

test.each<[WhileLive, DefaultUrlRole, Destination | undefined]>([
  ['redirect', { kind: 'redirecting', primary: 'a' }, { to: 'a', status: 308 }],
  ['closed', { kind: 'closed', primary: 'a' }, undefined],
  ['serve', { kind: 'serving' }, 'its project'],
])(
  'the default URL of a project that asks for %s, and serves while its primary is away',
  (whileLive, role, leads) => {
    const project = { ...FOUR, whileLive };
    expect([defaultUrlRole(project), destinationOfDefaultUrl(project)]).toEqual([role, leads]);
    const away = { ...withArrival(FOUR, 'a', false), whileLive };
    expect([defaultUrlRole(away), destinationOfDefaultUrl(away)]).toEqual([
      { kind: 'serving' },
      'its project',
    ]);
    const without = { ...NO_ROUTING, whileLive };
    expect([defaultUrlRole(without), destinationOfDefaultUrl(without)]).toEqual([
      { kind: 'serving' },
      undefined,
    ]);
  },
);

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

  test('makes its domain the primary when it is ended, if the project has none', () => {
    const noPrimary = withoutDomain(withoutLive(onlyRedirects(), 'd'), 'a');
    expect(withoutRedirect(noPrimary, 'c')).toEqual({
      liveDomains: ['b', 'c'],
      primary: 'c',
      redirects: [{ from: 'b', to: 'd', status: 301 }],
    });
  });
});

test.each<[what: string, change: () => Routing, reason: string, message: string]>([
  ['a primary that is not live', () => withPrimary(FOUR, 'z'), 'domain_not_live', "z isn't live"],
  [
    'a primary that redirects',
    () => withPrimary(led(FOUR, 'b', 'a'), 'b'),
    'redirects_elsewhere',
    'b redirects to a. Stop that redirect first (unredirect).',
  ],
  ['a redirect to itself', () => led(FOUR, 'b', 'b'), 'redirect_to_itself', "b can't redirect to itself."],
  [
    'a redirect from the primary',
    () => led(FOUR, 'a', 'b'),
    'is_primary',
    'a is the primary domain. Make another domain primary first.',
  ],
  [
    'a redirect that closes a loop',
    () => led(led(FOUR, 'b', 'c'), 'c', 'b'),
    'redirect_loop',
    'b already redirects to c: that would be a loop.',
  ],
  [
    'a redirect to a domain that redirects, and names the final target',
    () => led(led(FOUR, 'b', 'a'), 'c', 'b'),
    'redirects_elsewhere',
    'b itself redirects to a. Redirect c there instead.',
  ],
  [
    'a redirect from a domain that is the target of another',
    () => led(led(FOUR, 'b', 'c'), 'c', 'a'),
    'redirects_here',
    "b redirects to c, and redirects can't be chained. Redirect b elsewhere first.",
  ],
])('refuses %s', (_, change, reason, message) => {
  const refused = { name: 'RoutingRefused', reason, message: expect.stringContaining(message) };
  expect(change).toThrow(expect.objectContaining(refused));
});

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

const redirect = (from: string, to: string) => ({ from, to, status: 301 as const });
const ZOO = {
  id: 'zoo',
  liveDomains: ['zoo.com', 'www.zoo.com', 'blog.zoo.com', 'shop.zoo.com'],
  primary: 'zoo.com',
  redirects: [redirect('www.zoo.com', 'zoo.com'), redirect('blog.zoo.com', 'zoo.com')],
};
const EMPTY = { id: 'farm', ...NO_ROUTING };
const FARM = { id: 'farm', liveDomains: ['farm.com'], primary: 'farm.com', redirects: [] };

test.each([
  [
    'a pair keeps its redirect; others to it end, and another domain becomes primary',
    ['zoo.com', 'www.zoo.com'],
    [ZOO, EMPTY],
    [
      'zoo.com becomes the primary domain of project farm.',
      'www.zoo.com keeps its redirect to zoo.com.',
      'blog.zoo.com no longer redirects to zoo.com and becomes the primary domain of project zoo.',
    ],
  ],
  [
    'an apex alone ends the redirect of its www',
    ['zoo.com'],
    [{ ...ZOO, liveDomains: ZOO.liveDomains.toReversed() }, FARM],
    [
      'zoo.com serves project farm.',
      'shop.zoo.com becomes the primary domain of project zoo.',
      'blog.zoo.com no longer redirects to zoo.com and serves project zoo.',
      'www.zoo.com no longer redirects to zoo.com and serves project zoo.',
    ],
  ],
  [
    'a domain that redirects becomes the primary one of a project without domains',
    ['blog.zoo.com'],
    [ZOO, EMPTY],
    ['blog.zoo.com no longer redirects to zoo.com and becomes the primary domain of project farm.'],
  ],
  [
    'the last live domain leaves the default URL',
    ['farm.com'],
    [FARM, ZOO],
    ['farm.com serves project zoo.', 'Project farm has no live domain left: only its default URL serves it.'],
  ],
  [
    'a redirect that is pending ends, too',
    ['www.zoo.com'],
    [{ ...ZOO, liveDomains: [], primary: null, redirects: [redirect('www.zoo.com', 'zoo.com')] }, EMPTY],
    ['www.zoo.com no longer redirects to zoo.com.'],
  ],
] as const)('%s', (_, names, [from, to], sentences) => {
  const routing = (project: typeof from | typeof to) => ({
    ...project,
    liveDomains: [...project.liveDomains],
    redirects: [...project.redirects],
  });
  expect(rolesMoved(names, routing(from), routing(to))).toEqual(sentences);
});
