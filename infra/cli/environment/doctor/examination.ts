import type { EnvironmentState } from '../../../../shared/operator/contract.ts';
import type { Session } from '../../framework/session.ts';
import type { EnvironmentSettings } from './environment-settings.ts';
import type { Finding } from './finding.ts';
import { type DeployedStack, readStack } from './stack.ts';

/** Answers that take longer are an outage. */
const ANSWER_LIMIT_MS = 20_000;

/** What the checks look at. */
export interface Examination {
  readonly session: Session;
  /** The settings of the SDK clients of the person who runs the command. */
  readonly clientOptions: ReturnType<typeof clientOptionsOf>;
  /** Who runs the command, and in which account; undefined on this machine. */
  readonly caller: { readonly account: string; readonly arn: string } | undefined;
  readonly region: string;
  readonly settings: EnvironmentSettings;
  /** What the operator function knows; undefined if it is too old to say. */
  readonly state: EnvironmentState | undefined;
  /** The stack of the environment; undefined if there is none. It is read once. */
  stack(): Promise<DeployedStack | undefined>;
}

/** One thing that is looked at. */
export interface DoctorCheck {
  readonly subject: string;
  /** Where it exists. */
  readonly on: 'AWS' | 'AWS and this machine';
  /** The permissions that it takes, beside that to invoke the operator function. */
  readonly permissions: readonly string[];
  run(examination: Examination): Promise<Finding>;
}

export function clientOptionsOf({ target }: Session) {
  return {
    ...target.aws,
    requestHandler: {
      connectionTimeout: 5_000,
      requestTimeout: ANSWER_LIMIT_MS,
      throwOnRequestTimeout: true,
    },
  };
}

export function examinationOf(
  session: Session,
  parts: Pick<Examination, 'caller' | 'region' | 'settings' | 'state'>,
): Examination {
  const clientOptions = clientOptionsOf(session);
  let stack: Promise<DeployedStack | undefined> | undefined;
  return {
    ...parts,
    session,
    clientOptions,
    stack() {
      stack ??= readStack(session.target.stackName, clientOptions);
      return stack;
    },
  };
}
