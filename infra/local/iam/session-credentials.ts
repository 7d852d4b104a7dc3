import { createHash } from 'node:crypto';

/** What a function's role is recognised by at the AWS endpoint. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** The credentials of a function, the same at each deployment, so that one that did not change can go on. */
export function sessionCredentials(functionArn: string): SessionCredentials {
  const digest = (purpose: string) => createHash('sha256').update(`${purpose} ${functionArn}`).digest('hex');
  return {
    // The form of temporary credentials: ASIA and 16 letters and digits. DynamoDB Local accepts no other characters.
    accessKeyId: `ASIA${digest('key').slice(0, 16).toUpperCase()}`,
    secretAccessKey: digest('secret').slice(0, 40),
    sessionToken: digest('token'),
  };
}
