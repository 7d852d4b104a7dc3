import { expect, test } from 'vitest';
import { rolesMoved } from '../../../shared/projects/role-changes.ts';
import { NO_ROUTING } from '../../../shared/projects/routing.ts';

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
