import { live } from '../../shared/domains/claimed-domain.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** The table item of a live domain of the project zoo. */
export function domainItem(domain: string) {
  const body = live({ domain, project: 'zoo' });
  return { domain: { S: domain }, project: { S: 'zoo' }, body: { S: JSON.stringify(body) } };
}

/** The table item of the project zoo with these redirects. */
export function projectItem(redirects: readonly { from: string; to: string; status: number }[]) {
  const liveDomains = ['zoo.example', ...redirects.map(({ from }) => from)];
  return {
    ...{ id: { S: 'zoo' }, plan: { S: 'pro' }, apiId: { S: 'abcdefghij' }, stage: { S: 'staging' } },
    ...{ createdAt: { S: AT }, deployState: { S: 'succeeded' }, deployedAt: { S: AT } },
    routing: { S: JSON.stringify({ liveDomains, primary: 'zoo.example', redirects }) },
  };
}
