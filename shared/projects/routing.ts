import * as z from 'zod/mini';

export const REDIRECT_STATUSES = [301, 302, 307, 308] as const;
export const RedirectStatus = z.literal(REDIRECT_STATUSES, 'must be one of 301, 302, 307, 308');

const Redirect = z.object({ from: z.string(), to: z.string(), status: RedirectStatus });
export type Redirect = z.infer<typeof Redirect>;

/**
 * Which domain does what for a project. The live domains stand in the order in which they went live. While there is one,
 * exactly one of them is the primary, and it serves the project. A redirect leads from a live domain to one that serves
 * the project, so there are neither loops nor chains.
 */
export const Routing = z.object({
  liveDomains: z.array(z.string()),
  primary: z.nullable(z.string()),
  redirects: z.array(Redirect),
});
export type Routing = z.infer<typeof Routing>;

export const NO_ROUTING: Routing = { liveDomains: [], primary: null, redirects: [] };

/** A change that would break the rules of Routing; the message says which, and the advice. */
export class RoutingRefused extends Error {
  override readonly name = 'RoutingRefused';
}

/** A domain has gone live. The first one is the primary. */
export function withLive(routing: Routing, domain: string): Routing {
  if (routing.liveDomains.includes(domain)) return routing;
  const liveDomains = [...routing.liveDomains, domain];
  return { ...routing, liveDomains, primary: routing.primary ?? domain };
}

/**
 * A domain is no longer live. Those that redirected to it serve the project themselves again, and the next domain that
 * serves the project takes over as the primary, the longest live first.
 */
export function withoutLive({ liveDomains, primary, redirects }: Routing, domain: string): Routing {
  const left = liveDomains.filter(live => live !== domain);
  const leftRedirects = redirects.filter(({ from, to }) => from !== domain && to !== domain);
  const next = left.find(live => leftRedirects.every(({ from }) => from !== live)) ?? null;
  return { liveDomains: left, primary: primary === domain ? next : primary, redirects: leftRedirects };
}

export function withPrimary(routing: Routing, domain: string): Routing {
  requireLive(routing, domain);
  const redirect = redirectOf(routing, domain);
  if (redirect) {
    throw new RoutingRefused(`${domain} redirects to ${redirect.to}. End that redirect first (unredirect).`);
  }
  return { ...routing, primary: domain };
}

/** Has a live domain redirect to another one, in place of what it did before. */
export function withRedirect(routing: Routing, redirect: Redirect): Routing {
  const { from, to } = redirect;
  if (from === to) throw new RoutingRefused(`${from} cannot redirect to itself.`);
  requireLive(routing, from);
  requireLive(routing, to);
  if (routing.primary === from) {
    throw new RoutingRefused(`${from} is the primary domain. Make another domain the primary first.`);
  }
  const onward = redirectOf(routing, to);
  if (onward) {
    throw new RoutingRefused(
      onward.to === from
        ? `${to} redirects to ${from} already: that would be a loop.`
        : `${to} redirects to ${onward.to} itself: redirect ${from} to ${onward.to}.`,
    );
  }
  const incoming = routing.redirects.find(other => other.to === from);
  if (incoming) {
    throw new RoutingRefused(
      `${incoming.from} redirects to ${from}, and redirects are not chained. Redirect ${incoming.from} elsewhere first.`,
    );
  }
  return { ...routing, redirects: [...withoutRedirect(routing, from).redirects, redirect] };
}

export function withoutRedirect(routing: Routing, from: string): Routing {
  return { ...routing, redirects: routing.redirects.filter(redirect => redirect.from !== from) };
}

export function redirectOf({ redirects }: Pick<Routing, 'redirects'>, from: string): Redirect | undefined {
  return redirects.find(redirect => redirect.from === from);
}

function requireLive({ liveDomains }: Routing, domain: string): void {
  if (!liveDomains.includes(domain)) {
    throw new RoutingRefused(`${domain} is not a live domain of this project.`);
  }
}
