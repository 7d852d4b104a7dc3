import { transact, type Write } from '../../../shared/aws/transaction.ts';
import { DOMAINS_TABLE, Domain, isClaim } from '../../../shared/domains/life/domain.ts';
import type { DomainStore } from '../../../shared/domains/life/domain-store.ts';

/** Writes the next revision as commands do, which don't wait for the lease of the name. */
export function save(store: DomainStore, next: Domain): Promise<void> {
  return transact(store.change(next));
}

/** Writes the next revision, whose project owns the name from now on. */
export function saveProven(store: DomainStore, next: Domain): Promise<void> {
  return transact(store.proof(next));
}

/** Deletes a claim. */
export async function forget(
  store: DomainStore,
  claim: Domain,
  nowMs: number,
  keptUntilMs?: number,
): Promise<void> {
  await transact(await store.end(claim, nowMs, keptUntilMs));
}

/** Stores a claim as it is, and makes its project the owner of the name if the claim has passed the DNS phase. */
export async function storeClaim(store: DomainStore, domain: Domain): Promise<void> {
  if (domain.phase === 'dns') return transact([store.claim(domain)]);
  await transact([store.claim({ ...domain, revision: domain.revision - 1 })]);
  await saveProven(store, domain);
}

/** A store in memory, for tests that only look at what steps make of claims; `keep` stores one as it is. */
export function keptClaims() {
  const items = new Map<string, Record<string, unknown>>();
  const put = (Item: Record<string, unknown>): Write => ({
    item: { Put: { TableName: 'in memory', Item } },
    refusal: () => undefined,
  });
  const keep = async (...claims: readonly Record<string, unknown>[]) => {
    for (const claim of claims) items.set(`${claim.domain} ${claim.project}`, claim);
  };
  const find = async (domain: string, project: string) => {
    const item = items.get(`${domain} ${project}`);
    return item && Domain.parse(item);
  };
  const claimsOf = async (domain: string) =>
    [...items.values()]
      .filter(item => item.domain === domain && isClaim(item))
      .map(item => Domain.parse(item));
  const commit = (writes: readonly Write[]) => keep(...writes.map(({ item }) => item.Put?.Item ?? {}));
  const store: Partial<DomainStore> = {
    find,
    claimsOf,
    present: async ({ domain, target }) => (await claimsOf(domain)).find(claim => claim.target === target),
    ownerOf: async domain => {
      const provenBy = items.get(`${domain} ${DOMAINS_TABLE.ownerSortKey}`)?.provenBy;
      return provenBy === undefined ? undefined : String(provenBy);
    },
    listOf: async () => [],
    change: next => [put(next)],
    proof: next => {
      const { domain, project: provenBy } = next;
      return [put(next), put({ domain, project: DOMAINS_TABLE.ownerSortKey, provenBy })];
    },
    holding: (_, work) => work({ commit, requireTime() {} }),
  };
  return { store: store as DomainStore, keep, find };
}
