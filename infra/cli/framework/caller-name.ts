import { userInfo } from 'node:os';
import type { Operator } from './invoke-operator.ts';
import type { Target } from './target.ts';

/** Who asks for a change, as the audit log records it: the ARN of the credentials, or the user of this machine. */
export async function callerName(
  { isLocal }: Pick<Target, 'isLocal'>,
  operator: Pick<Operator, 'callerArn'>,
): Promise<string | undefined> {
  return isLocal ? localUser() : operator.callerArn();
}

/** The user id may have no name, for example in a container. */
function localUser(): string {
  try {
    return `local:${userInfo().username}`;
  } catch {
    return 'local';
  }
}
