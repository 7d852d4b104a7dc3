/**
 * The policy that a Lambda authorizer returns:
 * {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "arn:…/*",
 *   "Condition": {"DateLessThan": {"aws:CurrentTime": "2030-12-05T00:00:00Z"}}}]}
 *
 * Statement, Action, Resource and the times are one value or a list. Other parts of a policy (other conditions,
 * NotAction, NotResource) are rejected: to ignore them could allow what the policy denies.
 */
import * as z from 'zod';
import { CurrentTimeCondition, isMet } from './current-time-condition.ts';

const Strings = z.union([z.string().transform(text => [text]), z.array(z.string())]);

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: Strings,
  Resource: Strings,
  Condition: CurrentTimeCondition.optional(),
});

export const PolicyDocument = z.strictObject({
  Version: z.enum(['2012-10-17', '2008-10-17']).optional(),
  Id: z.string().optional(),
  Statement: z.union([Statement.transform(statement => [statement]), z.array(Statement)]),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** Whether the policy allows a method to be invoked now. A Deny wins; without a matching statement it is denied. */
export function evaluatePolicy(
  policy: PolicyDocument,
  methodArn: string,
  nowMs: number,
): 'allow' | 'implicit deny' | 'explicit deny' {
  const effects = policy.Statement.filter(
    ({ Action, Resource, Condition = {} }) =>
      // IAM compares actions without regard to case, resources with it.
      Action.some(action => matchesWildcards(action.toLowerCase(), 'execute-api:invoke')) &&
      Resource.some(resource => matchesWildcards(resource, methodArn)) &&
      isMet(Condition, nowMs),
  ).map(({ Effect }) => Effect);
  if (effects.includes('Deny')) return 'explicit deny';
  return effects.includes('Allow') ? 'allow' : 'implicit deny';
}

/** Whether a text matches a pattern in which `*` stands for any characters, slashes included, and `?` for one. */
export function matchesWildcards(pattern: string, text: string): boolean {
  // Backtracks to the last star only. The text contains the client's path, and a client could make a regular
  // expression with several stars backtrack exponentially.
  let at = 0;
  let star = -1;
  let resumeAt = 0;
  for (let position = 0; position < text.length; ) {
    const symbol = pattern[at];
    if (symbol === '*') {
      star = at++;
      resumeAt = position;
    } else if (symbol === '?' || symbol === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}
