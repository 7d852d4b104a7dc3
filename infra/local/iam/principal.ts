import { ACCOUNT_ID } from '../cloudformation/pseudo-parameters.ts';

/** What the conditions of policies are evaluated against. */
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
 * The principal of an access key that is no function's: the developer, or somebody of another account, whose keys are the
 * account's twelve digits.
 */
export function principalOutside(accessKeyId: string): Principal {
  const isOtherAccount = /^\d{12}$/.test(accessKeyId) && accessKeyId !== ACCOUNT_ID;
  return isOtherAccount ? { ...developer, otherAccountId: accessKeyId } : developer;
}
