import { describe, expect, test } from 'vitest';
import { validationRecord } from '../../../../infra/local/acm/validation-record.ts';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { DAY_MS, serveAcm } from '../../../infra/local/acm/served-acm.ts';
import { certified, claimed, TARGET } from '../claimed-domain.ts';
import { clientsFind } from './client-endpoint.ts';

const HOUR_MS = DAY_MS / 24;
const NONE = { status: null, failure: null, renewal: null, validations: [] };

/** ACM on one machine, and what finds it there. */
async function served() {
  const acm = await serveAcm();
  clientsFind('ACM', acm.endpoint);
  const arns = () => acm.certificates.list().map(({ arn }) => arn);
  return { acm, arns, ...certificates() };
}

const recordOf = (name: string) => {
  const { Name, Value } = validationRecord(name);
  return { name: Name.slice(0, -1), value: Value.slice(0, -1) };
};

describe('ensure', () => {
  test('requests a certificate that is known by its claim', async () => {
    const { acm, ensure } = await served();
    const arn = await ensure(claimed());
    expect(acm.certificates.list()).toMatchObject([
      {
        arn,
        names: ['www.zoo.example'],
        tags: { 'petstore:claim': TARGET.slice(0, 20), 'petstore:domain': 'www.zoo.example' },
      },
    ]);
  });

  test('finds the one that was requested before, when its token has long been forgotten', async () => {
    const { acm, arns, ensure } = await served();
    const arn = await ensure(claimed());
    acm.nowMs += 2 * HOUR_MS;
    expect(await ensure(claimed({ revision: 7 }))).toBe(arn);
    acm.certificates.change(arn, { status: 'ISSUED' });
    expect(await ensure(claimed({ revision: 8 }))).toBe(arn);
    expect(arns()).toEqual([arn]);
  });

  test('asked twice at once requests one', async () => {
    const { arns, ensure } = await served();
    const [one, other] = await Promise.all([ensure(claimed()), ensure(claimed())]);
    expect(one).toBe(other);
    expect(arns()).toEqual([one]);
  });

  test('leaves the certificate of another claim of the same name alone', async () => {
    const { acm, arns, ensure } = await served();
    const others = await ensure(claimed({ target: 'fedcba.apps.petstore.example' }));
    acm.certificates.change(others, { status: 'FAILED' });
    const untagged = await acm.requested('www.zoo.example');
    const arn = await ensure(claimed());
    expect(arns()).toEqual([others, untagged, arn].toSorted());
  });

  test.each(['FAILED', 'VALIDATION_TIMED_OUT', 'EXPIRED'] as const)(
    'deletes one that is %s and requests another',
    async status => {
      const { acm, arns, ensure } = await served();
      const before = await ensure(claimed());
      acm.certificates.change(before, { status });
      const arn = await ensure(claimed({ revision: 2 }));
      expect(arn).not.toBe(before);
      expect(arns()).toEqual([arn]);
    },
  );

  test('requests another beside one that has expired and is still in use', async () => {
    const { acm, arns, ensure } = await served();
    const before = await ensure(claimed());
    acm.certificates.change(before, { status: 'EXPIRED' });
    acm.users.set(before, ['a load balancer']);
    const arn = await ensure(claimed({ revision: 2 }));
    expect(arns()).toEqual([before, arn].toSorted());
    expect(await ensure(claimed({ revision: 3 }))).toBe(arn);
  });
});

test('a name that is too long for a certificate of its own is an alternative name, with all records shown', async () => {
  const { acm, ensure, view, removeAll } = await served();
  const domain = `${'a'.repeat(40)}.${'b'.repeat(30)}.zoo.example`;
  const parent = `${'b'.repeat(30)}.zoo.example`;
  const long = claimed({ domain });
  const arn = await ensure(long);
  expect(acm.certificates.find(arn)?.names).toEqual([parent, domain]);
  acm.nowMs += 5000;
  expect(await view(arn)).toMatchObject({ validations: [recordOf(parent), recordOf(domain)] });
  expect(await ensure({ ...long, revision: 2 })).toBe(arn);
  expect(await removeAll(long)).toBe(true);
  expect(acm.certificates.list()).toEqual([]);
});

describe('view', () => {
  test('shows the validation record once ACM names it, without dots at the ends', async () => {
    const { acm, ensure, view } = await served();
    const arn = await ensure(claimed());
    const pending = { ...NONE, status: 'PENDING_VALIDATION' };
    expect(await view(arn)).toEqual(pending);
    acm.nowMs += 5000;
    expect(await view(arn)).toEqual({ ...pending, validations: [recordOf('www.zoo.example')] });
  });

  test('tells why one failed, in the words of ACM', async () => {
    const { acm, ensure, view } = await served();
    const arn = await ensure(claimed());
    acm.publish('www.zoo.example');
    acm.dns.caas.set('zoo.example', [{ flags: 0, tag: 'issue', value: 'letsencrypt.org' }]);
    acm.nowMs += 5000;
    expect(await view(arn)).toMatchObject({ status: 'FAILED', failure: 'CAA_ERROR' });
  });

  test('tells that one cannot be renewed', async () => {
    const { acm, view } = await served();
    const arn = await acm.issued('www.zoo.example');
    expect(await view(arn)).toMatchObject({ status: 'ISSUED', renewal: null });
    acm.users.set(arn, ['a load balancer']);
    acm.dns.cnames.clear();
    acm.nowMs += 160 * DAY_MS;
    expect(await view(arn)).toMatchObject({ status: 'ISSUED', renewal: 'PENDING_VALIDATION' });
  });

  test('of one that is not there has no status', async () => {
    const { view } = await served();
    expect(await view(certified().arn ?? '')).toEqual(NONE);
  });
});

describe('removeAll', () => {
  test('deletes all of the claim, those that are noted only included, and no others', async () => {
    const { acm, arns, ensure, removeAll } = await served();
    const others = await ensure(claimed({ target: 'fedcba.apps.petstore.example' }));
    await ensure(claimed());
    const noted = await acm.requested('www.zoo.example');
    const domain = claimed({ certificate: certified({ arn: noted }) });
    expect(await removeAll(domain)).toBe(true);
    expect(arns()).toEqual([others]);
    expect(await removeAll(domain)).toBe(true);
  });

  test('is not done while one is in use, and is done afterwards', async () => {
    const { acm, arns, ensure, removeAll } = await served();
    const inUse = await ensure(claimed());
    const noted = await acm.requested('www.zoo.example');
    const domain = claimed({ certificate: certified({ arn: noted }) });
    acm.users.set(inUse, ['a load balancer']);
    expect(await removeAll(domain)).toBe(false);
    expect(arns()).toEqual([inUse]);
    acm.users.clear();
    expect(await removeAll(domain)).toBe(true);
    expect(arns()).toEqual([]);
  });
});
