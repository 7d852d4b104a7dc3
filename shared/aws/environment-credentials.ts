import type { AwsCredentialIdentityProvider } from '@aws-sdk/types';
import { required } from '../environment.ts';

/**
 * Takes the place of the SDK's default credential chain in the bundles. On Lambda the credentials are in the
 * environment, always; the rest of the chain (profiles, SSO, metadata services) is 41 % of a bundle's bytes.
 */
export function defaultProvider(): AwsCredentialIdentityProvider {
  // They stay the same for the life of the process, and the environment is slow to ask on every request.
  const credentials = {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
  };
  return async () => credentials;
}
