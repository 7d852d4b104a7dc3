import { deployCommandOf } from '../../../settings/environment-name.ts';
import { CommandError } from '../../framework/command-error.ts';
import { type AwsErrorKind, explainAwsError, kindOf, reasonOf } from '../../framework/explain-aws-error.ts';
import { notRunning, type Target } from '../../framework/target.ts';

interface LogsContext extends Target {
  readonly region: string | undefined;
}

/** Says in plain words why CloudWatch Logs could not be read. */
export function explainLogsError(error: unknown, context: LogsContext): CommandError {
  const kind = kindOf(error);
  if (context.isLocal && kind === 'unreachable') return notRunning();
  const explanation = EXPLANATIONS[kind]?.(context, reasonOf(error));
  return explanation ?? explainAwsError(error, { ...context, isChange: false });
}

/** The errors that are not the same for every AWS service. */
const EXPLANATIONS: {
  readonly [Kind in AwsErrorKind]?: (context: LogsContext, reason: string) => CommandError;
} = {
  notFound: context => noLogGroups(context),
  denied: ({ region }, reason) =>
    new CommandError('access_denied', `You are not allowed to read the logs in ${region}.`, {
      advice: [
        'Ask for the permissions logs:DescribeLogGroups and logs:FilterLogEvents.',
        `AWS says: ${reason}`,
      ],
    }),
  throttled: () =>
    new CommandError('unavailable', 'CloudWatch Logs admits no more requests at the moment.', {
      advice: ['Try again in a moment, or search less: a shorter --since, or fewer log groups.'],
    }),
  unreachable: ({ region }, reason) =>
    new CommandError('network', `CloudWatch Logs in ${region} cannot be reached: ${reason}`, {
      advice: ['Are you online? Is the region right? Is a proxy or a VPN needed?'],
    }),
  lost: (_, reason) => new CommandError('network', `No answer came from CloudWatch Logs: ${reason}`),
  other: (_, reason) => new CommandError('aws_error', `CloudWatch Logs could not be read: ${reason}`),
};

/** The stack has no log groups, so it is not deployed here. */
export function noLogGroups({ region, stackName, stage }: LogsContext): CommandError {
  return new CommandError('logs_not_found', `There are no logs of ${stackName} in ${region}.`, {
    advice: [
      `Is the stack deployed in this region and account? Deploy it with: ${deployCommandOf(stage)}`,
      'Another region: --region <region>. Another account: --profile <name>.',
    ],
  });
}
