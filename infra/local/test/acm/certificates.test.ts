import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Certificates } from '../../acm/certificates.ts';
import { serveAcm } from '../../testing/served-acm.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const NAME = 'www.zoo.example';

test('keeps certificates over a restart', async () => {
  const file = join(temporaryFolder(), 'acm.json');
  const acm = await serveAcm({ file });
  await acm.issued(NAME, { IdempotencyToken: 'one', Tags: [{ Key: 'a', Value: 'b' }] });
  await acm.requested('zoo.example');
  expect(new Certificates(file).list()).toEqual(acm.certificates.list());
});
