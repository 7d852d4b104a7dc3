import { deployCommandOf } from '../../settings/environment-name.ts';
import { CommandError, PROGRAM_NAME } from './command-error.ts';
import { notRunning, type Target } from './target.ts';

interface InvocationContext extends Target {
  readonly region: string | undefined;
  /** Whether the request may have changed something before it failed. */
  readonly isChange: boolean;
}

/** Names and codes of the errors of the SDK, Lambda and the network. */
const KINDS = {
  noCredentials: ['CredentialsProviderError', 'ProviderError'],
  expired: ['ExpiredTokenException', 'ExpiredToken', 'TokenProviderError'],
  rejected: [
    'UnrecognizedClientException',
    'InvalidSignatureException',
    'InvalidClientTokenId',
    'SignatureDoesNotMatch',
  ],
  notFound: ['ResourceNotFoundException'],
  denied: ['AccessDeniedException', 'AccessDenied'],
  throttled: ['TooManyRequestsException', 'ThrottlingException'],
  unreachable: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'],
  timedOut: ['TimeoutError', 'ETIMEDOUT'],
  lost: ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'],
  broken: ['FunctionError'],
} as const;

export type AwsErrorKind = keyof typeof KINDS | 'noRegion' | 'other';

/** Says in plain words why the operator function could not be invoked, and what to do about it. */
export function explainAwsError(error: unknown, context: InvocationContext): CommandError {
  const kind = kindOf(error);
  if (context.isLocal && kind === 'unreachable') return notRunning();
  const reason = reasonOf(error);
  const { code, message, advice } = EXPLANATIONS[kind](context, reason);
  const mayHaveChanged = context.isChange && ['timedOut', 'lost', 'broken', 'other'].includes(kind);
  return new CommandError(code, message, {
    advice: mayHaveChanged
      ? [...advice, `The change may or may not have been made. Check before you retry: ${PROGRAM_NAME} audit`]
      : advice,
  });
}

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly advice: readonly string[];
}

const EXPLANATIONS: Readonly<Record<AwsErrorKind, (at: InvocationContext, reason: string) => Explanation>> = {
  noCredentials: ({ aws: { profile = process.env.AWS_PROFILE } }, reason) => ({
    code: 'no_credentials',
    message: profile
      ? `The AWS profile "${profile}" has no credentials: ${reason}`
      : 'There are no AWS credentials on this machine.',
    advice: [
      'Set them up with: aws configure (or aws configure sso)',
      ...(profile
        ? ['List the profiles with: aws configure list-profiles']
        : ['Or name a profile: --profile <name>, or AWS_PROFILE=<name>']),
      'Or use the service on this machine without credentials: npm start, then add --local',
    ],
  }),
  expired: () => ({
    code: 'expired_credentials',
    message: 'The AWS credentials have expired.',
    advice: ['Sign in again, for example with: aws sso login', 'Or renew AWS_SESSION_TOKEN.'],
  }),
  rejected: (_, reason) => ({
    code: 'credentials_refused',
    message: `AWS rejected these credentials: ${reason}`,
    advice: ['See which ones are used with: aws sts get-caller-identity', "Is this machine's clock right?"],
  }),
  noRegion: () => ({
    code: 'no_region',
    message: 'No AWS region is set.',
    advice: [
      'Add --region <region>, or set AWS_REGION, or set a default with: aws configure set region <region>',
    ],
  }),
  notFound: ({ functionName, region, stackName, stage }) => ({
    code: 'function_not_found',
    message: `There is no function ${functionName} in ${region}.`,
    advice: [
      `Is the stack ${stackName} deployed in this region and account? Deploy it with: ${deployCommandOf(stage)}`,
      'Another region: --region <region>. Another account: --profile <name>.',
    ],
  }),
  denied: ({ functionName, region }, reason) => ({
    code: 'access_denied',
    message: `You aren't allowed to invoke ${functionName} in ${region}.`,
    advice: [
      `Ask for the permission lambda:InvokeFunction on the function ${functionName}.`,
      `AWS says: ${reason}`,
    ],
  }),
  throttled: ({ functionName }) => ({
    code: 'unavailable',
    message: `${functionName} is busy.`,
    advice: ['Try again in a moment.'],
  }),
  unreachable: ({ region }, reason) => ({
    code: 'network',
    message: `AWS Lambda in ${region} can't be reached: ${reason}`,
    advice: ['Are you online? Is the region right? Do you need a proxy or a VPN?'],
  }),
  timedOut: ({ functionName, region }) => ({
    code: 'network',
    message: `${functionName} in ${region} didn't respond in time.`,
    advice: ['Are you online? Do you need a proxy or a VPN? If not, try again in a minute.'],
  }),
  lost: ({ functionName }, reason) => ({
    code: 'network',
    message: `${functionName} didn't respond: ${reason}`,
    advice: [],
  }),
  broken: ({ functionName }, reason) => ({
    code: 'function_error',
    message: `${functionName} failed: ${reason}`,
    advice: ["The function's log says more."],
  }),
  other: ({ functionName }, reason) => ({
    code: 'aws_error',
    message: `${functionName} couldn't be invoked: ${reason}`,
    advice: [],
  }),
};

export function kindOf(error: unknown): AwsErrorKind {
  const { name = '', code = '', message = '' } = error as { name?: string; code?: string; message?: string };
  if (message.startsWith('Region is missing')) return 'noRegion';
  // Credential providers throw the same error name for missing and for expired credentials.
  if (/(token|session|sso).*expired|expired.*(token|session)/i.test(message)) return 'expired';
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  return kinds.find(kind => KINDS[kind].some(known => known === name || known === code)) ?? 'other';
}

/** The first line of the message: some errors of the SDK fill a page. */
export function reasonOf(error: unknown): string {
  const { message, code, name } = error as { message?: string; code?: string; name?: string };
  const [line] = (message || code || name || 'unknown').trim().split('\n');
  return line?.replace(/\.?$/, '.') ?? '';
}
