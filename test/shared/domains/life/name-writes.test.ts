import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import { type DomainStore, domainStore } from '../../../../shared/domains/life/domain-store.ts';
import { MAX_UNVERIFIED_CLAIMS } from '../../../../shared/domains/life/waits.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { claimed } from '../claimed-domain.ts';

let store: DomainStore;
beforeAll(async () => {
  store = domainStore(await tableLike('DomainsTable'));
});

/** Stores a domain of a project that is proven. */
async function proven(domain: string, project: string) {
  const claim = claimed({ domain, project });
  await transact([store.claim(claim)]);
  const next = nextRevision(claim);
  await store.saveProven(next);
  return next;
}

test('listOf leaves out the names of a project that are counted in the same table', async () => {
  const domain = await proven('proven.ranch.example', 'ranch');
  expect(await store.listOf('ranch')).toEqual([domain]);
});

test('noClaimsCheck is refused with the names that a project has, and passes for a project without any', async () => {
  await proven('b.stable.example', 'stable');
  expect(await transact([store.noClaimsCheck('empty')])).toBeUndefined();
  await expect(transact([store.noClaimsCheck('stable')])).rejects.toMatchObject({
    name: 'ProjectHasDomains',
    names: ['b.stable.example'],
    message: 'The project has the domains b.stable.example.',
  });
  await transact([store.unverifiedCount(claimed({ domain: 'a.stable.example', project: 'stable' }))]);
  await expect(transact([store.noClaimsCheck('stable')])).rejects.toMatchObject({
    names: ['a.stable.example', 'b.stable.example'],
    message: 'The project has the domains a.stable.example, b.stable.example.',
  });
});

test('unverifiedCount is refused with TooManyUnverified where a project has as many as it may have', async () => {
  for (let number = 1; number <= MAX_UNVERIFIED_CLAIMS; number += 1) {
    await transact([store.unverifiedCount(claimed({ domain: `${number}.pond.example`, project: 'pond' }))]);
  }
  const further = store.unverifiedCount(claimed({ domain: 'more.pond.example', project: 'pond' }));
  await expect(transact([further])).rejects.toMatchObject({ name: 'TooManyUnverified' });
});
