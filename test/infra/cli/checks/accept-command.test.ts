import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../../infra/cli/checks/acceptance/report.ts';
import { temporaryFolder } from '../../../../infra/local/testing/temporary-folder.ts';
import { petstoreHere } from '../petstore-here.ts';
import { petstoreInTerminal } from '../run-petstore.ts';
import { startAccount } from './account/account-stand-in.ts';

type Account = Awaited<ReturnType<typeof startAccount>>;

/** Runs steps in an account in which all is well but for what the test changes. */
async function accepted(only: string, changed: Partial<Account> = {}) {
  const account = Object.assign(await startAccount(), changed);
  const run = await petstoreHere(`accept --only ${only} --json`, account.environment);
  const report: Report = JSON.parse(run.stdout);
  return {
    ...run,
    account,
    report,
    outcome: (name: string) => report.steps.find(({ step }) => step === name),
  };
}

describe('petstore accept', () => {
  test('0: prints a report to send back, without the id of the account', async () => {
    const account = await startAccount();
    account.topics = {};
    const line = ['accept', '--only', 'doctor,drift', '--skip', 'drift=no permission'];
    const { stdout, stderr, exitCode } = await petstoreHere(line, account.environment);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# Acceptance of staging\n\n12 steps: 1 ok, 11 skipped\.\n/);
    expect(stdout).toContain('- Where: eu-central-1, account ********9012\n');
    expect(stdout).toMatch(/^\| doctor \| ok \| [\d.]+ m?s \| \d+ subjects ok, 1 warning, 0 failures \|$/m);
    expect(stdout).toContain('| drift | skipped |  | no permission |\n');
    expect(stdout).toContain('| smoke | skipped |  | not among --only |\n');
    expect(stdout).toContain('\n## doctor: problems in the environment\n\n- warning: alarms: ');
    expect(stdout).not.toContain('123456789012');
    expect(stderr).toMatch(/^\[1\/12\] doctor: .*\n {2}ok, .*\n$/);
  });

  test('1: goes on after a step that failed', async () => {
    const { report, outcome, exitCode } = await accepted('attach-role,drift', {
      drifts: ['PublicApiStage'],
      roles: {},
    });
    expect([report.failed, exitCode]).toEqual([['attach-role', 'drift'], 1]);
    expect(outcome('attach-role')?.message).toBe('Petstore-Staging has no role for TendDomain');
    expect(outcome('drift')?.facts).toEqual([
      'PublicApiStage (AWS::ApiGateway::Stage) MODIFIED: /TracingEnabled is true, not false',
    ]);
  });

  test('writes the report to a file', async () => {
    const { environment } = await startAccount();
    const file = join(temporaryFolder(), 'report.md');
    const { stdout } = await petstoreHere(`accept --only drift --report ${file}`, environment);
    expect(stdout).toBe(`12 steps: 1 ok, 11 skipped. The report is in ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\| drift \| ok \| .* \| the stack is as it was deployed \|$/m,
    );
  });

  test.each([
    ['--only drift,nonsense', '--only: there is no step "nonsense". The steps are doctor, smoke,'],
    ['--skip drift', '--skip needs a reason for the report, such as drift="not today".'],
    ['--teardown --stage production', "accept doesn't tear production down."],
    ['--apex example.com --local', 'With --local, the step domains uses its own names. Leave yours out.'],
  ])('2: %s', async (options, message) => {
    const { stdout, stderr, exitCode } = await petstoreHere(`accept ${options}`);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(message);
  });
});

describe('the roles of domains', () => {
  test("are refused at others' names and certificates, with what a simulation leaves open", async () => {
    const { outcome, account } = await accepted('attach-role');
    expect(outcome('attach-role')).toMatchObject({
      result: 'ok',
      facts: [
        'TendDomain: apigateway:PATCH, tagged by this environment: allowed',
        'TendDomain: apigateway:PATCH, tagged by another environment: implicitDeny',
        'TendDomain: apigateway:PATCH, tagged by nobody: implicitDeny',
        'TendDomain: apigateway:PUT, tagged by this environment: allowed',
        'TendDomain: apigateway:PUT, tagged by another environment: implicitDeny',
        'TendDomain: apigateway:PUT, tagged by nobody: allowed',
        'TendDomain: acm:AddTagsToCertificate, tagged by this environment: implicitDeny',
        'TendDomain: acm:AddTagsToCertificate, tagged by another environment: implicitDeny',
        'TendDomain: acm:AddTagsToCertificate, tagged by nobody: implicitDeny',
        expect.stringContaining('A mapping that is being created has no tags'),
        expect.stringContaining('not which tags AWS passes'),
      ],
    });
    expect(account.simulatedRoles.at(-1)).toBe(
      'arn:aws:iam::123456789012:role/Petstore-Staging-DomainFlowTendDomainRole-1A2B',
    );
  });

  test.each([
    ['allowed', 'TendDomain: apigateway:PUT, tagged by another environment: allowed; TendDomain'],
    ['implicitDeny', 'TendDomain: apigateway:PATCH, tagged by this environment: implicitDeny; Tend'],
  ])('fail when everything is %s', async (decision, message) => {
    const { outcome } = await accepted('attach-role', { decide: () => decision });
    const failed = { result: 'failed', message: expect.stringContaining(message) };
    expect(outcome('attach-role')).toMatchObject(failed);
  });

  test('are undecided if somebody else has to ask IAM', async () => {
    const { outcome, exitCode } = await accepted('attach-role', { denied: new Set(['iam']) });
    const undecided = { result: 'undecided', message: 'AuthorizationError: You may not.' };
    expect(outcome('attach-role')).toMatchObject(undecided);
    expect(exitCode).toBe(0);
  });
});

describe('the mail of an alarm', () => {
  test('is not confirmed without a terminal: an alarm that is not set off yet is', async () => {
    const { outcome, account } = await accepted('alarm-mail');
    expect(outcome('alarm-mail')).toMatchObject({
      result: 'undecided',
      facts: ["petstore-staging-b: Successfully executed action t; the email isn't confirmed"],
    });
    expect(account.raisedAlarms).toEqual(['petstore-staging-b']);
  });

  test.each([
    ['y', '| alarm-mail | ok |', 0],
    ['n', '| alarm-mail | **failed** |', 1],
  ])('has come or not, as the engineer says: %s', async (typed, line, code) => {
    const { environment } = await startAccount();
    const { screen, exitCode } = await petstoreInTerminal(
      'accept --only alarm-mail',
      environment,
      `${typed}\r`,
    );
    expect(screen).toContain('Has the email about petstore-staging-b arrived? [y/N]');
    expect(screen).toContain(line);
    expect(exitCode).toBe(code);
  });

  test('fails if CloudWatch may not send it, and is skipped where no alarm sends one', async () => {
    const denied = await accepted('alarm-mail', { alarmAction: 'Failed' });
    expect(denied.outcome('alarm-mail')).toMatchObject({ result: 'failed' });
    const silent = await accepted('alarm-mail', { alarms: [] });
    expect(silent.outcome('alarm-mail')).toMatchObject({
      result: 'skipped',
      message: expect.stringContaining('set alarmAddress in infra/settings/staging.json'),
    });
  });
});
