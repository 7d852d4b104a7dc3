import { createHash } from 'node:crypto';

/** The credentials by which a function's role is identified. */
export interface SessionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** The credentials of a function. They are the same at each deployment: an unchanged function keeps running. */
export function sessionCredentials(functionArn: string): SessionCredentials {
  const digest = (purpose: string) => createHash('sha256').update(`${purpose} ${functionArn}`).digest('hex');
  return {
    // In the form of temporary credentials: ASIA and 16 letters and digits. DynamoDB Local accepts no other characters.
    accessKeyId: `ASIA${digest('key').slice(0, 16).toUpperCase()}`,
    secretAccessKey: digest('secret').slice(0, 40),
    sessionToken: digest('token'),
  };
}
