import { ACMClient, LimitExceededException } from '@aws-sdk/client-acm';
import { describe, expect, test } from 'vitest';
import { DAY_MS, serveAcm, validationRecord } from '../../../../infra/local/testing/served-acm.ts';
import { developer, type Principal } from '../../../../infra/local/testing/served-endpoint.ts';
import {
  CertificatesFull,
  certificates,
  ownCertificate,
} from '../../../../shared/domains/aws/certificates.ts';
import { certified, claimed, TARGET } from '../claimed-domain.ts';
import { cannedResponses, stubEndpoint } from './client-endpoint.ts';

const HOUR_MS = DAY_MS / 24;
/** 64 characters. */
const LONGEST = `${'c'.repeat(52)}.zoo.example`;
const NONE = {
  status: null,
  serial: null,
  failure: null,
  renewal: null,
  validFrom: null,
  expiresAt: null,
  validations: [],
};

/** The certificates of the local ACM. */
async function servedCertificates(principal: Principal = developer) {
  const acm = await serveAcm({ principal });
  stubEndpoint('ACM', acm.endpoint);
  const arns = () => acm.certificates.list().map(({ arn }) => arn);
  return { acm, arns, ...certificates('staging') };
}

const recordOf = (name: string) => {
  const { Name, Value } = validationRecord(name);
  return { name: Name.slice(0, -1), value: Value.slice(0, -1) };
};

describe('ensure', () => {
  test('says when the account has no room for another certificate', async () => {
    const error = new LimitExceededException({ message: 'Too many certificates.', $metadata: {} });
    cannedResponses(ACMClient, { CertificateSummaryList: [] }, error);
    await expect(certificates('staging').ensure(claimed())).rejects.toThrow(CertificatesFull);
  });

  test.each([
    ['a domain', 'www.zoo.example', 'www.zoo.example'],
    ['a wildcard, whose asterisk a tag cannot have', '*.zoo.example', 'zoo.example'],
  ])(
    'requests a certificate that is tagged with its environment, claim and domain: %s',
    async (_, name, tag) => {
      const { acm, ensure } = await servedCertificates();
      const arn = await ensure(claimed({ domain: name }));
      const tags = {
        'petstore:environment': 'staging',
        'petstore:claim': TARGET.slice(0, 20),
        'petstore:domain': tag,
      };
      expect(acm.certificates.list()).toMatchObject([{ arn, names: [name], tags }]);
    },
  );

  test('finds an earlier certificate by its tags after its idempotency token has expired', async () => {
    const { acm, arns, ensure } = await servedCertificates();
    const arn = await ensure(claimed());
    acm.nowMs += 2 * HOUR_MS;
    expect(await ensure(claimed({ revision: 7 }))).toBe(arn);
    acm.certificates.change(arn, { status: 'ISSUED' });
    expect(await ensure(claimed({ revision: 8 }))).toBe(arn);
    expect(arns()).toEqual([arn]);
  });

  test('requests one certificate when it is called twice at once', async () => {
    const { arns, ensure } = await servedCertificates();
    const [one, other] = await Promise.all([ensure(claimed()), ensure(claimed())]);
    expect(one).toBe(other);
    expect(arns()).toEqual([one]);
  });

  test('does not touch certificates of the same name that have another claim, other tags or none', async () => {
    const { acm, arns, ensure } = await servedCertificates();
    const others = await ensure(claimed({ target: 'fedcba.apps.petstore.example' }));
    acm.certificates.change(others, { status: 'FAILED' });
    const untagged = await acm.requested('www.zoo.example');
    const Tags = [
      { Key: 'petstore:environment', Value: 'staging' },
      { Key: 'team', Value: TARGET.slice(0, 20) },
    ];
    const theirs = await acm.requested('www.zoo.example', { Tags });
    const arn = await ensure(claimed());
    expect(arns()).toEqual([others, untagged, theirs, arn].toSorted());
  });

  test.each(['FAILED', 'VALIDATION_TIMED_OUT', 'EXPIRED', 'PENDING_VALIDATION'] as const)(
    'deletes a certificate that is %s, if pending only one that the record replaces, and requests another',
    async status => {
      const { acm, arns, ensure } = await servedCertificates();
      const before = await ensure(claimed());
      acm.certificates.change(before, { status });
      const replaces = status === 'PENDING_VALIDATION' ? before : undefined;
      const certificate = certified({ arn: null, status: null, replaces });
      const arn = await ensure(claimed({ revision: 2, certificate }));
      expect(arn).not.toBe(before);
      expect(arns()).toEqual([arn]);
    },
  );

  test('requests another certificate beside an expired one that is still in use', async () => {
    const { acm, arns, ensure } = await servedCertificates();
    const before = await ensure(claimed());
    acm.certificates.change(before, { status: 'EXPIRED' });
    acm.users.set(before, ['a load balancer']);
    const arn = await ensure(claimed({ revision: 2 }));
    expect(arns()).toEqual([before, arn].toSorted());
    expect(await ensure(claimed({ revision: 3 }))).toBe(arn);
  });
});

test.each([
  ['is the common name of its certificate if it has up to 64 characters', LONGEST, [LONGEST]],
  [
    'is an alternative name beside the first parent that is short enough',
    `a.${LONGEST}`,
    [LONGEST, `a.${LONGEST}`],
  ],
  [
    'has a parent that is short enough, and is one character too long',
    `${'a'.repeat(51)}.b.zoo.example`,
    ['b.zoo.example', `${'a'.repeat(51)}.b.zoo.example`],
  ],
])('a name %s; all have validation records', async (_, domain, names) => {
  const { acm, ensure, view, removeAll } = await servedCertificates();
  const longNamed = claimed({ domain });
  const arn = await ensure(longNamed);
  expect(acm.certificates.find(arn)?.names).toEqual(names);
  acm.nowMs += 5000;
  expect(await view(arn)).toMatchObject({ validations: names.map(recordOf) });
  expect(await ensure({ ...longNamed, revision: 2 })).toBe(arn);
  expect(await removeAll(longNamed)).toBe(true);
  expect(acm.certificates.list()).toEqual([]);
});

describe('view', () => {
  test('has the validation record once ACM names it, without trailing dots, and the failure reason', async () => {
    const { acm, ensure, view } = await servedCertificates();
    const arn = await ensure(claimed());
    const pending = { ...NONE, status: 'PENDING_VALIDATION' };
    expect(await view(arn)).toEqual(pending);
    acm.nowMs += 5000;
    expect(await view(arn)).toEqual({ ...pending, validations: [recordOf('www.zoo.example')] });
    acm.publish('www.zoo.example');
    acm.dns.caas.set('zoo.example', [{ flags: 0, tag: 'issue', value: 'letsencrypt.org' }]);
    expect(await view(arn)).toMatchObject({ status: 'FAILED', failure: 'CAA_ERROR' });
  });

  test('says from when until when the certificate is valid, and has the status of its renewal', async () => {
    const { acm, view } = await servedCertificates();
    const arn = await acm.issued('www.zoo.example');
    const issued = await view(arn);
    const { validFrom, expiresAt } = issued;
    expect(issued).toMatchObject({ status: 'ISSUED', renewal: null });
    expect(Math.abs(Date.parse(validFrom ?? '') - acm.nowMs)).toBeLessThan(DAY_MS);
    expect(Date.parse(expiresAt ?? '') - Date.parse(validFrom ?? '')).toBe(198 * DAY_MS);
    acm.users.set(arn, ['a load balancer']);
    acm.dns.cnames.clear();
    acm.nowMs += 160 * DAY_MS;
    expect(await view(arn)).toMatchObject({ status: 'ISSUED', renewal: 'PENDING_VALIDATION' });
  });

  test('has no status for a certificate that does not exist', async () => {
    const { view } = await servedCertificates();
    expect(await view(certified().arn ?? '')).toEqual(NONE);
  });
});

test.each([
  ['60 days before it expires', 395, -60],
  ['its own beginning, if it lives for less', 47, -47],
])('ownCertificate: while it is renewed, another may be there since %s', (_, days, since) => {
  const [validFrom, expiresAt] = [0, days].map(day => new Date(day * DAY_MS).toISOString());
  const renewed = (renewal: string) =>
    ownCertificate(claimed({ certificate: certified({ serial: '2', renewal, validFrom, expiresAt }) }));
  const names = ['www.zoo.example'];
  expect(renewed('PENDING_VALIDATION')).toEqual({
    serials: ['2'],
    renewal: { names, sinceMs: (days + since) * DAY_MS },
  });
  expect(renewed('SUCCESS')).toEqual({ serials: ['2'] });
});

describe('removeAll', () => {
  const DENIAL = 'no identity-based policy allows it';

  test('deletes the certificates with the tags of the claim, and no others', async () => {
    const { arns, ensure, removeAll } = await servedCertificates();
    const others = await ensure(claimed({ target: 'fedcba.apps.petstore.example' }));
    const arn = await ensure(claimed());
    const domain = claimed({ certificate: certified({ arn }) });
    expect(await removeAll(domain)).toBe(true);
    expect(arns()).toEqual([others]);
    expect(await removeAll(domain)).toBe(true);
  });

  test('deletes the recorded certificate of the claim that ACM does not list yet', async () => {
    const { arns, ensure, removeAll } = await servedCertificates();
    const arn = await ensure(claimed({ domain: 'unlisted.zoo.example' }));
    expect(await removeAll(claimed({ certificate: certified({ arn }) }))).toBe(true);
    expect(arns()).toEqual([]);
  });

  test.each([
    ['succeeds when somebody else deletes the certificate in the meantime', true, undefined],
    ['takes a denial for done when the certificate is gone, which has no tags to allow it by', true, DENIAL],
    ['reports the denial of a certificate that is there', false, DENIAL],
  ])('%s', async (_, isGone, reason) => {
    let deleted = (_arn: string) => {};
    const denial = (action: string, arn: string) => {
      if (action !== 'acm:DeleteCertificate') return undefined;
      deleted(arn);
      return reason;
    };
    const { acm, ensure, removeAll } = await servedCertificates({ denial });
    if (isGone) deleted = arn => acm.certificates.remove(arn);
    await ensure(claimed());
    const removal = removeAll(claimed());
    if (isGone) expect(await removal).toBe(true);
    else await expect(removal).rejects.toThrow(DENIAL);
  });

  test('keeps a recorded certificate whose tags are missing or of another environment', async () => {
    const { acm, arns, removeAll } = await servedCertificates();
    const untagged = await acm.requested('www.zoo.example');
    const theirs = await certificates('production').ensure(claimed());
    for (const arn of [untagged, theirs]) {
      expect(await removeAll(claimed({ certificate: certified({ arn }) }))).toBe(true);
    }
    expect(arns()).toEqual([untagged, theirs].toSorted());
  });

  test('returns false while a certificate is in use, and true once all are deleted', async () => {
    const { acm, arns, ensure, removeAll } = await servedCertificates();
    const inUse = await ensure(claimed());
    acm.certificates.change(inUse, { status: 'EXPIRED' });
    acm.users.set(inUse, ['a load balancer']);
    const recorded = await ensure(claimed({ revision: 2 }));
    const domain = claimed({ certificate: certified({ arn: recorded }) });
    acm.users.set(inUse, ['a load balancer']);
    expect(await removeAll(domain)).toBe(false);
    expect(arns()).toEqual([inUse]);
    acm.users.clear();
    expect(await removeAll(domain)).toBe(true);
    expect(arns()).toEqual([]);
  });
});

const EC_KEY = { KeyAlgorithm: 'EC_prime256v1' };
type Acm = Pick<Awaited<ReturnType<typeof serveAcm>>, 'requested'>;

describe('isRecordShared', () => {
  test.each([
    ['another environment', (_: unknown) => certificates('production').ensure(claimed({ revision: 9 }))],
    ['another team', (acm: Acm) => acm.requested('www.zoo.example')],
    ['another team, for all names below', (acm: Acm) => acm.requested('*.www.zoo.example')],
    ['another team, with an EC key', (acm: Acm) => acm.requested('www.zoo.example', EC_KEY)],
  ])('is true while a certificate of %s is validated by the record', async (_, requested) => {
    const { acm, ensure, isRecordShared } = await servedCertificates();
    await ensure(claimed());
    const { name } = recordOf('www.zoo.example');
    expect(await isRecordShared(claimed(), name)).toBe(false);
    await requested(acm);
    expect(await isRecordShared(claimed(), name)).toBe(true);
    expect(await isRecordShared(claimed(), recordOf('other.zoo.example').name)).toBe(false);
  });

  test('is false for certificates of other claims of the name, which have not proven it', async () => {
    const { ensure, isRecordShared } = await servedCertificates();
    await ensure(claimed());
    await ensure(claimed({ target: 'other-claim.apps.petstore.test', revision: 9 }));
    expect(await isRecordShared(claimed(), recordOf('www.zoo.example').name)).toBe(false);
  });
});
