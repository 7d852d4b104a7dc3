import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT_ID, PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';

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

/** A developer may do everything. */
export const developer: Principal = { denial: () => undefined };

/** An access key with its secret. */
export type AccessKey = z.output<typeof AccessKey>;
const AccessKey = z.strictObject({ accessKeyId: z.string().min(16), secretAccessKey: z.string().min(40) });

/** Whose requests an access key signs. */
export interface Caller {
  readonly secretAccessKey: string;
  /** Of temporary credentials. */
  readonly sessionToken?: string;
  readonly arn: string;
  readonly principal: Principal;
}

/** The developer's access key: random, and kept in a file that only its owner can read. */
export function developerKey(file: string | undefined): AccessKey {
  return new KeptFile(file, AccessKey).readOrKeep(() => ({
    accessKeyId: `AKIA${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  }));
}

/** The developer, who also stands for all other accounts: their access keys are the account's twelve digits. */
export function developerWith({ accessKeyId, secretAccessKey }: AccessKey) {
  return (called: string): Caller | undefined => {
    if (called === accessKeyId) {
      const arn = `arn:${PARTITION}:iam::${ACCOUNT_ID}:user/developer`;
      return { secretAccessKey, arn, principal: developer };
    }
    if (!/^\d{12}$/.test(called) || called === ACCOUNT_ID) return undefined;
    const arn = `arn:${PARTITION}:iam::${called}:root`;
    return { secretAccessKey, arn, principal: { ...developer, otherAccountId: called } };
  };
}

/** The credentials of a function: the same at each deployment, so that an unchanged function keeps running. */
export function sessionCredentials(functionArn: string, { secretAccessKey: secret }: AccessKey) {
  const digest = (purpose: string) =>
    createHmac('sha256', secret).update(`${purpose} ${functionArn}`).digest('hex');
  return {
    // In the form of temporary credentials: ASIA and 16 letters and digits.
    accessKeyId: `ASIA${digest('key').slice(0, 16).toUpperCase()}`,
    secretAccessKey: digest('secret').slice(0, 40),
    sessionToken: digest('token'),
  };
}
