import { deployCommandOf } from '../../settings/environment-name.ts';
import { CommandError } from './command-error.ts';
import { notRunning, type Target } from './target.ts';

interface CallContext extends Target {
  readonly region: string | undefined;
  /** What was called, if it wasn't the operator function. */
  readonly service?: string;
}

/** Names and codes of the errors of the SDK, Lambda and the network. The SDK names broken connections TimeoutError, too. */
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
  throttled: [
    'TooManyRequestsException',
    'ThrottlingException',
    'Throttling',
    'RequestLimitExceeded',
    'RequestThrottled',
    'RequestThrottledException',
    // As many queries as the account may have at once.
    'LimitExceededException',
  ],
  unreachable: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'],
  lost: ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED'],
  timedOut: ['TimeoutError', 'ETIMEDOUT'],
  unreadable: ['SyntaxError', 'TypeError'],
  broken: ['FunctionError'],
  interrupted: ['AbortError'],
} as const;

export type AwsErrorKind = keyof typeof KINDS | 'noRegion' | 'failed' | 'other';

/** After any other error, the function may have been invoked. */
const NOT_INVOKED: readonly AwsErrorKind[] = [
  'noCredentials',
  'expired',
  'rejected',
  'noRegion',
  'notFound',
  'denied',
  'throttled',
  'unreachable',
];

export function mayHaveArrived(error: unknown): boolean {
  return !NOT_INVOKED.includes(kindOf(error));
}

/** Says in plain words why the operator function, or another service, couldn't be called, and what to do about it. */
export function explainAwsError(error: unknown, context: CallContext): CommandError {
  const kind = kindOf(error);
  if (context.isLocal && kind === 'unreachable') return notRunning();
  const { code, message, advice } = EXPLANATIONS[kind](context, reasonOf(error));
  return new CommandError(code, message, { advice });
}

const LAMBDA = 'AWS Lambda';

interface Explanation {
  readonly code: string;
  readonly message: string;
  readonly advice: readonly string[];
}

const EXPLANATIONS: Readonly<Record<AwsErrorKind, (at: CallContext, reason: string) => Explanation>> = {
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
  unreachable: ({ region, service = LAMBDA }, reason) => ({
    code: 'network',
    message: `${service} in ${region} can't be reached: ${reason}`,
    advice: ['Are you online? Is the region right? Do you need a proxy or a VPN?'],
  }),
  timedOut: ({ functionName, region, service = functionName }) => ({
    code: 'network',
    message: `${service} in ${region} didn't respond in time.`,
    advice: ['Are you online? Do you need a proxy or a VPN? If not, try again in a minute.'],
  }),
  lost: ({ region, service = LAMBDA }) => ({
    code: 'network',
    message: `The connection to ${service} in ${region} broke before there was a response.`,
    advice: ['Try again in a moment.'],
  }),
  unreadable: ({ region, service = LAMBDA }) => ({
    code: 'network',
    message: `The response isn't one of ${service} in ${region}.`,
    advice: ['Does this network want you to sign in first, in a browser? Is there a proxy in between?'],
  }),
  failed: ({ service = LAMBDA }, reason) => ({
    code: 'unavailable',
    message: `${service} failed: ${reason}`,
    advice: ['Try again in a moment.'],
  }),
  broken: ({ functionName }, reason) => ({
    code: 'function_error',
    message: `${functionName} failed: ${reason}`,
    advice: ["The function's log says more."],
  }),
  interrupted: () => ({ code: 'interrupted', message: 'Interrupted.', advice: [] }),
  other: ({ functionName }, reason) => ({
    code: 'aws_error',
    message: `${functionName} couldn't be invoked: ${reason}`,
    advice: [],
  }),
};

interface AwsError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export function kindOf(error: unknown): AwsErrorKind {
  const { name = '', code = '', message = '', $metadata } = error as AwsError;
  if (message.startsWith('Region is missing')) return 'noRegion';
  // Credential providers throw the same error name for missing and for expired credentials.
  if (/(token|session|sso).*expired|expired.*(token|session)/i.test(message)) return 'expired';
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const kind = kinds.find(each => KINDS[each].some(known => known === name || known === code));
  const status = $metadata?.httpStatusCode ?? 0;
  if (kind === undefined && status === 429) return 'throttled';
  return kind ?? (status >= 500 ? 'failed' : 'other');
}

/** The first line of the message: some errors of the SDK fill a page. */
export function reasonOf(error: unknown): string {
  const { message, code, name } = error as AwsError;
  const [line] = (message || code || name || 'unknown').trim().split('\n');
  return line?.replace(/\.?$/, '.') ?? '';
}
