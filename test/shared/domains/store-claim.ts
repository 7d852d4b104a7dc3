import { transact } from '../../../shared/aws/transaction.ts';
import type { Domain } from '../../../shared/domains/life/domain.ts';
import type { DomainStore } from '../../../shared/domains/life/domain-store.ts';

/** Stores a claim as it is, and makes its project the owner of the name if the claim has passed the DNS phase. */
export async function storeClaim(store: DomainStore, domain: Domain): Promise<void> {
  if (domain.phase === 'dns') {
    await transact([store.claim(domain)]);
    return;
  }
  await transact([store.claim({ ...domain, revision: domain.revision - 1 })]);
  await store.saveProven(domain);
}
