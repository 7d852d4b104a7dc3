import { live } from '../../shared/domains/claimed-domain.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** The table items of a live domain of the project zoo: its claim, and the owner of its name. */
export function domainItems(domain: string) {
  return [live({ domain, project: 'zoo' }), { domain, project: '#owner', provenBy: 'zoo' }];
}

/** The table item of the project zoo with these redirects. */
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
