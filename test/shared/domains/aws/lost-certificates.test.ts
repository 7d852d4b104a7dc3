import { expect, test } from 'vitest';
import { certificates, isLost } from '../../../../shared/domains/aws/certificates.ts';
import { serveAcm } from '../../../infra/local/acm/served-acm.ts';
import { claimed } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

test.each(['FAILED', 'VALIDATION_TIMED_OUT', 'REVOKED', 'EXPIRED', 'INACTIVE', null] as const)(
  'a certificate with the status %s is lost',
  status => {
    expect(isLost({ status })).toBe(true);
  },
);

test.each(['PENDING_VALIDATION', 'ISSUED'] as const)(
  'a certificate with the status %s is not lost',
  status => {
    expect(isLost({ status })).toBe(false);
  },
);

test('a certificate that somebody else deletes in the meantime is removed', async () => {
  let deleted = (_arn: string) => {};
  const denial = (action: string, arn: string) => {
    if (action === 'acm:DeleteCertificate') deleted(arn);
    return undefined;
  };
  const acm = await serveAcm({ principal: { denial } });
  stubEndpoint('ACM', acm.endpoint);
  deleted = arn => acm.certificates.remove(arn);
  const { ensure, removeAll } = certificates('staging');
  await ensure(claimed());
  expect(await removeAll(claimed())).toBe(true);
});
