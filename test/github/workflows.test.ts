import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stackNameOf } from '../../infra/settings/environment-name.ts';
import { parseCommandLine } from '../infra/cli/parse-command-line.ts';
import { expression, type Job, stepsOf, type Workflow, workflows } from './workflow.ts';

const files = workflows();
const workflow = (name: string) => files.get(name) as Workflow;
const job = (file: string, name: string) => workflow(file).jobs[name] as Job;
const scriptsOf = (of: Job) => stepsOf(of).flatMap(({ run }) => run ?? []);

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('Test', () => {
  test('runs for every push and every pull request', () => {
    const { on } = workflow('test.yml');
    expect(on).toMatchObject({ push: null, pull_request: null });
  });

  test('runs the checks and tests, the rules of cdk-nag and the check of the contract', () => {
    expect(scriptsOf(job('test.yml', 'test'))).toEqual(['.ci/run']);
    expect(scriptsOf(job('test.yml', 'synthesize'))).toEqual([
      'npm ci --ignore-scripts',
      'npm run synth',
      'npm run contract -- --check',
      'npm run sbom',
    ]);
  });

  test('lists the dependencies in the format of CycloneDX, in the file that it keeps', () => {
    expect(scripts.sbom).toContain('npm sbom --sbom-format cyclonedx');
    const kept = stepsOf(job('test.yml', 'synthesize')).find(({ with: options }) => options?.name === 'sbom');
    expect(scripts.sbom).toMatch(new RegExp(` ${kept?.with?.path}$`));
  });
});

describe('Deploy', () => {
  const { on, concurrency, jobs } = workflow('deploy.yml');

  test('runs for pushes to main only, one run after the other, and no run is cancelled', () => {
    expect(on).toEqual({ push: { branches: ['main'] } });
    expect(concurrency).toEqual({ group: 'deploy', 'cancel-in-progress': false });
  });

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

  test.for(['staging', 'production'])(
    'shows the changes of %s, deploys the tested assembly, and smokes it',
    stage => {
      const deploys = job('deploy.yml', stage);
      expect(deploys).toMatchObject({ environment: stage, env: { STAGE: stage, STACK: stackNameOf(stage) } });
      expect(scriptsOf(deploys)).toEqual([
        'npm ci --ignore-scripts',
        '.ci/diff "$STACK"',
        'npx cdk deploy "$STACK" --app cdk.out --require-approval never --progress events',
        'npx petstore smoke --stage "$STAGE" --yes',
      ]);
      const assembly = stepsOf(deploys).find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
      expect(assembly?.with).toEqual({ name: 'assembly', path: 'cdk.out' });
    },
  );

  test('does the same for staging as for production', () => {
    expect(jobs.production?.steps).toEqual(jobs.staging?.steps);
  });

  test('previews production with a role that only reads, before the approval', () => {
    expect(jobs.preview).toMatchObject({
      environment: 'production-read',
      env: { STACK: stackNameOf('production') },
    });
    expect(scriptsOf(jobs.preview as Job)).toContain('.ci/diff "$STACK" --method template');
  });
});

describe('Nightly', () => {
  test('looks for drift in both environments and for vulnerable dependencies, and opens an issue', () => {
    const { on, jobs } = workflow('nightly.yml');
    expect(Object.keys(on)).toContain('schedule');
    expect(jobs.drift).toMatchObject({
      environment: `${expression('matrix.stage')}-read`,
      strategy: {
        'fail-fast': false,
        matrix: { include: ['staging', 'production'].map(stage => ({ stage, stack: stackNameOf(stage) })) },
      },
    });
    expect(scriptsOf(jobs.drift as Job)).toContain('npx cdk drift "$STACK" --fail');
    expect(scriptsOf(jobs.audit as Job).map(run => run.split(' --audit-level=')[1])).toEqual(['low', 'high']);
    expect(jobs.report).toMatchObject({
      needs: ['drift', 'audit'],
      if: 'failure()',
      permissions: { issues: 'write' },
    });
  });
});

describe('the commands', () => {
  const commands = [...files.values()]
    .flatMap(({ jobs }) => Object.values(jobs).flatMap(scriptsOf))
    .join('\n');

  test('of petstore are understood by the command', async () => {
    const lines = commands.match(/npx petstore .*/g) ?? [];
    expect(lines).not.toEqual([]);
    for (const line of lines) await parseCommandLine(line.replace('$STAGE', 'staging'));
  });

  test('of npm are scripts of the project', () => {
    for (const [, name] of commands.matchAll(/npm run ([\w-]+)/g))
      expect(scripts).toHaveProperty(name as string);
  });
});

describe('.ci/diff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-diff-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [npx, summary] = [join(folder, 'npx'), join(folder, 'summary.md')];
  const run = () =>
    execFileSync(resolve('.ci/diff'), ['Petstore-Staging', '--method', 'template'], {
      env: { PATH: `${folder}:${process.env.PATH}`, GITHUB_STEP_SUMMARY: summary },
      encoding: 'utf8',
    });

  test('writes the difference to the log and to the summary of the job', () => {
    writeFileSync(npx, '#!/bin/sh\necho "[+] AWS::Lambda::Function"; echo "$*" >&2\n');
    chmodSync(npx, 0o755);
    const shown =
      '[+] AWS::Lambda::Function\ncdk diff Petstore-Staging --app cdk.out --no-color --method template\n';
    expect(run()).toBe(shown);
    expect(readFileSync(summary, 'utf8')).toContain(
      `## Petstore-Staging: what the deploy changes\n\n~~~~\n${shown}`,
    );
  });

  test('fails if cdk diff fails', () => {
    writeFileSync(npx, '#!/bin/sh\nexit 3\n');
    chmodSync(npx, 0o755);
    expect(run).toThrow(expect.objectContaining({ status: 3 }));
  });
});
