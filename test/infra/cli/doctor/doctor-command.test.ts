import { describe, expect, test } from 'vitest';
import { sourceVersion } from '../../../../infra/source-version.ts';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../../shared/aws/ownership-tags.ts';
import { petstoreHere } from '../petstore-here.ts';
import { startAccount } from './account-stand-in.ts';

type Account = Awaited<ReturnType<typeof startAccount>>;

const HOUR_MS = 3_600_000;

/** Runs the doctor in an account in which all is well but for what the test changes. */
async function examined(change: (account: Account) => void = () => {}, ...words: string[]) {
  const account = await startAccount();
  change(account);
  const { stdout, stderr, exitCode } = await petstoreHere(
    ['doctor', ...words, '--json'],
    account.environment,
  );
  if (stdout === '') return { exitCode, stderr, toDo: [], finding: () => undefined };
  const { findings, toDo } = JSON.parse(stdout);
  const finding = (subject: string) =>
    findings.find((candidate: { subject: string }) => candidate.subject === subject);
  return { exitCode, stderr, toDo, finding };
}

const tagsOf = (environment: string, claim: string) => ({
  [ENVIRONMENT_TAG]: environment,
  [CLAIM_TAG]: claim,
});

describe('petstore doctor', () => {
  test('0: all is well, a line for each subject', async () => {
    const { environment } = await startAccount();
    const { stdout, stderr, exitCode } = await petstoreHere(['doctor'], environment);
    expect(stderr).toBe('');
    const statuses = stdout
      .split('\n\n')[0]
      ?.split('\n')
      .map(line => line.split(' ')[0]);
    expect(new Set(statuses)).toEqual(new Set(['ok']));
    expect(stdout).toContain('arn:aws:iam::123456789012:user/jane, account 123456789012');
    expect(stdout).toMatch(/^ok +region +eu-central-1$/m);
    expect(stdout).toContain(`has the version ${sourceVersion()} of this checkout`);
    expect(stdout).toMatch(/^ok +alarms +they reach ops@zoo\.dev$/m);
    expect(stdout).toMatch(/\n\nAll is well in staging\.\n$/);
    expect(exitCode).toBe(0);
  });

  test('3: prints the remedy below the line', async () => {
    const account = await startAccount();
    account.subscriptions = { 'ops@zoo.dev': 'PendingConfirmation' };
    const { stdout, exitCode } = await petstoreHere(['doctor'], account.environment);
    expect(stdout).toMatch(
      /^failure {2}alarms +Alarms do not reach ops@zoo\.dev: the subscription is not confirmed\.\n {9}Follow the link in the mail/m,
    );
    expect(stdout).toMatch(/There is something to do in staging: alarms\.\n$/);
    expect(exitCode).toBe(3);
  });

  test('1: there are no credentials', async () => {
    const run = await petstoreHere(['doctor'], { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: '' });
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain('There are no AWS credentials on this machine.');
  });

  const CASES: [subject: string, status: string, remedy: RegExp, change: (account: Account) => void][] = [
    [
      'operator',
      'warning',
      /deploy this one: npx cdk deploy Petstore-Staging$/,
      account => {
        account.state = { ...account.state, version: '0.9.0+000000000000' };
      },
    ],
    [
      'platform domain',
      'warning',
      /^Set platformDomain in infra\/settings\/staging\.json/,
      account => {
        account.state = { ...account.state, platformDomain: null, delegation: null };
      },
    ],
    [
      'delegation',
      'failure',
      /^Create an NS record\./,
      account => {
        const delegation = { isInPlace: false, observed: ['none'], remedy: 'Create an NS record.' } as const;
        account.state = { ...account.state, delegation };
      },
    ],
    [
      'API keys',
      'failure',
      /petstore keys reconcile$/,
      account => {
        account.state = { ...account.state, keys: { missing: ['key_1'], orphans: [] } };
      },
    ],
    [
      'API keys',
      'warning',
      /petstore keys reconcile$/,
      account => {
        account.state = { ...account.state, keys: { missing: [], orphans: ['key_1'] } };
      },
    ],
    [
      'stack',
      'failure',
      /describe-stack-events --stack-name Petstore-Staging\./,
      account => {
        account.stack = { status: 'UPDATE_ROLLBACK_COMPLETE', isProtected: true };
      },
    ],
    [
      'tables',
      'failure',
      /npx cdk drift Petstore-Staging$/,
      account => {
        account.tables['Petstore-Pets'] = { recovery: 'DISABLED', isProtected: true };
      },
    ],
    [
      'alarms',
      'warning',
      /^Set alarmAddress in infra\/settings\/staging\.json/,
      account => {
        account.subscriptions = {};
      },
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
    [
      'Lambda concurrency',
      'warning',
      /--quota-code L-B99A9384/,
      account => {
        account.concurrency = 10;
      },
    ],
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
    expect(finding('tables').message).toContain('deletion protection is off');
  });

  test('3: there is no such stack', async () => {
    const { toDo, finding } = await examined(account => {
      account.stack = undefined;
    });
    expect(toDo).toEqual(['stack', 'tables', 'alarms']);
    expect(finding('stack').message).toBe('There is no stack Petstore-Staging in eu-central-1.');
  });

  test('3: says which permissions are missing', async () => {
    const { toDo, finding } = await examined(account => account.denied.add('sns').add('acm'));
    expect(toDo).toEqual(['alarms', 'certificates', 'quota of certificates']);
    expect(finding('certificates').remedy).toContain('acm:ListCertificates, acm:ListTagsForCertificate');
    expect(finding('alarms')).toMatchObject({
      status: 'warning',
      remedy: 'Ask for the permissions sns:ListSubscriptionsByTopic.',
    });
  });

  test('3: an operator function that is too old to say is to be deployed', async () => {
    const { toDo, finding } = await examined(account => {
      const error = { code: 'invalid_request', reason: 'command_unknown', message: 'no' } as const;
      account.refusal = { ok: false, error };
    });
    expect(toDo).toEqual(['operator']);
    expect(finding('delegation')).toMatchObject({ status: 'skipped' });
  });
});
