import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../infra/local/test/temporary-folder.ts';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../../../shared/aws/ownership-tags.ts';
import { ALARM_TOPIC, DOMAIN_TOPIC } from './account-stand-in.ts';
import { type Account, examined } from './examined.ts';

const HOUR_MS = 3_600_000;

const tagsOf = (environment: string, claim: string) => ({
  [ENVIRONMENT_TAG]: environment,
  [CLAIM_TAG]: claim,
});

/** A folder with settings of staging. */
function settingsFolder(settings: object): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'staging.json'), JSON.stringify(settings));
  return folder;
}

const withState = (changes: Partial<Account['state']>) => (account: Account) => {
  account.state = { ...account.state, ...changes };
};
const withKeys = (changes: Partial<Account['state']['keys']>) => (account: Account) =>
  withState({ keys: { ...account.state.keys, ...changes } })(account);

describe('the subjects of the doctor', () => {
  const CASES: [subject: string, status: string, remedy: RegExp, change: Parameters<typeof examined>[0]][] = [
    [
      'operator',
      'warning',
      /deploy this one: npx cdk deploy Petstore-Staging$/,
      withState({ version: '0.9.0+000000000000' }),
    ],
    [
      'platform domain',
      'warning',
      /^Set platformDomain in infra\/settings\/staging\.json/,
      withState({ platformDomain: null, delegation: null }),
    ],
    [
      'delegation',
      'failure',
      /^Create an NS record\./,
      withState({ delegation: { isInPlace: false, observed: ['none'], remedy: 'Create an NS record.' } }),
    ],
    ['API keys', 'failure', /petstore keys reconcile$/, withKeys({ missing: ['key_1'] })],
    ['API keys', 'warning', /petstore keys reconcile$/, withKeys({ orphans: ['key_1'] })],
    [
      'stack',
      'failure',
      /describe-stack-events --stack-name Petstore-Staging\./,
      { stack: { status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true } },
    ],
    [
      'tables',
      'failure',
      /PointInTimeRecoveryEnabled=true --table-name Petstore-Pets$/,
      { tables: { 'Petstore-Pets': { recovery: 'DISABLED', isProtected: true } } },
    ],
    [
      'API keys',
      'failure',
      /update-api-key --api-key abc --patch-operations op=replace,path=\/enabled,value=true$/,
      withKeys({ disabled: [{ id: 'key_1', gatewayId: 'abc' }] }),
    ],
    [
      'custom domains',
      'warning',
      /petstore domains show <domain>/,
      account => {
        account.domains.push({ domain: 'zoo.dev', status: 'live', reason: 'traffic_record_missing' });
      },
    ],
    ['tables', 'failure', /^See "Restore a table"/, { tables: {} }],
    [
      'alarms',
      'warning',
      /^Set alarmAddress in infra\/settings\/staging\.json/,
      account => {
        account.topics = { [DOMAIN_TOPIC]: account.topics[ALARM_TOPIC] ?? {} };
      },
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
      account => {
        account.topics[DOMAIN_TOPIC] = { 'ops@zoo.dev': 'Deleted' };
      },
    ],
    [
      'role for API logs',
      'failure',
      /^Deploy the environment that sets it first.*gatewayLogRole to true in infra\/settings\/staging\.json/,
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
  ];

  test.each(CASES)('3: %s is a %s with a remedy', async (subject, status, remedy, change) => {
    const { exitCode, toDo, finding } = await examined(change);
    expect(finding(subject)).toMatchObject({ status, remedy: expect.stringMatching(remedy) });
    expect([exitCode, toDo]).toEqual([3, [subject]]);
  });

  test('3: names certificates and domain names of this environment without a record', async () => {
    const { exitCode, toDo, finding } = await examined(({ certificates, domainNames }) => {
      const add = (name: string, environment: string, claim: string, ageMs = HOUR_MS) =>
        certificates.add({
          names: [name],
          keyAlgorithm: 'RSA_2048',
          tags: tagsOf(environment, claim),
          createdAtMs: Date.now() - ageMs,
        }).arn;
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
    const { toDo, finding } = await examined(
      account => {
        account.stack = { status: 'CREATE_COMPLETE', isProtected: false };
        account.tables['Petstore-Pets'] = { recovery: 'ENABLED', isProtected: false };
      },
      '--stage',
      'production',
    );
    expect(toDo).toEqual(['stack', 'tables']);
    expect(finding('stack').remedy).toContain(
      '--enable-termination-protection --stack-name Petstore-Production',
    );
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
      const { exitCode, toDo, finding } = await examined(
        account => {
          account.hasFunction = false;
          const tableStatus = status === 'ROLLBACK_COMPLETE' ? 'DELETE_COMPLETE' : 'DELETE_FAILED';
          account.stack = { status, isProtected, tableStatus };
        },
        '--stage',
        'production',
      );
      expect([exitCode, toDo]).toEqual([3, ['operator', 'stack']]);
      expect(finding('stack').message).toBe(`The first deploy of Petstore-Production failed: ${status}.`);
      expect(finding('stack').remedy).toContain(`. Then run: ${commands.join(' && ')} (infra/runbook.md`);
      expect(finding('tables')).toMatchObject({ status: 'skipped' });
    },
  );

  test('3: the account and region are not those that the settings pin the environment to', async () => {
    const folder = settingsFolder({ account: '999999999999', region: 'us-east-1' });
    const { toDo, finding } = await examined({}, '--settings', folder);
    expect(toDo).toEqual(['credentials', 'region']);
    expect(finding('credentials').message).toContain(
      'for account 123456789012; the settings pin staging to 999999999999',
    );
    expect(finding('region').remedy).toBe('Add --region us-east-1.');
  });

  test('3: there are no alarms although the settings have an address', async () => {
    const folder = settingsFolder({ alarmAddress: 'ops@zoo.dev' });
    const { toDo, finding } = await examined({ topics: {} }, '--settings', folder);
    expect(toDo).toEqual(['alarms']);
    expect(finding('alarms')).toMatchObject({
      status: 'failure',
      remedy: 'Deploy: npx cdk deploy Petstore-Staging',
    });
  });

  test('0: a domain that waits for its owner is nothing to do here', async () => {
    const { toDo } = await examined(account => {
      account.domains.push({ domain: 'zoo.dev', status: 'verifying', reason: 'challenge_missing' as never });
    });
    expect(toDo).toEqual([]);
  });

  test('3: the alarm on concurrency watches another quota; restored tables are to be protected', async () => {
    const restoredTables = { idempotencyKeys: 'Restored-Keys' };
    const folder = settingsFolder({ alarmAddress: 'ops@zoo.dev', concurrencyQuota: 3000, restoredTables });
    const unprotected = { recovery: 'DISABLED', isProtected: false } as const;
    const { toDo, finding } = await examined(
      ({ tables }) => Object.assign(tables, { 'Restored-Keys': unprotected }),
      '--settings',
      folder,
    );
    expect(toDo).toEqual(['tables', 'Lambda concurrency']);
    expect(finding('tables').message).toContain('Restored-Keys');
    expect(finding('Lambda concurrency').remedy).toMatch(/^Set concurrencyQuota to 1000 in/);
  });

  test('3: a restored table, which is not of the stack, is to be protected, too', async () => {
    const { toDo, finding } = await examined(account => {
      account.state = { ...account.state, tables: ['Restored-Pets'] };
      account.tables['Restored-Pets'] = { recovery: 'DISABLED', isProtected: false };
    });
    expect(toDo).toEqual(['tables']);
    expect(finding('tables').message).toContain("can't be recovered in Restored-Pets:");
  });

  test('3: there is no such stack', async () => {
    const { toDo, finding } = await examined({ stack: undefined });
    expect(toDo).toEqual(['stack', 'tables', 'alarms']);
    expect(finding('stack').message).toBe('There is no stack Petstore-Staging in eu-central-1.');
  });
});
