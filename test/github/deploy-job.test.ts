import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { needsTool } from '../machine.ts';
import { type Job, type Step, stepsOf, workflows } from './workflows.ts';

/** What the commands of a job do in a test. Each command that is called is a line of the file `calls`. */
interface World {
  /** The commands that fail, by how they begin; those of the last release begin with `released: `. */
  readonly failing?: readonly string[];
  /** The runs that GitHub has, the newest first: the outcome of the job, and whether the assembly is still there. */
  readonly runs?: readonly { readonly outcome: string; readonly isKept: boolean }[];
  /** The setting petShards of the last release and of this commit. */
  readonly shards?: readonly [released: number, deployed: number];
}

/** GitHub's responses are in files; of the other commands, each line of the file `failing` fails those that begin so. */
const STUB = `#!/usr/bin/env bash
folder=\${0%/*}
[ "\${PWD##*/}" = released ] && line='released: '
line+="\${0##*/} $*"
case $line in
  'gh run list'*) cat "$folder/runs" ;;
  'gh run view'*) cat "$folder/outcome-$3" ;;
  'gh api'*) run=\${2%/artifacts} && cat "$folder/kept-\${run##*/}" ;;
  *)
    echo "$line" | tee -a "$folder/calls"
    while read -r start; do [[ $line != "$start"* ]] || exit 1; done < "$folder/failing" ;;
esac
`;

/** Runs the steps of a job as GitHub does, with stand-ins for the commands that leave the machine. */
function run({ steps, env }: Pick<Job, 'steps' | 'env'>, world: World) {
  const { failing = [], runs = [{ outcome: 'success', isKept: true }], shards = [1, 1] } = world;
  const folder = mkdtempSync(join(tmpdir(), 'petstore-job-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inFolder = (name: string) => join(folder, name);
  const textOf = (name: string) => (existsSync(inFolder(name)) ? readFileSync(inFolder(name), 'utf8') : '');
  cpSync(resolve('.ci'), inFolder('.ci'), { recursive: true });
  const putLines = (name: string, lines: readonly string[]) =>
    writeFileSync(inFolder(name), lines.map(line => `${line}\n`).join(''));
  putLines('failing', failing);
  const ids = runs.map((_, index) => index + 1);
  putLines(
    'runs',
    ids.map(id => `${id} commit${id}`),
  );
  for (const [index, { outcome, isKept }] of runs.entries()) {
    putLines(`outcome-${index + 1}`, [outcome]);
    putLines(`kept-${index + 1}`, isKept ? ['7'] : []);
  }
  for (const command of ['npx', 'npm', 'aws', 'gh']) {
    writeFileSync(inFolder(command), STUB);
    chmodSync(inFolder(command), 0o755);
  }
  const putAssembly = (path: string, count: number) => {
    mkdirSync(inFolder(path), { recursive: true });
    const Variables = { PET_SHARDS: String(count) };
    const template = { Resources: { ListPets: { Properties: { Environment: { Variables } } }, Other: {} } };
    writeFileSync(inFolder(`${path}/${env?.STACK}.template.json`), JSON.stringify(template));
  };
  const outcomes = new Map<string, string>();
  const expressionValue = (name: string) => {
    const [, id = '', kind, output = ''] = /^steps\.(\w+)\.(outcome|outputs)\.?(\w*)$/.exec(name) ?? [];
    if (kind === 'outcome') return outcomes.get(id) ?? 'skipped';
    if (kind === 'outputs') return new RegExp(`^${output}=(.*)$`, 'm').exec(textOf('outputs'))?.[1] ?? '';
    throw new Error(`${name} is not known here.`);
  };
  let hasFailed = false;
  let log = '';
  const isDue = ({ if: condition = 'success()' }: Step) =>
    condition
      .replace(/^\$\{\{ (.*) \}\}$/, '$1')
      .split(' && ')
      .map(term => {
        if (term === 'failure()') return hasFailed;
        if (term === 'success()') return !hasFailed;
        const [, name = '', operator, value] = /^([\w.]+) (==|!=) '(\w*)'$/.exec(term) ?? [];
        const isEqual = expressionValue(name) === value;
        // As on GitHub: without a function of its own, a condition means success() as well.
        return (operator === '==') === isEqual && (!hasFailed || condition.includes('failure()'));
      })
      .every(Boolean);
  const perform = ({ run: script, uses = '', env: variables = {}, with: options = {}, ...step }: Step) => {
    if (uses.includes('/download-artifact@')) {
      const isReleased = String(options.path).startsWith('released');
      putAssembly(String(options.path), shards[isReleased ? 0 : 1]);
    }
    if (script === undefined) return true;
    const given = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/^\$\{\{ (steps\..*) \}\}$/, (_, expression: string) => expressionValue(expression)),
    ]);
    const { status, stdout } = spawnSync('bash', ['-e', '-c', script], {
      cwd: join(folder, step['working-directory'] ?? ''),
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        GITHUB_SHA: 'this',
        GITHUB_OUTPUT: inFolder('outputs'),
        GITHUB_STEP_SUMMARY: inFolder('summary'),
        ...env,
        ...Object.fromEntries(given),
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    log += stdout;
    return status === 0;
  };
  for (const step of steps ?? []) {
    if (!isDue(step)) continue;
    const isDone = perform(step);
    if (step.id) outcomes.set(step.id, isDone ? 'success' : 'failure');
    hasFailed ||= !isDone;
  }
  const calls = textOf('calls')
    .split('\n')
    .filter(line => !/^npm |^npx cdk diff|^$/.test(line));
  const [diff = '', summary] = textOf('summary').split(/(?<=\n~~~~\n)(?!.*~~~~\n)/s);
  return { hasFailed, calls, log, diff, summary };
}

// That to production has the same steps.
describe('the deploy to staging', needsTool('bash'), () => {
  const stage = 'staging';
  const job = workflows().get('deploy.yml')?.jobs[stage] ?? {};
  const stack = job.env?.STACK;
  const deploy = `npx cdk deploy ${stack} --app cdk.out --require-approval never --progress events`;
  const smoke = `npx petstore smoke --stage ${stage} --yes`;
  const metric = (value: number) =>
    `aws cloudwatch put-metric-data --namespace Petstore/${stage} --metric-name SmokeFailures --value ${value}`;
  const failed = `- The smoke test of this in ${stage} failed.\n`;

  test('passes: nothing is taken back', () => {
    expect(run(job, {})).toMatchObject({
      hasFailed: false,
      calls: [deploy, smoke, metric(0)],
      summary: `- The smoke test of this in ${stage} passed.\n`,
    });
  });

  test('fails its smoke test: the last release that passed is deployed again, tested by its own command, and both are reported', () => {
    const runs = [
      { outcome: 'failure', isKept: true },
      { outcome: 'success', isKept: true },
      { outcome: 'success', isKept: true },
    ];
    expect(run(job, { runs, failing: [smoke] })).toMatchObject({
      hasFailed: true,
      calls: [
        deploy,
        smoke,
        metric(1),
        `released: ${deploy}`,
        `released: ${smoke}`,
        `released: ${metric(0)}`,
      ],
      summary: `${failed}- ${stack} was taken back to the last release.\n- The smoke test of commit2 in ${stage} passed.\n`,
    });
  });

  test('fails, and so does the last release: the alarm goes on', () => {
    const { calls, hasFailed } = run(job, { failing: [smoke, `released: ${smoke}`] });
    expect([hasFailed, calls.at(-1)]).toEqual([true, `released: ${metric(1)}`]);
  });

  test.each<[string, World, string]>([
    ['there never was a release', { runs: [] }, 'there is no release to go back to.'],
    [
      'the last one is no longer kept',
      {
        runs: [
          { outcome: 'success', isKept: false },
          { outcome: 'success', isKept: true },
        ],
      },
      'there is no release to go back to.',
    ],
    [
      'petShards was raised',
      { shards: [1, 4] },
      'petShards goes from 1 to 4: with 1 again, pets of the new shards would not be listed.',
    ],
  ])('fails and stays, and the summary says why: %s', (_, world, reason) => {
    const { calls, summary, hasFailed } = run(job, { ...world, failing: [smoke] });
    expect([hasFailed, calls]).toEqual([true, [deploy, smoke, metric(1)]]);
    expect(summary).toContain(
      `${failed}- ${stack} was not taken back: ${reason} See infra/runbook.md#take-a-deploy-back.\n`,
    );
  });

  test('cannot be taken back: the diff says so before the deploy', () => {
    expect(run(job, { shards: [2, 3] }).summary).toContain(
      '**This deploy cannot be taken back automatically.** petShards',
    );
  });

  test('cannot be shown: nothing is deployed', () => {
    expect(run(job, { failing: ['npx cdk diff'] })).toMatchObject({ hasFailed: true, calls: [] });
  });

  test('fails in CloudFormation, which takes it back itself: nothing is tested', () => {
    expect(run(job, { failing: [deploy] })).toMatchObject({ hasFailed: true, calls: [deploy] });
  });
});

test('the preview of production shows, in its log and summary, what changes and what cannot be taken back', () => {
  const job = workflows().get('deploy.yml')?.jobs.preview ?? {};
  const { diff, log, summary } = run(job, { shards: [1, 2] });
  const printed = `npx cdk diff ${job.env?.STACK} --app cdk.out --no-color --method template\n`;
  expect(log).toContain(printed);
  expect(diff).toBe(`## ${job.env?.STACK}: what the deploy changes\n\n~~~~\n${printed}\n~~~~\n`);
  expect(summary).toContain('petShards goes from 1 to 2');
  expect(stepsOf(job).filter(({ name }) => name === 'Deploy')).toEqual([]);
});
