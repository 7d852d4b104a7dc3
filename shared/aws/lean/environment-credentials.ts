import type { AwsCredentialIdentityProvider } from '@aws-sdk/types';
import { required } from '../../environment.ts';

/** The credentials of the environment, where Lambda always puts them. */
export function defaultProvider(): AwsCredentialIdentityProvider {
  // They do not change during the life of the process, and reading the environment on every request is slow.
  const credentials = {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
  };
  return async () => credentials;
}
