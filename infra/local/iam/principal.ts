import { createHash } from 'node:crypto';
import { ACCOUNT_ID } from '../cloudformation/pseudo-parameters.ts';

/** The values that the conditions of policies are evaluated against. */
export interface RequestContext {
  /** Values by condition key, as IAM names it: `aws:RequestTag/team`, `aws:TagKeys`, `acm:ValidationMethod`. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** Who sent a request to an AWS service. */
export interface Principal {
  /** The principal's account, if it is not the one that everything is deployed to. */
  readonly otherAccountId?: string;
  /** AWS's message why the principal may not perform the action on the resource; undefined when it may. */
  denial(action: string, resource: string, context?: RequestContext): string | undefined;
}

/** The principal of requests that are not signed with a function's credentials. A developer may do everything. */
export const developer: Principal = { denial: () => undefined };

/**
 * The principal of an access key that no function has: the developer, or another account, whose keys are the account's
 * twelve digits.
 */
export function principalOutside(accessKeyId: string): Principal {
  const isOtherAccount = /^\d{12}$/.test(accessKeyId) && accessKeyId !== ACCOUNT_ID;
  return isOtherAccount ? { ...developer, otherAccountId: accessKeyId } : developer;
}

/** The credentials by which a function's role is identified. */
interface SessionCredentials {
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
