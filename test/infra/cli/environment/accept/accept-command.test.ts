import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../../../../infra/cli/environment/accept/report.ts';
import { petstoreHere } from '../../petstore-here.ts';
import { petstoreInTerminal } from '../../run-petstore.ts';
import { startAccount } from '../doctor/account-stand-in.ts';

const decided = (EvalDecision: string) => ({ EvaluationResults: [{ EvalDecision }] });

/** What the AWS CLI prints, by service and operation. A simulation depends on the action and on the resource's tag. */
const PRINTED = {
  'cloudformation list-stack-resources': ['AttachDomain', 'CheckCertificate'].map(
    step => `Petstore-Staging-DomainFlow${step}Role-1A2B`,
  ) as unknown,
  'iam simulate-principal-policy': {
    ...decided('implicitDeny'),
    'apigateway:PATCH staging': decided('allowed'),
    'apigateway:PUT staging': decided('allowed'),
    'apigateway:PUT none': decided('allowed'),
  } as unknown,
  'cloudwatch describe-alarms': [
    { AlarmName: 'petstore-staging-a', StateValue: 'ALARM', ActionsEnabled: true, AlarmActions: ['t'] },
    { AlarmName: 'petstore-staging-b', StateValue: 'OK', ActionsEnabled: true, AlarmActions: ['t'] },
  ] as unknown,
  'cloudwatch set-alarm-state': undefined as unknown,
  'cloudwatch describe-alarm-history': ['Successfully executed action t'] as unknown,
};

type Printed = Partial<typeof PRINTED>;

/** A folder with a command `aws` that prints these, or an error. */
function awsCommand(changed: Printed = {}): { readonly folder: string; calls(): string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-aws-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `#!${process.execPath}
    const words = process.argv.slice(2);
    require('node:fs').appendFileSync('${folder}/calls', words.join(' ') + '\\n');
    const printed = ${JSON.stringify({ ...PRINTED, ...changed })}[words.slice(0, 2).join(' ')];
    const [, tag = 'none'] = /ResourceTag[^}]*"ContextKeyValues":\\["(\\w+)"\\]/.exec(words.join(' ')) ?? [];
    const simulation = words[words.indexOf('--action-names') + 1] + ' ' + tag;
    if (printed?.error) {
      console.error(printed.error);
      process.exit(254);
    }
    if (printed !== undefined) console.log(JSON.stringify(printed[simulation] ?? printed));`;
  writeFileSync(join(folder, 'aws'), script);
  chmodSync(join(folder, 'aws'), 0o755);
  return { folder, calls: () => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') };
}

/** Runs steps in an account in which all is well but for what the test changes. */
async function accepted(only: string, { cli = {}, drifts = [] }: { cli?: Printed; drifts?: string[] } = {}) {
  const account = Object.assign(await startAccount(), { drifts });
  const command = awsCommand(cli);
  const run = await petstoreHere(['accept', '--only', only, '--json'], {
    ...account.environment,
    PATH: command.folder,
  });
  const report: Report = JSON.parse(run.stdout);
  return {
    ...run,
    ...command,
    report,
    outcome: (name: string) => report.steps.find(({ step }) => step === name),
  };
}

describe('petstore accept', () => {
  test('0: prints a report to send back, without the id of the account', async () => {
    const account = await startAccount();
    account.topics = {};
    const { stdout, stderr, exitCode } = await petstoreHere(
      ['accept', '--only', 'doctor,drift', '--skip', 'drift=no permission'],
      account.environment,
    );
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
      cli: { 'cloudformation list-stack-resources': [] },
    });
    expect([report.failed, exitCode]).toEqual([['attach-role', 'drift'], 1]);
    expect(outcome('attach-role')?.message).toBe('Petstore-Staging has no role for AttachDomain');
    expect(outcome('drift')?.facts).toEqual([
      'PublicApiStage (AWS::ApiGateway::Stage) MODIFIED: /TracingEnabled is true, not false',
    ]);
  });

  test('writes the report to a file', async () => {
    const account = await startAccount();
    const { folder } = awsCommand();
    const file = join(folder, 'report.md');
    const { stdout } = await petstoreHere(
      ['accept', '--only', 'drift', '--report', file],
      account.environment,
    );
    expect(stdout).toBe(`12 steps: 1 ok, 11 skipped. The report is in ${file}.\n`);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\| drift \| ok \| .* \| the stack is as it was deployed \|$/m,
    );
  });

  test.each([
    [['--only', 'drift,nonsense'], '--only: there is no step "nonsense". The steps are doctor, smoke,'],
    [['--skip', 'drift'], '--skip needs a reason for the report, such as drift="not today".'],
    [['--teardown', '--stage', 'production'], "accept doesn't tear production down."],
    [
      ['--apex', 'example.com', '--local'],
      'With --local, the step domains uses its own names. Leave yours out.',
    ],
  ])('2: %j', async (words, message) => {
    const { stdout, stderr, exitCode } = await petstoreHere(['accept', ...words]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(message);
  });
});

describe('the roles of domains', () => {
  test("are refused at others' names and certificates, with what a simulation leaves open", async () => {
    const { outcome, calls } = await accepted('attach-role');
    expect(outcome('attach-role')).toMatchObject({
      result: 'ok',
      facts: [
        'AttachDomain: apigateway:PATCH, tagged by this environment: allowed',
        'AttachDomain: apigateway:PATCH, tagged by another environment: implicitDeny',
        'AttachDomain: apigateway:PATCH, tagged by nobody: implicitDeny',
        'AttachDomain: apigateway:PUT, tagged by this environment: allowed',
        'AttachDomain: apigateway:PUT, tagged by another environment: implicitDeny',
        'AttachDomain: apigateway:PUT, tagged by nobody: allowed',
        'CheckCertificate: acm:AddTagsToCertificate, tagged by this environment: implicitDeny',
        'CheckCertificate: acm:AddTagsToCertificate, tagged by another environment: implicitDeny',
        'CheckCertificate: acm:AddTagsToCertificate, tagged by nobody: implicitDeny',
        expect.stringContaining('A mapping that is being created has no tags'),
        expect.stringContaining('not which tags AWS passes'),
      ],
    });
    expect(calls().at(-1)).toContain(
      '--policy-source-arn arn:aws:iam::123456789012:role/Petstore-Staging-DomainFlowCheckCertificateRole-1A2B',
    );
  });

  test.each([
    ['allowed', 'AttachDomain: apigateway:PUT, tagged by another environment: allowed; CheckCertificate'],
    ['implicitDeny', 'AttachDomain: apigateway:PATCH, tagged by this environment: implicitDeny; Attach'],
  ])('fail when everything is %s', async (decision, message) => {
    const { outcome } = await accepted('attach-role', {
      cli: { 'iam simulate-principal-policy': decided(decision) },
    });
    expect(outcome('attach-role')).toMatchObject({
      result: 'failed',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [
      "isn't installed",
      {},
      { PATH: '/nowhere' },
      "the AWS CLI isn't installed (aws cloudformation list-stack",
    ],
    [
      'is denied',
      { 'iam simulate-principal-policy': { error: '\nAn error occurred (AccessDenied)' } },
      {},
      'An error occurred (AccessDenied) (aws iam simulate-principal-policy --policy-source-arn',
    ],
  ])('is undecided if the AWS CLI %s', async (_, cli, variables, message) => {
    const account = await startAccount();
    const { stdout, exitCode } = await petstoreHere(['accept', '--only', 'attach-role', '--json'], {
      ...account.environment,
      PATH: awsCommand(cli).folder,
      ...variables,
    });
    const report: Report = JSON.parse(stdout);
    const { result, message: seen } = report.steps.find(({ step }) => step === 'attach-role') ?? {};
    expect([result, exitCode]).toEqual(['undecided', 0]);
    expect(seen).toContain(message);
  });
});

describe('the mail of an alarm', () => {
  test('is not confirmed without a terminal: an alarm that is not set off yet is', async () => {
    const { outcome, calls } = await accepted('alarm-mail');
    expect(outcome('alarm-mail')).toMatchObject({
      result: 'undecided',
      facts: ["petstore-staging-b: Successfully executed action t; the email isn't confirmed"],
    });
    expect(calls()).toContainEqual(
      expect.stringMatching(
        /^cloudwatch set-alarm-state --alarm-name petstore-staging-b --state-value ALARM/,
      ),
    );
  });

  test.each([
    ['y', '| alarm-mail | ok |', 0],
    ['n', '| alarm-mail | **failed** |', 1],
  ])('has come or not, as the engineer says: %s', async (typed, line, code) => {
    const account = await startAccount();
    const PATH = `${awsCommand().folder}:${process.env.PATH}`;
    const { screen, exitCode } = await petstoreInTerminal(
      ['accept', '--only', 'alarm-mail'],
      { ...account.environment, PATH },
      `${typed}\r`,
    );
    expect(screen).toContain('Has the email about petstore-staging-b arrived? [y/N]');
    expect(screen).toContain(line);
    expect(exitCode).toBe(code);
  });

  test('fails if CloudWatch may not send it, and is skipped where no alarm sends one', async () => {
    const denied = await accepted('alarm-mail', {
      cli: { 'cloudwatch describe-alarm-history': ['Failed to execute action t'] },
    });
    expect(denied.outcome('alarm-mail')).toMatchObject({ result: 'failed' });
    const silent = await accepted('alarm-mail', { cli: { 'cloudwatch describe-alarms': [] } });
    expect(silent.outcome('alarm-mail')).toMatchObject({
      result: 'skipped',
      message: expect.stringContaining('set alarmAddress in infra/settings/staging.json'),
    });
  });
});
