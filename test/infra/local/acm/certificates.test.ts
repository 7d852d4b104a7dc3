import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Certificates } from '../../../../infra/local/acm/certificates.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { DAY_MS, serveAcm } from './served-acm.ts';

const NAME = 'www.zoo.example';

test('keeps certificates over a restart', async () => {
  const file = join(temporaryFolder(), 'acm.json');
  const acm = await serveAcm({ file });
  await acm.issued(NAME, { IdempotencyToken: 'one', Tags: [{ Key: 'a', Value: 'b' }] });
  await acm.requested('zoo.example');
  expect(new Certificates(file).list()).toEqual(acm.certificates.list());
});

test('counts the requests of a year, also those for certificates that are deleted, over a restart', () => {
  const file = join(temporaryFolder(), 'acm.json');
  const certificates = new Certificates(file);
  const request = (createdAtMs: number) =>
    certificates.add({ names: [NAME], keyAlgorithm: 'RSA_2048', tags: {}, createdAtMs });
  certificates.remove(request(0).arn);
  request(DAY_MS);
  expect(new Certificates(file).requestsInYearBefore(2 * DAY_MS)).toBe(2);
  expect(new Certificates(file).requestsInYearBefore(365 * DAY_MS)).toBe(1);
});
