import type { AwsCredentialIdentityProvider } from '@aws-sdk/types';
import { required } from '../../environment.ts';

/**
 * Replaces the SDK's default credential chain in the bundles. On Lambda the credentials are always in the environment;
 * the rest of the chain (profiles, SSO, metadata services) is 41 % of a bundle's bytes.
 */
export function defaultProvider(): AwsCredentialIdentityProvider {
  // Credentials do not change during the life of the process, and reading the environment on every request is slow.
  const credentials = {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
  };
  return async () => credentials;
}
