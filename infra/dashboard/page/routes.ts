/** A place in the dashboard, as its URL names it: the environment first. */
export type Route =
  | { readonly page: 'projects'; readonly stage: string }
  | { readonly page: 'project'; readonly stage: string; readonly project: string }
  | { readonly page: 'domains'; readonly stage: string; readonly project: string }
  | { readonly page: 'domain'; readonly stage: string; readonly project: string; readonly domain: string }
  | { readonly page: 'all-domains' | 'keys' | 'orders' | 'audit'; readonly stage: string }
  | { readonly page: 'unknown'; readonly stage: string };

/** The pages in the navigation, and their names in a path. */
export const SECTIONS = [
  { page: 'projects', name: 'projects', title: 'Projects', icon: 'folder' },
  { page: 'all-domains', name: 'domains', title: 'Domains', icon: 'globe' },
  { page: 'keys', name: 'keys', title: 'API keys', icon: 'key' },
  { page: 'orders', name: 'orders', title: 'Orders', icon: 'box' },
  { page: 'audit', name: 'audit', title: 'Audit', icon: 'list' },
] as const;

/** The route of a path such as /staging/projects/petstore/domains/www.example.com. */
export function routeOf(path: string, stages: readonly string[]): Route {
  const [startStage = ''] = stages;
  const [stage = startStage, name = 'projects', project, settings, domain, ...rest] = path
    .split('/')
    .filter(part => part !== '')
    .map(decoded);
  if (!stages.includes(stage)) return { page: 'unknown', stage: startStage };
  const section = SECTIONS.find(each => each.name === name);
  if (section && project === undefined) return { page: section.page, stage };
  if (section?.page === 'projects' && project !== undefined && rest.length === 0) {
    if (settings === undefined) return { page: 'project', stage, project };
    if (settings === 'domains' && domain === undefined) return { page: 'domains', stage, project };
    if (settings === 'domains' && domain !== undefined) return { page: 'domain', stage, project, domain };
  }
  return { page: 'unknown', stage };
}

export function pathOf(route: Route): string {
  return `/${[route.stage, ...namesOf(route)].map(encodeURIComponent).join('/')}`;
}

function namesOf(route: Route): string[] {
  switch (route.page) {
    case 'project':
      return ['projects', route.project];
    case 'domains':
      return ['projects', route.project, 'domains'];
    case 'domain':
      return ['projects', route.project, 'domains', route.domain];
  }
  return SECTIONS.filter(({ page }) => page === route.page).map(({ name }) => name);
}

/** The first page of the same section in another environment, which may have other projects. */
export function inStage(route: Route, stage: string): Route {
  return SECTIONS.some(({ page }) => page === route.page) ? { ...route, stage } : { page: 'projects', stage };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The URL of a page at another dashboard host; undefined for a foreign origin, which another program at the port may send.
 */
export function pageAt(origin: string | undefined, page: string): string | undefined {
  const here = new URL(page);
  const url = URL.parse(`${here.pathname}${here.search}`, origin);
  const isOther = url?.origin === origin && origin !== here.origin;
  const isDashboard = url?.port === here.port && /^(.+\.localhost|127\.0\.0\.1)$/.test(url.hostname);
  return isOther && isDashboard && url.protocol === 'http:' ? url.href : undefined;
}
