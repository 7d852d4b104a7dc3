import { describe, expect, test } from 'vitest';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../../../shared/aws/ownership-tags.ts';
import type { DomainReason } from '../../../../../shared/domains/life/domain-reason.ts';
import { ALARM_TOPIC, DOMAIN_TOPIC } from './account-stand-in.ts';
import { type Account, examined } from './examined.ts';

const HOUR_MS = 3_600_000;

const tagsOf = (environment: string, claim: string) => ({
  [ENVIRONMENT_TAG]: environment,
  [CLAIM_TAG]: claim,
});

const withState = (changes: Partial<Account['state']>) => (account: Account) => {
  account.state = { ...account.state, ...changes };
};
const withKeys = (changes: Partial<Account['state']['keys']>) => (account: Account) =>
  withState({ keys: { ...account.state.keys, ...changes } })(account);
const UNRECOVERABLE = { recovery: 'DISABLED', isProtected: false } as const;

type Case = [
  subject: string,
  status: string,
  said: RegExp,
  change: Parameters<typeof examined>[0],
  settings?: object,
];

describe('the subjects of the doctor', () => {
  const CASES: Case[] = [
    [
      'credentials',
      'failure',
      /for account 123456789012; .* pin staging to 9/,
      {},
      { account: '999999999999' },
    ],
    ['region', 'failure', /^Add --region us-east-1\.$/m, {}, { region: 'us-east-1' }],
    [
      'operator',
      'warning',
      /: npx cdk deploy Petstore-Staging$/,
      withState({ version: '0.9.0+000000000000' }),
    ],
    [
      'platform domain',
      'warning',
      /^Set platformDomain in infra\/settings\/staging\.json/m,
      withState({ platformDomain: null, delegation: null }),
    ],
    [
      'delegation',
      'failure',
      /^Create an NS record\./m,
      withState({ delegation: { isInPlace: false, observed: ['none'], remedy: 'Create an NS record.' } }),
    ],
    ['API keys', 'failure', /petstore keys reconcile$/, withKeys({ missing: ['key_1'] })],
    ['API keys', 'warning', /petstore keys reconcile$/, withKeys({ orphans: ['key_1'] })],
    [
      'API keys',
      'failure',
      /update-api-key --api-key abc --patch-operations op=replace,path=\/enabled,value=true$/,
      withKeys({ disabled: [{ id: 'key_1', gatewayId: 'abc' }] }),
    ],
    [
      'stack',
      'failure',
      /describe-stack-events --stack-name Petstore-Staging\./,
      { stack: { status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true } },
    ],
    [
      'custom domains',
      'warning',
      /petstore domains show <domain>/,
      ({ domains }) => domains.push({ domain: 'zoo.dev', status: 'live', reason: 'traffic_record_missing' }),
    ],
    [
      'custom domains',
      'warning',
      /zoo\.dev \(1 hour ago\)[\s\S]*petstore logs --group reconcile-domains/,
      ({ domains }) =>
        domains.push(
          {
            domain: 'zoo.dev',
            status: 'live',
            reason: null,
            dueAt: new Date(Date.now() - 3_700_000).toISOString(),
          },
          {
            domain: 'bee.dev',
            status: 'live',
            reason: null,
            dueAt: new Date(Date.now() - 600_000).toISOString(),
          },
        ),
    ],
    [
      'tables',
      'failure',
      /PointInTimeRecoveryEnabled=true --table-name Petstore-Pets$/,
      { tables: { 'Petstore-Pets': { recovery: 'DISABLED', isProtected: true } } },
    ],
    ['tables', 'failure', /^See "Restore a table"/m, { tables: {} }],
    [
      'tables',
      'failure',
      /can't be recovered in Restored-Pets:/,
      account => {
        withState({ tables: ['Restored-Pets'] })(account);
        account.tables['Restored-Pets'] = UNRECOVERABLE;
      },
    ],
    [
      'tables',
      'failure',
      /can't be recovered in Restored-Keys:/,
      ({ tables }) => Object.assign(tables, { 'Restored-Keys': UNRECOVERABLE }),
      { restoredTables: { idempotencyKeys: 'Restored-Keys' } },
    ],
    [
      'alarms',
      'warning',
      /^Set alarmAddress in infra\/settings\/staging\.json/m,
      { topics: { [DOMAIN_TOPIC]: { 'ops@zoo.dev': `${DOMAIN_TOPIC}:0c8a` } } },
    ],
    [
      'alarms',
      'failure',
      /aws sns subscribe .* --topic-arn arn:aws:sns:\S+:alarms --notification-endpoint <address>$/,
      { topics: { [ALARM_TOPIC]: {} } },
    ],
    [
      'alarms',
      'failure',
      /aws sns subscribe .* --topic-arn arn:aws:sns:\S+DomainMailTopic\S+ /,
      ({ topics }) => Object.assign(topics, { [DOMAIN_TOPIC]: { 'ops@zoo.dev': 'Deleted' } }),
    ],
    [
      'alarms',
      'failure',
      /^Deploy: npx cdk deploy Petstore-Staging$/m,
      { topics: {} },
      { alarmAddress: 'ops@zoo.dev' },
    ],
    [
      'role for API logs',
      'failure',
      /^Leave gatewayLogRole out of infra\/settings\/staging\.json/m,
      { logRole: undefined },
    ],
    [
      'role for API logs',
      'warning',
      /value=arn:aws:iam::123456789012:role\/Petstore-Staging-PublicApiCloudWatchRole$/,
      { logRole: 'arn:aws:iam::123456789012:role/Petstore-Production-PublicApiCloudWatchRole' },
    ],
    [
      'quota of domain names',
      'warning',
      /--service-code apigateway --quota-code L-A93447B8 --desired-value 2$/,
      account => {
        account.domainNameQuota = 1;
        account.domainNames.add({ domainName: 'a.dev', certificateArn: 'arn', tags: {} } as never);
      },
    ],
    ['Lambda concurrency', 'warning', /--quota-code L-B99A9384/, { concurrency: 10 }],
    [
      'Lambda concurrency',
      'warning',
      /^Set concurrencyQuota to 1000 in/m,
      {},
      { alarmAddress: 'ops@zoo.dev', concurrencyQuota: 3000 },
    ],
  ];

  test.each(CASES)('3: %s is a %s with a remedy: %s', async (subject, status, said, change, settings) => {
    const { exitCode, toDo, finding } = await examined(change, 'staging', settings);
    expect(finding(subject).status).toBe(status);
    expect(finding(subject).remedy).toEqual(expect.any(String));
    expect(`${finding(subject).message}\n${finding(subject).remedy}`).toMatch(said);
    expect([exitCode, toDo]).toEqual([3, [subject]]);
  });

  test('3: names certificates and domain names of this environment without a record', async () => {
    const { exitCode, toDo, finding } = await examined(({ certificates, domainNames }) => {
      const add = (name: string, environment: string, claim: string, ageMs = HOUR_MS) => {
        const [tags, createdAtMs] = [tagsOf(environment, claim), Date.now() - ageMs];
        return certificates.add({ names: [name], keyAlgorithm: 'RSA_2048', tags, createdAtMs }).arn;
      };
      add('a.dev', 'staging', 'claim1');
      add('b.dev', 'production', 'other');
      add('c.dev', 'staging', 'just requested', 0);
      const orphan = add('d.dev', 'staging', 'gone');
      for (const [domainName, claim] of [
        ['a.dev', 'claim1'],
        ['d.dev', 'gone'],
      ] as const) {
        domainNames.add({ domainName, certificateArn: orphan, tags: tagsOf('staging', claim) } as never);
      }
    });
    expect([exitCode, toDo]).toEqual([3, ['certificates', 'domain names']]);
    expect(finding('certificates').message).toMatch(
      /^1 certificate of staging without a record: arn:aws:acm/,
    );
    expect(finding('domain names')).toMatchObject({
      message: '1 domain name of staging without a record: d.dev.',
      remedy: expect.stringContaining('aws apigateway delete-domain-name --domain-name <name>'),
    });
  });

  test('0: counts certificates with keys of every type, also of others', async () => {
    const { finding } = await examined(({ certificates }) => {
      const others = { tags: {}, createdAtMs: Date.now() };
      certificates.add({ names: ['e.dev'], keyAlgorithm: 'EC_prime256v1', ...others });
      certificates.add({ names: ['r.dev'], keyAlgorithm: 'RSA_2048', ...others });
    });
    expect(finding('quota of certificates').message).toBe('2 of 2500 are used');
  });

  test('3: production is to be protected from deletion', async () => {
    const unprotected = {
      stack: { status: 'CREATE_COMPLETE', isProtected: false },
      tables: { 'Petstore-Pets': { recovery: 'ENABLED', isProtected: false } },
    } as const;
    const { toDo, finding } = await examined(unprotected, 'production');
    expect(toDo).toEqual(['stack']);
    expect(finding('stack').remedy).toContain('Set protected to true in infra/settings/production.json');
  });

  test('3: a table that was restored is to be protected like the stack', async () => {
    const restored = { tables: { 'Petstore-Pets': { recovery: 'ENABLED', isProtected: false } } } as const;
    const { toDo, finding } = await examined(restored, 'production');
    expect(toDo).toEqual(['tables']);
    expect(finding('tables')).toMatchObject({
      message: expect.stringContaining('deletion protection is off'),
      remedy: 'Run: aws dynamodb update-table --deletion-protection-enabled --table-name Petstore-Pets',
    });
  });

  const UNPROTECT =
    'aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name Petstore-Production';
  const DEPLOY = 'npx cdk deploy Petstore-Production';
  test.each([
    ['ROLLBACK_COMPLETE', false, [DEPLOY]],
    // A version before this one protected the stack first.
    ['ROLLBACK_COMPLETE', true, [UNPROTECT, DEPLOY]],
    ['CREATE_FAILED', false, ['npx cdk rollback Petstore-Production', DEPLOY]],
    [
      'ROLLBACK_FAILED',
      true,
      [
        UNPROTECT,
        'aws dynamodb update-table --no-deletion-protection-enabled --table-name Petstore-Pets',
        'aws dynamodb delete-table --table-name Petstore-Pets',
        DEPLOY,
      ],
    ],
  ])(
    '3: a first deploy that failed, %s, is repeated by exact commands',
    async (status, isProtected, commands) => {
      const tableStatus = status === 'ROLLBACK_COMPLETE' ? 'DELETE_COMPLETE' : 'DELETE_FAILED';
      const failed = { hasFunction: false, stack: { status, isProtected, tableStatus } };
      const { exitCode, toDo, finding } = await examined(failed, 'production');
      expect([exitCode, toDo]).toEqual([3, ['operator', 'stack']]);
      expect(finding('stack').message).toBe(`The first deploy of Petstore-Production failed: ${status}.`);
      expect(finding('stack').remedy).toContain(`. Then run: ${commands.join(' && ')} (infra/runbook.md`);
      expect(finding('tables')).toMatchObject({ status: 'skipped' });
    },
  );

  const setUp = (
    domain: string,
    status: 'verifying' | 'issuing' | 'failed',
    reason: DomainReason | null,
  ) => ({
    domain,
    status,
    reason,
    records: [],
    checkedAt: '2026-01-01T00:00:00.000Z',
  });

  test('0: a domain that waits for its owner is nothing to do here, and is named as the dashboard does', async () => {
    const { toDo, finding } = await examined(({ domains }) =>
      domains.push(setUp('zoo.dev', 'verifying', 'caa_blocked'), setUp('bee.dev', 'verifying', null)),
    );
    expect(toDo).toEqual([]);
    expect(finding('custom domains').message).toBe(
      "1 live domain passed its last check; 1 isn't live yet, or being removed; 1 needs attention from its owner: zoo.dev (caa_blocked)",
    );
  });

  test("3: a set-up that is stuck at AWS is the operator's", async () => {
    const stuck = setUp('zoo.dev', 'issuing', 'attachment_refused');
    const { toDo, finding } = await examined(({ domains }) => domains.push(stuck));
    expect(toDo).toEqual(['custom domains']);
    expect(finding('custom domains').message).toContain('zoo.dev (attachment_refused)');
  });

  test('3: there is no such stack', async () => {
    const { toDo, finding } = await examined({ stack: undefined });
    expect(toDo).toEqual(['stack', 'tables', 'alarms']);
    expect(finding('stack').message).toBe('There is no stack Petstore-Staging in eu-central-1.');
  });
});
