import { CommandError, EXIT_CODES, inOneText } from '../../../operator/connection/command-error.ts';
import { connectOperator } from '../../../operator/connection/invoke-operator.ts';
import { checksFunctionOf } from '../../../settings/environment-name.ts';
import type { PetstoreCommand } from '../../framework/petstore-command.ts';
import { Session } from '../../framework/session.ts';
import { countOf, prose, type Style, titled } from '../../framework/style.ts';
import { ACCOUNT_CHECKS, ORPHAN_CHECKS, QUOTA_CHECKS, SHARED_CHECKS } from './account-checks.ts';
import {
  type DoctorCheck,
  type EnvironmentSettings,
  type Examination,
  type Finding,
  failure,
  readEnvironmentSettings,
  readStack,
  SETTINGS_OPTION,
  skipped,
  warning,
} from './examination.ts';
import { OPERATOR_CHECKS } from './operator-checks.ts';
import { STACK_CHECKS } from './stack-checks.ts';

type SubjectFinding = Finding & { readonly subject: string };

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
      'Examines an environment and its AWS account: credentials and region, the function it invokes and its version, the platform domain and its delegation, API keys, custom domains, the stack, tables and their recovery, alarm emails, API Gateway logging, orphaned resources, and quotas. It changes nothing. Each warning and failure comes with a fix. With --local, it skips what exists only on AWS.\n\nExit codes: 0 no problems, 1 error, 3 action needed.',
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
  const findings: SubjectFinding[] = [];
  for (const check of CHECKS) {
    const finding = await session.saying(`Checking ${check.subject} …`, findingOf(check, examination));
    findings.push({ subject: check.subject, ...finding });
  }
  return findings;
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
  return CHECKS.map(({ subject }) => ({
    subject,
    ...(subject === missing ? failure(error.message, remedy) : skipped(`can't be checked: see ${missing}`)),
  }));
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

/** Services differ in the name of the error: AccessDenied, AccessDeniedException, AuthorizationErrorException (SNS). */
const DENIED = /^(AccessDenied|AuthorizationError|Unauthorized)/;

async function findingOf(check: DoctorCheck, examination: Examination): Promise<Finding> {
  if (check.isOnlyOnAws && examination.session.target.isLocal) return skipped('only on AWS');
  try {
    return await check.run(examination);
  } catch (error) {
    const { name, message } = error as Error;
    return DENIED.test(name)
      ? warning(
          "You don't have permission to check this.",
          `Ask for the permissions ${check.permissions?.join(', ')}.`,
        )
      : failure(
          `This couldn't be checked: ${message || name}`,
          'Are you online? If so, try again in a moment.',
        );
  }
}

const STATUS_COLUMNS = 'warning'.length;

function diagnosisText({ findings, toDo }: Diagnosis, session: Session, style: Style): string {
  const paints = { ok: style.green, warning: style.yellow, failure: style.red, skipped: style.dim };
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const lines = findings.flatMap(finding => {
    const { status, subject, message } = finding;
    const title = `${paints[status](status.padEnd(STATUS_COLUMNS))}  ${subject.padEnd(width)}  `;
    const line = titled(title, STATUS_COLUMNS + 2 + width + 2, message, style);
    const indent = ' '.repeat(STATUS_COLUMNS + 2);
    return 'remedy' in finding ? [line, prose(finding.remedy, style, indent)] : [line];
  });
  const unchecked = findings.filter(({ status }) => status === 'skipped').map(({ subject }) => subject);
  const summary =
    toDo.length === 0
      ? `${countOf(findings.length - unchecked.length, 'subject')} of ${findings.length} checked in ${session.environment}: no problems found.`
      : `${session.environment} needs attention: ${toDo.join(', ')}.`;
  const skips = unchecked.length === 0 ? '' : ` Not checked: ${unchecked.join(', ')}.`;
  return [...lines, '', prose(summary + skips, style)].join('\n');
}

const CHECKS: readonly DoctorCheck[] = [
  ...ACCOUNT_CHECKS,
  ...OPERATOR_CHECKS,
  ...STACK_CHECKS,
  ...SHARED_CHECKS,
  ...ORPHAN_CHECKS,
  ...QUOTA_CHECKS,
];
