import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checksFunctionOf } from '../../infra/settings/environment-name.ts';
import { parseCommandLine } from '../infra/cli/parse-command-line.ts';
import { expression, faultsOf, parseWorkflow, stepsOf, workflows } from './workflows.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';

const GOOD = `
on:
  push:
permissions: {}
jobs:
  deploy:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    environment: staging
    permissions:
      contents: read
      id-token: write
    steps:
      - uses: actions/checkout@${SHA} # v1.2.3
        with:
          persist-credentials: false
      - run: npm ci --ignore-scripts
      - uses: aws-actions/configure-aws-credentials@${SHA} # v1.2.3
        with:
          role-to-assume: \${{ vars.AWS_ROLE_ARN }}
          aws-region: \${{ vars.AWS_REGION }}
      - run: npx cdk deploy
`;

test.for([...workflows()])('%s keeps the rules', ([, workflow]) => {
  expect(faultsOf(workflow)).toEqual([]);
});

test('a push is tested once: to a pull request by Test, to main by Deploy', () => {
  const testedBy = [...workflows()].filter(([, { on }]) => 'push' in on || 'pull_request' in on);
  expect(testedBy.map(([name, { on }]) => [name, on])).toEqual([
    ['deploy.yml', { push: { branches: ['main'] } }],
    ['test.yml', { pull_request: null, workflow_call: null, workflow_dispatch: null }],
  ]);
});

test('an action is used in one version everywhere', () => {
  const uses = [...workflows().values()].flatMap(
    ({ text }) => text.match(/[\w-]+\/[\w-]+@[0-9a-f]{40}.*/g) ?? [],
  );
  const actions = new Set(uses);
  expect(new Set([...actions].map(use => use.split('@')[0])).size).toBe(actions.size);
});

describe('the rules', () => {
  test('have no objection to a workflow that keeps them', () => {
    expect(faultsOf(parseWorkflow(GOOD))).toEqual([]);
  });

  test.for<[string, string, string]>([
    ['push:', 'pull_request_target:', 'the trigger pull_request_target is not allowed'],
    ['push:', 'workflow_run:', 'the trigger workflow_run is not allowed'],
    [`checkout@${SHA} # v1.2.3`, 'checkout@v4', 'actions/checkout@v4 is not pinned'],
    [`checkout@${SHA} # v1.2.3`, `checkout@${SHA}`, 'is not pinned by commit with its version'],
    [`checkout@${SHA}`, 'checkout@0123456', 'is not pinned'],
    [`actions/checkout@${SHA}`, 'docker://alpine:3', 'is not pinned'],
    ['permissions: {}', 'permissions: write-all', 'the workflow: permissions must be {}'],
    ['permissions: {}\n', '', 'the workflow: permissions must be {}'],
    ['contents: read', 'contents: write', 'the permission contents: write is not allowed'],
    ['    permissions:\n      contents: read\n      id-token: write\n', '', 'has no permissions of its own'],
    ['    timeout-minutes: 10\n', '', 'timeout-minutes must be at most 120'],
    ['minutes: 10', 'minutes: 360', 'timeout-minutes must be at most 120'],
    ['ubuntu-24.04', 'ubuntu-latest', "ubuntu-latest isn't a fixed version"],
    ['npx cdk deploy', `echo ${expression('github.head_ref')}`, 'has an expression: pass it by env'],
    ['npx cdk deploy', `echo ${expression('secrets.KEY')}`, 'uses secrets'],
    ['npx cdk deploy', 'set -eux', 'prints variables'],
    ['npx cdk deploy', 'printenv', 'prints variables'],
    ['npx cdk deploy', 'npm i left-pad --ignore-scripts', 'must come before the sign-in to AWS'],
    ['ci --ignore-scripts', 'ci', 'must come before the sign-in to AWS, with --ignore-scripts'],
    ['          persist-credentials: false', '          fetch-depth: 1', 'checkout leaves its token'],
    ['    environment: staging\n', '', 'a token for AWS needs an environment'],
    ['aws-actions/configure', 'other/configure', 'a token for AWS that it does not use'],
    ['minutes: 10', 'minutes: 90', 'its credentials for AWS expire before the job times out'],
    ['vars.AWS_ROLE_ARN', 'inputs.role', 'takes the role and the region of the environment'],
    [
      'timeout-minutes: 10',
      'timeout-minutes: 10\n    continue-on-error: true',
      'continue-on-error hides failures',
    ],
  ])('%j must not become %j', ([good, bad, fault]) => {
    expect(GOOD).toContain(good);
    expect(faultsOf(parseWorkflow(GOOD.replace(good, bad))).join('\n')).toContain(fault);
  });
});

describe('Deploy', () => {
  const jobs = workflows().get('deploy.yml')?.jobs ?? {};

  test('tests first, then deploys to staging, previews production, and deploys to production', () => {
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['test', undefined],
      ['staging', 'test'],
      ['preview', 'staging'],
      ['production', ['staging', 'preview']],
    ]);
    expect(jobs.test?.uses).toBe('./.github/workflows/test.yml');
    // A condition could let production go on after a failure.
    expect(Object.values(jobs).map(each => each.if)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('does the same for staging as for production', () => {
    expect(jobs.production?.steps).toEqual(jobs.staging?.steps);
  });
});

test('Nightly reports on every other job', () => {
  const { report, ...others } = workflows().get('nightly.yml')?.jobs ?? {};
  expect(report?.needs).toEqual(Object.keys(others));
});

describe('the commands', () => {
  const commands = [
    ...[...workflows().values()].flatMap(({ jobs }) =>
      Object.values(jobs).flatMap(job => stepsOf(job).flatMap(({ run }) => run ?? [])),
    ),
    ...readdirSync('.ci').map(name => readFileSync(join('.ci', name), 'utf8')),
  ].join('\n');

  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

  test('of petstore are understood by the command', async () => {
    const lines = commands.match(/npx petstore [^;\n]*/g) ?? [];
    expect(lines).not.toEqual([]);
    for (const line of lines)
      await parseCommandLine(
        line.replace(/"\$(STAGE|stage)"|\$STAGE/, 'staging').replace('$TRIAL', '--domains'),
      );
  });

  test('of npm are scripts of the project', () => {
    for (const [, name] of commands.matchAll(/npm run ([\w-]+)/g))
      expect(scripts).toHaveProperty(name as string);
  });
});

test('the roles of the workflows may do what their jobs need, and invoke no function but the one for checks', () => {
  const [, ...policies] = readFileSync('.github/workflows/README.md', 'utf8').split(/^ *```json\n/m);
  const statements = policies.flatMap(text => JSON.parse(text.split('```')[0] ?? '').Statement);
  const actions = (effect: string) =>
    statements.filter(({ Effect }) => Effect === effect).flatMap(({ Action }) => Action);
  expect(actions('Allow')).toEqual([
    'sts:AssumeRoleWithWebIdentity',
    'sts:AssumeRole',
    'lambda:InvokeFunction',
    'apigateway:GET',
    'logs:DescribeLogGroups',
    'logs:FilterLogEvents',
    'cloudwatch:PutMetricData',
    'cloudformation:DetectStackDrift',
    'cloudformation:DetectStackResourceDrift',
  ]);
  // Everything of ReadOnlyAccess that reads data of the service.
  expect(actions('Deny').join(' ')).toBe(
    'dynamodb:BatchGetItem dynamodb:GetItem dynamodb:GetRecords dynamodb:PartiQLSelect dynamodb:Query dynamodb:Scan ' +
      'logs:FilterLogEvents logs:GetLog* logs:GetQueryResults logs:StartLiveTail logs:StartQuery s3:GetObject* ' +
      'secretsmanager:BatchGetSecretValue secretsmanager:GetSecretValue sqs:ReceiveMessage',
  );
  const invoking = statements.filter(({ Action }) =>
    [Action].flat().some(each => /^(\*|lambda:)/.test(each)),
  );
  expect(invoking).toEqual([
    {
      Effect: 'Allow',
      Action: 'lambda:InvokeFunction',
      Resource: `arn:aws:lambda:eu-central-1:111122223333:function:${checksFunctionOf('staging')}`,
    },
  ]);
});
