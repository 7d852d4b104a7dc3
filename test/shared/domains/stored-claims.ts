import { transact, type Write } from '../../../shared/aws/transaction.ts';
import { Domain } from '../../../shared/domains/life/domain.ts';
import { DomainChanged, type DomainStore, DomainTaken } from '../../../shared/domains/life/domain-store.ts';
import { LEASE_MS } from '../../../shared/domains/life/lease.ts';
import { commitKept, keptWrite } from '../aws/kept-writes.ts';

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
  if (domain.verifiedAt === null) return transact([store.claim(domain)]);
  await transact([store.claim({ ...domain, revision: domain.revision - 1 })]);
  await saveProven(store, domain);
}

type Kept = Readonly<Record<string, unknown>>;

/**
 * A store in memory, for tests that only look at what passes make of claims. `keep` stores one as it is, `own` makes a project
 * the owner of a name.
 */
export function keptClaims() {
  const claims = new Map<string, Domain>();
  const owners = new Map<string, string>();
  const held = new Set<string>();
  const keyOf = ({ domain, project }: Domain) => `${domain} ${project}`;
  const put = (claim: Kept) => {
    const read = Domain.parse(claim);
    claims.set(keyOf(read), read);
  };
  const keep = async (...kept: readonly Kept[]) => {
    kept.forEach(put);
  };
  const own = (domain: string, project: string) => owners.set(domain, project);
  const all = () => [...claims.values()];
  const isRead = (claim: Domain, revision: number) => claims.get(keyOf(claim))?.revision === revision;

  const change = (next: Domain): Write =>
    keptWrite(
      {
        key: keyOf(next),
        holds: () => isRead(next, next.revision - 1),
        apply: () => claims.set(keyOf(next), next),
      },
      () => new DomainChanged(`${next.domain} was changed in the meantime.`),
    );
  /** Changes the owner of a name, which nobody else may be. */
  const ownership = (domain: string, former: string, owner: string | undefined): Write =>
    keptWrite(
      {
        key: `owner of ${domain}`,
        holds: () => [undefined, former].includes(owners.get(domain)),
        apply: () => (owner === undefined ? owners.delete(domain) : own(domain, owner)),
      },
      () => new DomainTaken(domain),
    );

  const store: Partial<DomainStore> = {
    find: async (domain, project) => claims.get(`${domain} ${project}`),
    present: async ({ domain, target }) =>
      all().find(each => each.domain === domain && each.target === target),
    claimsOf: async domain => all().filter(claim => claim.domain === domain),
    ownerOf: async domain => owners.get(domain),
    listOf: async project => all().filter(claim => claim.project === project),
    all: async () => all(),
    change: next => [change(next)],
    proof: (next, former = next.project) => [ownership(next.domain, former, next.project), change(next)],
    async end(claim) {
      const deletion = {
        key: keyOf(claim),
        holds: () => isRead(claim, claim.revision),
        apply: () => claims.delete(keyOf(claim)),
      };
      const isOwner = owners.get(claim.domain) === claim.project;
      return [
        keptWrite(deletion, () => new DomainChanged(`${claim.domain} was changed in the meantime.`)),
        ...(isOwner ? [ownership(claim.domain, claim.project, undefined)] : []),
      ];
    },
    async holding(domain, work, _, busy = () => undefined) {
      if (held.has(domain)) return busy(LEASE_MS);
      held.add(domain);
      try {
        return await work({ commit: commitKept, requireTime() {} });
      } finally {
        held.delete(domain);
      }
    },
  };
  return { store: store as DomainStore, keep, own, find: store.find as DomainStore['find'] };
}
