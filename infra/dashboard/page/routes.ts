/** A place in the dashboard, as its URL names it: the environment first. */
export type Route =
  | { readonly page: 'projects'; readonly stage: string }
  | { readonly page: 'project'; readonly stage: string; readonly project: string }
  | { readonly page: 'domains'; readonly stage: string; readonly project: string }
  | { readonly page: 'domain'; readonly stage: string; readonly project: string; readonly domain: string }
  | { readonly page: 'all-domains' | 'keys' | 'orders' | 'audit'; readonly stage: string }
  | { readonly page: 'unknown'; readonly stage: string };

/** The pages that the navigation leads to. */
export const SECTIONS = [
  { page: 'projects', title: 'Projects', icon: 'folder' },
  { page: 'all-domains', title: 'Domains', icon: 'globe' },
  { page: 'keys', title: 'API keys', icon: 'key' },
  { page: 'orders', title: 'Orders', icon: 'box' },
  { page: 'audit', title: 'Audit', icon: 'list' },
] as const;

/** The route of a path such as /staging/projects/petstore/domains/www.example.com. */
export function routeOf(path: string, stages: readonly string[]): Route {
  const [first = '', section = 'projects', project, settings, domain, ...rest] = path
    .split('/')
    .filter(part => part !== '')
    .map(decoded);
  const [startStage = ''] = stages;
  if (first === '') return { page: 'projects', stage: startStage };
  if (!stages.includes(first)) return { page: 'unknown', stage: startStage };
  const stage = first;
  if (rest.length > 0) return { page: 'unknown', stage };
  if (section === 'projects') {
    if (project === undefined) return { page: 'projects', stage };
    if (settings === undefined) return { page: 'project', stage, project };
    if (settings !== 'domains') return { page: 'unknown', stage };
    return domain === undefined
      ? { page: 'domains', stage, project }
      : { page: 'domain', stage, project, domain };
  }
  if (section === 'domains' && project === undefined) return { page: 'all-domains', stage };
  const isSection = section === 'keys' || section === 'orders' || section === 'audit';
  return isSection && project === undefined ? { page: section, stage } : { page: 'unknown', stage };
}

export function pathOf(route: Route): string {
  const parts = [route.stage];
  switch (route.page) {
    case 'projects':
    case 'keys':
    case 'orders':
    case 'audit':
      parts.push(route.page);
      break;
    case 'all-domains':
      parts.push('domains');
      break;
    case 'project':
      parts.push('projects', route.project);
      break;
    case 'domains':
      parts.push('projects', route.project, 'domains');
      break;
    case 'domain':
      parts.push('projects', route.project, 'domains', route.domain);
      break;
  }
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** The first page of the same section in another environment, which need not have the same projects. */
export function inStage(route: Route, stage: string): Route {
  switch (route.page) {
    case 'all-domains':
    case 'keys':
    case 'orders':
    case 'audit':
      return { ...route, stage };
  }
  return { page: 'projects', stage };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
