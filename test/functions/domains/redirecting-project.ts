import { live } from '../../shared/domains/claimed-domain.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** A live domain of the project zoo, as an item of the domains table. */
export function domainItem(domain: string) {
  return live({ domain, project: 'zoo' });
}

/** The project zoo with these redirects, as an item of the projects table. */
export function projectItem(redirects: readonly { from: string; to: string; status: number }[]) {
  return {
    id: 'zoo',
    plan: 'pro',
    apiId: 'abcdefghij',
    stage: 'staging',
    createdAt: AT,
    deployState: 'succeeded',
    deployedAt: AT,
    routing: {
      liveDomains: ['zoo.example', ...redirects.map(({ from }) => from)],
      primary: 'zoo.example',
      redirects,
    },
  };
}
