import { CommandError, EXIT_CODES, inOneText } from '../../operator/connection/command-error.ts';
import { connectOperator } from '../../operator/connection/invoke-operator.ts';
import { checksFunctionOf } from '../../settings/environment-name.ts';
import { readStack } from '../environment/deployed-stack.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import { countOf, type Style } from '../framework/style.ts';
import { ACCOUNT_CHECKS, ORPHAN_CHECKS, QUOTA_CHECKS, SHARED_CHECKS } from './account/account-checks.ts';
import {
  type AccountCheck,
  type EnvironmentSettings,
  type Examination,
  readEnvironmentSettings,
  SETTINGS_OPTION,
} from './account/examination.ts';
import { OPERATOR_CHECKS } from './account/operator-checks.ts';
import { STACK_CHECKS } from './account/stack-checks.ts';
import { resultsText } from './results.ts';
import { type CheckResult, isDenial, runChecks } from './run-checks.ts';

const CHECKS: readonly AccountCheck[] = [
  ...ACCOUNT_CHECKS,
  ...OPERATOR_CHECKS,
  ...STACK_CHECKS,
  ...SHARED_CHECKS,
  ...ORPHAN_CHECKS,
  ...QUOTA_CHECKS,
];

/** What a check has found, in doctor's words. */
interface SubjectFinding {
  readonly subject: string;
  readonly status: 'ok' | 'warning' | 'failure' | 'skipped';
  readonly message: string;
  /** Of each warning and failure. */
  readonly remedy?: string;
}

/** What is printed with --json. */
interface Diagnosis {
  readonly stage: string;
  readonly findings: readonly SubjectFinding[];
  /** The subjects that need something done. */
  readonly toDo: readonly string[];
}

interface DoctorOptions {
  readonly settings?: string;
  readonly failuresOnly?: boolean;
}

export function declareGroup(doctor: PetstoreCommand): void {
  doctor
    .description(
      'Examines an environment and its AWS account: credentials and region, the function it invokes and its version, the platform domain and its delegation, API keys, custom domains, the stack, tables and their recovery, alarm emails, API Gateway logging, orphaned resources, and quotas. It changes nothing, and leaves calls of the API to petstore smoke. Each warning and failure comes with a fix. With --local, it skips what exists only on AWS.\n\nExit codes: 0 no problems, 1 error, 3 action needed.',
    )
    .option(...SETTINGS_OPTION)
    .option('--failures-only', 'exit with 0 if there are warnings but no failures')
    .examples(
      'doctor',
      'doctor --stage production',
      'doctor --local',
      `doctor --json | jq '.findings[] | select(.status == "failure")'`,
    )
    .action(async ({ settings, failuresOnly }: DoctorOptions, command: PetstoreCommand) => {
      const session = new Session(command, checksFunctionOf);
      const diagnosis = await diagnose(session, readEnvironmentSettings(session.target, settings));
      session.show(diagnosis, style => diagnosisText(diagnosis, session, style));
      const hasFailed = diagnosis.findings.some(({ status }) => status === 'failure');
      if (failuresOnly ? hasFailed : diagnosis.toDo.length > 0) session.endWith(EXIT_CODES.actionNeeded);
    });
}

export async function diagnose(session: Session, settings: EnvironmentSettings): Promise<Diagnosis> {
  const findings = await findingsOf(session, settings).catch(findingsWithoutAccess);
  const toDo = findings.filter(({ status }) => status === 'warning' || status === 'failure');
  return { stage: session.target.stage, findings, toDo: toDo.map(({ subject }) => subject) };
}

/**
 * The findings of all checks. A function that cannot be reached or invoked ends the command; one that does not exist is a
 * finding, since a first deploy that failed leaves none.
 */
async function findingsOf(session: Session, settings: EnvironmentSettings): Promise<SubjectFinding[]> {
  const { target } = session;
  const operator = await connectOperator(target);
  const state = await readState(session);
  const caller = target.isLocal ? undefined : callerOf(await operator.callerArn());
  const { region } = operator;
  let stack: ReturnType<typeof readStack> | undefined;
  const readStackOnce = () => (stack ??= readStack(target.stackName, target.aws));
  const examination = {
    session,
    clientOptions: target.aws,
    caller,
    region,
    settings,
    state,
    stack: readStackOnce,
  };
  const results = runChecks(CHECKS, examination, {
    reasonToSkip: ({ only }) => (only === 'aws' && target.isLocal ? 'only on AWS' : undefined),
    saying: ({ name }, work) => session.saying(`Checking ${name} …`, work()),
  });
  return (await Array.fromAsync(results)).map(subjectFindingOf);
}

/** The subjects without which nothing else can be checked, by the code of the error. */
const SUBJECT_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  no_credentials: 'credentials',
  expired_credentials: 'credentials',
  credentials_refused: 'credentials',
  no_region: 'region',
};

/** The findings if AWS can't be asked at all: that is a finding like others, with a remedy. */
function findingsWithoutAccess(error: unknown): SubjectFinding[] {
  const missing = error instanceof CommandError ? SUBJECT_BY_ERROR_CODE[error.code] : undefined;
  if (!(error instanceof CommandError) || missing === undefined) throw error;
  const remedy = inOneText(error.advice);
  return CHECKS.map(({ name }) =>
    name === missing
      ? { subject: name, status: 'failure', message: error.message, remedy }
      : { subject: name, status: 'skipped', message: `can't be checked: see ${missing}` },
  );
}

async function readState(session: Session): Promise<Examination['state']> {
  try {
    return await session.read('environment.inspect');
  } catch (error) {
    if (error instanceof CommandError && error.code === 'function_not_found') return undefined;
    throw error;
  }
}

function callerOf(arn: string | undefined): Examination['caller'] {
  const account = arn?.split(':')[4];
  return arn && account ? { arn, account } : undefined;
}

function subjectFindingOf({ check, finding, error }: CheckResult): SubjectFinding {
  const { name: subject, permissions } = check;
  const { is, message = '', remedy } = finding;
  if (is !== 'unable') {
    const status = is === 'ok' || is === 'warning' || is === 'skipped' ? is : 'failure';
    return { subject, status, message, ...(remedy !== undefined && { remedy }) };
  }
  return isDenial(error)
    ? {
        subject,
        status: 'warning',
        message: "You don't have permission to check this.",
        remedy: `Ask for the permissions ${permissions?.join(', ')}.`,
      }
    : {
        subject,
        status: 'failure',
        message: `This couldn't be checked: ${message || error?.name}`,
        remedy: 'Are you online? If so, try again in a moment.',
      };
}

function diagnosisText({ findings, toDo }: Diagnosis, session: Session, style: Style): string {
  const lines = findings.map(({ subject, status, message, remedy }) => ({
    word: status,
    title: subject,
    text: message,
    below: remedy,
  }));
  const unchecked = findings.filter(({ status }) => status === 'skipped').map(({ subject }) => subject);
  const found =
    toDo.length === 0
      ? `${countOf(findings.length - unchecked.length, 'subject')} of ${findings.length} checked in ${session.environment}: no problems found.`
      : `${session.environment} needs attention: ${toDo.join(', ')}.`;
  const skips = unchecked.length === 0 ? '' : ` Not checked: ${unchecked.join(', ')}.`;
  const summary = [
    found + skips,
    `This didn't call the API. To check it, run: ${session.commandLine('smoke')}`,
  ];
  return resultsText(lines, summary, style);
}
