import { expect, test } from 'vitest';
import { managedRecords } from '../../../../shared/domains/steps/managed-records.ts';
import { changeOf } from '../../../infra/local/route53/served-route53.ts';
import { VALIDATION } from '../claimed-domain.ts';
import { domainWithRecords, servedZone } from './managed-zone.ts';

const NAME = 'www.zoo.example';

test('removeAll deletes the managed records and no others, and may be repeated', async () => {
  const { route53, zoneId, records, parts } = await servedZone();
  const managed = managedRecords(parts);
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'mine.zoo.example', 'elsewhere.example'));
  const after = await managed.create(await domainWithRecords('missing'));
  // The owner has changed the value of a managed record, which makes the record the owner's.
  await route53.change(zoneId, changeOf('UPSERT', 'CNAME', NAME, 'elsewhere.example'));
  await managed.removeAll(after);
  await managed.removeAll(after);
  expect(records().toSorted()).toEqual([
    'CNAME mine.zoo.example. elsewhere.example',
    `CNAME ${NAME}. elsewhere.example`,
  ]);
});

test('removeAll keeps a validation record that a certificate of others needs', async () => {
  const { records, shared, parts } = await servedZone();
  const managed = managedRecords(parts);
  const after = await managed.create(await domainWithRecords('missing'));
  shared.add(VALIDATION.name);
  await managed.removeAll(after);
  expect(records()).toEqual([`CNAME ${VALIDATION.name}. ${VALIDATION.value}`]);
});
