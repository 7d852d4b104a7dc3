import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const FOLDER = resolve(import.meta.dirname, '../../.github/workflows');

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'working-directory'?: string;
  readonly 'continue-on-error'?: unknown;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly if?: string;
  /** A job that calls another workflow has this instead of steps. */
  readonly uses?: string;
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly 'continue-on-error'?: unknown;
}

/** A workflow, and the text that it was parsed from: the parser drops comments. */
interface Workflow {
  readonly text: string;
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

export function parseWorkflow(text: string): Workflow {
  return { ...parse(text), text };
}

/** The workflows of the project by file name. */
export function workflows(): Map<string, Workflow> {
  const files = readdirSync(FOLDER).filter(name => /\.ya?ml$/.test(name));
  return new Map(files.map(name => [name, parseWorkflow(readFileSync(resolve(FOLDER, name), 'utf8'))]));
}

/** An expression as a workflow writes it. */
export const expression = (text: string) => `\${{ ${text} }}`;

export const stepsOf = ({ steps = [] }: Job) => steps;

/** Events whose workflows run with rights on the repository for code that others propose, or that others start. */
const TRIGGERS = ['push', 'pull_request', 'schedule', 'workflow_dispatch', 'workflow_call'];

/** Rights that a job may have. A token for AWS is only given to a job that has an environment, which AWS checks. */
const RIGHTS = ['contents: read', 'actions: read', 'id-token: write', 'issues: write'];

const MAXIMUM_MINUTES = 120;

/** What is wrong with a workflow, a sentence each. */
export function faultsOf(workflow: Workflow): string[] {
  return [
    ...triggerFaults(workflow),
    ...pinFaults(workflow),
    ...secretFaults(workflow),
    ...(isEmptyObject(workflow.permissions) ? [] : ['the workflow: permissions must be {}']),
    ...Object.entries(workflow.jobs).flatMap(([name, job]) =>
      jobFaults(job).map(fault => `${name}: ${fault}`),
    ),
  ];
}

function triggerFaults({ on }: Workflow): string[] {
  return Object.keys(on)
    .filter(trigger => !TRIGGERS.includes(trigger))
    .map(trigger => `the workflow: the trigger ${trigger} is not allowed`);
}

/** A tag can be moved to other code; a commit cannot. */
function pinFaults({ text }: Workflow): string[] {
  return text
    .split('\n')
    .flatMap(line => /^\s*(?:- )?uses:\s*(.*)$/.exec(line)?.[1] ?? [])
    .filter(use => !/^\.\/\.github\/workflows\/[\w-]+\.yml$/.test(use))
    .filter(use => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(use))
    .map(use => `the workflow: ${use} is not pinned by commit with its version in a comment`);
}

/** Access to AWS is by OIDC, so there is no secret to keep; the token of the job is github.token. */
function secretFaults({ text }: Workflow): string[] {
  return /\bsecrets\b/.test(text) ? ['the workflow: uses secrets'] : [];
}

function jobFaults(job: Job): string[] {
  return [
    ...rightFaults(job),
    ...(job['continue-on-error'] === undefined ? [] : ['continue-on-error hides failures']),
    ...(job.uses === undefined ? runnerFaults(job) : []),
    ...stepsOf(job).flatMap(stepFaults),
    ...tokenFaults(job),
  ];
}

function rightFaults({ permissions }: Job): string[] {
  if (typeof permissions !== 'object' || permissions === null) return ['has no permissions of its own'];
  return Object.entries(permissions)
    .map(([scope, access]) => `${scope}: ${access}`)
    .filter(right => !RIGHTS.includes(right))
    .map(right => `the permission ${right} is not allowed`);
}

function runnerFaults({ 'runs-on': runner, 'timeout-minutes': minutes }: Job): string[] {
  const isBounded = typeof minutes === 'number' && minutes <= MAXIMUM_MINUTES;
  return [
    ...(isBounded ? [] : [`timeout-minutes must be at most ${MAXIMUM_MINUTES}`]),
    ...(/^ubuntu-\d\d\.\d\d$/.test(runner ?? '') ? [] : [`${runner} isn't a fixed version of a runner`]),
  ];
}

function stepFaults(step: Step): string[] {
  const { uses = '', run = '' } = step;
  return [
    ...(step['continue-on-error'] === undefined ? [] : ['continue-on-error hides failures']),
    // GitHub replaces expressions in the text of the script, so a branch name could hold commands.
    ...(run.includes('${{') ? [`the script "${firstLine(run)}" has an expression: pass it by env`] : []),
    ...(/\bset -\w*x|\bprintenv\b|^\s*env\s*$/m.test(run)
      ? [`the script "${firstLine(run)}" prints variables`]
      : []),
    ...(uses.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false
      ? ['checkout leaves its token in the working copy']
      : []),
  ];
}

/** A job that can get credentials of AWS runs no scripts of packages, and gets them after everything is installed. */
function tokenFaults(job: Job): string[] {
  const rights = typeof job.permissions === 'object' ? job.permissions : {};
  if (rights['id-token'] === undefined || job.uses !== undefined) return [];
  const steps = stepsOf(job);
  const signIn = steps.findIndex(isSignIn);
  const scripts = steps.flatMap(({ run }, at) => (run === undefined ? [] : [{ run, at }]));
  return [
    ...(job.environment === undefined ? ['a token for AWS needs an environment'] : []),
    ...(signIn < 0 ? ['has a right to a token for AWS that it does not use'] : []),
    ...scripts
      .filter(
        ({ run, at }) =>
          /\bnpm (ci|i|install)\b/.test(run) && (at > signIn || !run.includes('--ignore-scripts')),
      )
      .map(({ run }) => `"${firstLine(run)}" must come before the sign-in to AWS, with --ignore-scripts`),
    ...steps.filter(isSignIn).flatMap(step => signInFaults(step, job)),
  ];
}

const isSignIn = ({ uses }: Step) => uses?.startsWith('aws-actions/configure-aws-credentials@') === true;

/** Credentials last for an hour unless the sign-in asks for longer. */
function signInFaults({ with: options = {} }: Step, { 'timeout-minutes': minutes = 0 }: Job): string[] {
  const { 'role-duration-seconds': seconds = 3600, ...others } = options;
  const expected = {
    'role-to-assume': expression('vars.AWS_ROLE_ARN'),
    'aws-region': expression('vars.AWS_REGION'),
  };
  const isExpected = JSON.stringify(others) === JSON.stringify(expected);
  return [
    ...(isExpected
      ? []
      : ['the sign-in to AWS takes the role and the region of the environment, and nothing else']),
    ...(Number(seconds) >= minutes * 60 ? [] : ['its credentials for AWS expire before the job times out']),
  ];
}

const firstLine = (script: string) => script.trim().split('\n')[0];

const isEmptyObject = (value: unknown) => JSON.stringify(value) === '{}';
