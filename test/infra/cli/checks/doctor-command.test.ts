import { describe, expect, test } from 'vitest';
import { sourceVersion } from '../../../../infra/tools/build-cache.ts';
import { petstoreHere } from '../petstore-here.ts';
import { ALARM_TOPIC, startAccount } from './account/account-stand-in.ts';
import { examined } from './account/examined.ts';

describe('petstore doctor', () => {
  test('0: all is well, a line for each subject', async () => {
    const { environment } = await startAccount();
    const { stdout, stderr, exitCode } = await petstoreHere('doctor', environment);
    expect(stderr).toBe('');
    const statuses = stdout
      .split('\n\n')[0]
      ?.split('\n')
      .map(line => line.split(' ')[0]);
    expect(new Set(statuses)).toEqual(new Set(['ok', 'skipped']));
    expect(stdout).toContain('arn:aws:iam::123456789012:user/jane, account 123456789012');
    expect(stdout).toMatch(/^ok +region +eu-central-1$/m);
    expect(stdout).toContain(`runs this checkout's version, ${sourceVersion()}`);
    expect(stdout).toMatch(/^ok +alarms +emails reach ops@zoo\.dev$/m);
    expect(stdout).toMatch(/^skipped +certificates +staging has none$/m);
    expect(stdout).toMatch(
      /\n\n(\d+) subjects of \d+ checked in staging: no problems found\.\s+Not\s+checked:\s+certificates,\s+domain\s+names\.\nThis didn't call the API\. To check it, run: petstore smoke\n$/,
    );
    expect(exitCode).toBe(0);
  });

  test('3: prints the remedy below the line', async () => {
    const account = await startAccount();
    account.topics[ALARM_TOPIC] = { 'ops@zoo.dev': 'PendingConfirmation' };
    const { stdout, exitCode } = await petstoreHere('doctor', account.environment);
    expect(stdout).toMatch(
      /^failure {2}alarms +Emails don't reach ops@zoo\.dev: the subscription isn't confirmed\.\n {9}Follow the link in the email/m,
    );
    expect(stdout).toMatch(
      /staging needs attention: alarms\. Not checked: certificates, domain names\.\nThis didn't/,
    );
    expect(exitCode).toBe(3);
  });

  test('0: a warning, with --failures-only; a failure still is 3', async () => {
    const account = await startAccount();
    account.state = { ...account.state, version: '1.0.0+0123456789ab' };
    const exitOf = async (line: string) => (await petstoreHere(line, account.environment)).exitCode;
    expect([await exitOf('doctor'), await exitOf('doctor --failures-only')]).toEqual([3, 0]);
    account.topics[ALARM_TOPIC] = { 'ops@zoo.dev': 'PendingConfirmation' };
    expect(await exitOf('doctor --failures-only')).toBe(3);
  });

  test('2: settings in a folder that does not exist', async () => {
    const { stdout, stderr, exitCode } = await petstoreHere('doctor --settings /nowhere');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain("The --settings folder doesn't exist: /nowhere.");
  });

  test('3: missing credentials are a finding with a remedy, and nothing else can be checked', async () => {
    const run = await petstoreHere('doctor', { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: '' });
    expect([run.exitCode, run.stderr]).toEqual([3, '']);
    expect(run.stdout).toMatch(
      /^failure {2}credentials +There are no AWS credentials on this machine\.\n {9}Set them up with: aws configure/m,
    );
    expect(run.stdout).toMatch(/^skipped {2}alarms +can't be checked: see credentials$/m);
    expect(run.stdout).toMatch(/staging needs attention: credentials\. Not checked: region, /);
  });

  test('1: the function for checks cannot be invoked', async () => {
    const { exitCode, stderr } = await examined(account => account.denied.add('lambda'));
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'access_denied' });
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

  test('3: an environment of a version without the function for checks is to be deployed', async () => {
    const { toDo, finding } = await examined({ hasFunction: false });
    expect(toDo).toEqual(['operator']);
    expect(finding('operator').message).toBe('There is no function petstore-staging-checks in eu-central-1.');
    expect(finding('delegation')).toMatchObject({ status: 'skipped' });
  });
});
