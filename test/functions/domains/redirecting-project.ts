const AT = '2026-01-01T00:00:00.000Z';

/** A live domain of the project zoo, as the table has it. */
export function domainItem(domain: string) {
  const body = {
    ...{ domain, project: 'zoo', kind: 'subdomain', registrable: 'zoo.example', status: 'live' },
    ...{ reason: null, message: '', phase: 'live', attempt: 1, revision: 1, target: 't', challenge: 'c' },
    ...{ pointsAt: 'p', gateway: null, turnAt: null, records: [], made: [], rounds: 0, history: [] },
    certificate: { arn: null, status: null, failure: null, renewal: null, validation: null },
    ...{ checkedAt: null, nextCheckAt: null, createdAt: AT, phaseStartedAt: AT, verifyStartedAt: AT },
    ...{ verifiedAt: AT, liveAt: AT, redirect: null },
  };
  return { domain: { S: domain }, project: { S: 'zoo' }, body: { S: JSON.stringify(body) } };
}

/** The project zoo with these redirects, as the table has it. */
export function projectItem(redirects: readonly { from: string; to: string; status: number }[]) {
  const liveDomains = ['zoo.example', ...redirects.map(({ from }) => from)];
  return {
    ...{ id: { S: 'zoo' }, plan: { S: 'pro' }, apiId: { S: 'abcdefghij' }, stage: { S: 'staging' } },
    ...{ createdAt: { S: AT }, deployState: { S: 'succeeded' }, deployedAt: { S: AT } },
    routing: { S: JSON.stringify({ liveDomains, primary: 'zoo.example', redirects }) },
  };
}
