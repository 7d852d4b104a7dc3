import type { Project, Redirect, Routing } from './project.ts';

export type { Redirect, Routing };

export const NO_ROUTING: Routing = { liveDomains: [], primary: null, redirects: [] };

/** The rule of Routing that a change would break. */
export type RoutingRefusal =
  /** The primary domain has to be live. */
  | 'domain_not_live'
  /** The domain is the primary one, which cannot redirect. */
  | 'is_primary'
  /** The domain redirects elsewhere, so it cannot be primary or the target of a redirect. */
  | 'redirects_elsewhere'
  /** Another domain redirects to this one, and redirects can't be chained. */
  | 'redirects_here'
  | 'redirect_to_itself'
  | 'redirect_loop';

/** A change that would break a rule of Routing. The message says which rule, and what to do instead. */
export class RoutingRefused extends Error {
  override readonly name = 'RoutingRefused';
  readonly reason: RoutingRefusal;

  constructor(reason: RoutingRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Whether visitors may be sent to a domain: it is live, and they arrive here, by its last check. */
function isReached({ liveDomains, awayDomains = [] }: Routing, domain: string): boolean {
  return liveDomains.includes(domain) && !awayDomains.includes(domain);
}

/** The redirect that is in effect for a domain: it is live, and visitors may be sent to its target. */
export function activeRedirect(routing: Routing, from: string): Redirect | undefined {
  const redirect = redirectOf(routing, from);
  return redirect && routing.liveDomains.includes(from) && isReached(routing, redirect.to)
    ? redirect
    : undefined;
}

/**
 * The redirect of a live domain that serves its project for now: its target is live, but the target's visitors end up
 * elsewhere.
 */
export function suspendedRedirect(routing: Routing, from: string): Redirect | undefined {
  const redirect = redirectOf(routing, from);
  const { liveDomains } = routing;
  const areLive = redirect && liveDomains.includes(from) && liveDomains.includes(redirect.to);
  return areLive && !activeRedirect(routing, from) ? redirect : undefined;
}

/** The apex or www name that the domain redirects to, or that redirects to it. */
export function siblingsOf(domain: string, redirects: Routing['redirects']): string[] {
  return redirects
    .filter(({ from, to }) => from === domain || to === domain)
    .map(({ from, to }) => (from === domain ? to : from))
    .filter(other => `www.${other}` === domain || `www.${domain}` === other);
}

/** The primary domain, if it is live. */
export function livePrimary({ primary, liveDomains }: Routing): string | undefined {
  return primary !== null && liveDomains.includes(primary) ? primary : undefined;
}

/** The primary domain, if visitors may be sent to it: it replaces the default URL. */
export function reachedPrimary(routing: Routing): string | undefined {
  const { primary } = routing;
  return primary !== null && isReached(routing, primary) ? primary : undefined;
}

/** What a project's default URL does, given what the project asks for and whether the primary domain replaces it. */
export type DefaultUrlRole =
  | { readonly kind: 'serving' }
  | { readonly kind: 'redirecting' | 'closed'; readonly primary: string };

type RoutedProject = Routing & Pick<Project, 'whileLive'>;

export function defaultUrlRole(project: RoutedProject): DefaultUrlRole {
  const primary = reachedPrimary(project);
  if (primary === undefined || project.whileLive === 'serve') return { kind: 'serving' };
  return { kind: project.whileLive === 'closed' ? 'closed' : 'redirecting', primary };
}

/** Where to send a host's visitors: to another host, or to the API of the host's project. */
export type Destination = Pick<Redirect, 'to' | 'status'> | 'its project';

/** Where a live custom domain leads; undefined for any other name. */
export function destinationOfDomain(routing: Routing, domain: string): Destination | undefined {
  if (!routing.liveDomains.includes(domain)) return undefined;
  return activeRedirect(routing, domain) ?? 'its project';
}

/** Where the default URL of a project with a live primary domain leads; undefined while it is closed. */
export function destinationOfDefaultUrl(project: RoutedProject): Destination | undefined {
  const role = defaultUrlRole(project);
  if (role.kind === 'redirecting') return { to: role.primary, status: 308 };
  return role.kind === 'serving' && livePrimary(project) ? 'its project' : undefined;
}

/** Adds a domain that went live. */
export function withLive(routing: Routing, domain: string): Routing {
  const arrived = withArrival(routing, domain, true);
  if (routing.liveDomains.includes(domain)) return arrived;
  return withSomePrimary({ ...arrived, liveDomains: [...routing.liveDomains, domain] });
}

/** Drops a domain that isn't live at the moment. It keeps its roles, which take effect again once it's live. */
export function withoutLive(routing: Routing, domain: string): Routing {
  return {
    ...withArrival(routing, domain, true),
    liveDomains: routing.liveDomains.filter(live => live !== domain),
  };
}

/** Notes whether the visitors of a live domain arrive here. */
export function withArrival(routing: Routing, domain: string, hasArrived: boolean): Routing {
  const { awayDomains = [], ...rest } = routing;
  if (awayDomains.includes(domain) !== hasArrived) return routing;
  const others = awayDomains.filter(away => away !== domain);
  return { ...rest, awayDomains: hasArrived ? others : [...others, domain] };
}

/** Drops a domain that was removed, with its roles. Domains that redirected to it serve the project again. */
export function withoutDomain(routing: Routing, domain: string): Routing {
  const rest = withoutLive(routing, domain);
  const redirects = routing.redirects.filter(({ from, to }) => from !== domain && to !== domain);
  const primary = routing.primary === domain ? null : routing.primary;
  return withSomePrimary({ ...rest, primary, redirects });
}

/** Moves domains from one project to another, where they keep the redirects among themselves. */
export function withMoved(
  names: readonly string[],
  from: Routing,
  to: Routing,
): { readonly from: Routing; readonly to: Routing } {
  const isMoved = (name: string) => names.includes(name);
  const kept = from.redirects.filter(redirect => isMoved(redirect.from) && isMoved(redirect.to));
  const redirects = [...to.redirects, ...kept];
  return {
    from: names.reduce(withoutDomain, from),
    to: from.liveDomains.filter(isMoved).reduce(withLive, { ...to, redirects }),
  };
}

export function withPrimary(routing: Routing, domain: string): Routing {
  requireLive(routing, domain);
  const redirect = redirectOf(routing, domain);
  if (redirect) {
    throw new RoutingRefused(
      'redirects_elsewhere',
      `${domain} redirects to ${redirect.to}. Stop that redirect first (unredirect).`,
    );
  }
  return { ...routing, primary: domain };
}

/**
 * Adds a redirect, replacing the domain's current one. It takes effect once both domains are live and visitors reach the
 * target.
 */
export function withRedirect(routing: Routing, redirect: Redirect): Routing {
  const { from, to } = redirect;
  if (from === to) throw new RoutingRefused('redirect_to_itself', `${from} can't redirect to itself.`);
  if (routing.primary === from) {
    throw new RoutingRefused(
      'is_primary',
      `${from} is the primary domain. Make another domain primary first.`,
    );
  }
  const onward = redirectOf(routing, to);
  if (onward?.to === from) {
    throw new RoutingRefused('redirect_loop', `${to} already redirects to ${from}: that would be a loop.`);
  }
  if (onward) {
    throw new RoutingRefused(
      'redirects_elsewhere',
      `${to} itself redirects to ${onward.to}. Redirect ${from} there instead.`,
    );
  }
  const incoming = routing.redirects.find(other => other.to === from);
  if (incoming) {
    throw new RoutingRefused(
      'redirects_here',
      `${incoming.from} redirects to ${from}, and redirects can't be chained. Redirect ${incoming.from} elsewhere first.`,
    );
  }
  return { ...routing, redirects: [...redirectsBeside(routing, from), redirect] };
}

export function withoutRedirect(routing: Routing, from: string): Routing {
  return withSomePrimary({ ...routing, redirects: redirectsBeside(routing, from) });
}

export function redirectOf({ redirects }: Pick<Routing, 'redirects'>, from: string): Redirect | undefined {
  return redirects.find(redirect => redirect.from === from);
}

/** If there's no primary, the live domain without a redirect that has served the project longest becomes it. */
function withSomePrimary(routing: Routing): Routing {
  const longest = routing.liveDomains.find(live => !redirectOf(routing, live));
  return { ...routing, primary: routing.primary ?? longest ?? null };
}

function redirectsBeside({ redirects }: Routing, from: string): Redirect[] {
  return redirects.filter(redirect => redirect.from !== from);
}

function requireLive({ liveDomains }: Routing, domain: string): void {
  if (!liveDomains.includes(domain)) {
    throw new RoutingRefused('domain_not_live', `${domain} isn't live. Only a live domain can be primary.`);
  }
}

/** The www of an apex, or the apex of a www. */
export function siblingOf(domain: string): string {
  return domain.startsWith('www.') ? domain.slice('www.'.length) : `www.${domain}`;
}

type ProjectRoles = Pick<Routing, 'liveDomains' | 'primary' | 'redirects'> & { readonly id: string };

/** Which roles change when domains move between projects, in sentences that hold both before and after the move. */
export function rolesMoved(names: readonly string[], from: ProjectRoles, to: ProjectRoles): string[] {
  const after = withMoved(names, from, to);
  const concerned = new Set([
    ...names,
    ...from.liveDomains,
    ...from.redirects.map(redirect => redirect.from),
  ]);
  const sentences = [...concerned].flatMap(name => {
    const isMoved = names.includes(name);
    const [{ id }, routing] = isMoved ? [to, after.to] : [from, after.from];
    const [ended, kept] = [redirectOf(from, name), redirectOf(routing, name)];
    const isNewPrimary = routing.primary === name && (isMoved || from.primary !== name);
    const serves = !isNewPrimary && routing.liveDomains.includes(name) && (isMoved || ended);
    const changes = [
      ...(ended && !kept ? [`no longer redirects to ${ended.to}`] : []),
      ...(kept && isMoved ? [`keeps its redirect to ${kept.to}`] : []),
      ...(isNewPrimary ? [`becomes the primary domain of project ${id}`] : []),
      ...(serves && !kept ? [`serves project ${id}`] : []),
    ];
    return changes.length > 0 ? [`${name} ${changes.join(' and ')}.`] : [];
  });
  const isEmptied = from.liveDomains.length > 0 && after.from.liveDomains.length === 0;
  return isEmptied
    ? [...sentences, `Project ${from.id} has no live domain left: only its default URL serves it.`]
    : sentences;
}
