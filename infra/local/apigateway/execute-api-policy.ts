/**
 * The policy that a Lambda authorizer returns:
 * {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": "arn:…/*",
 *   "Condition": {"DateLessThan": {"aws:CurrentTime": "2030-12-05T00:00:00Z"}}}]}
 *
 * Statement, Action, Resource and the values of a condition are one value or a list. Other parts of a policy (conditions
 * on anything but the current time, NotAction, NotResource) are rejected: to ignore them could allow what the policy
 * denies.
 */
import * as z from 'zod';
import { areMet, Conditions } from '../iam/conditions.ts';
import { matchesWildcards } from '../iam/wildcards.ts';

const Strings = z.union([z.string().transform(text => [text]), z.array(z.string())]);

/** The one condition key that API Gateway is given a value of here. */
const CURRENT_TIME = 'aws:CurrentTime';

const CurrentTimeConditions = Conditions.refine(
  operators => {
    const keys = Object.values(operators).flatMap(Object.keys);
    return keys.length > 0 && keys.every(key => key === CURRENT_TIME);
  },
  { message: `only conditions on ${CURRENT_TIME} are supported` },
);

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: Strings,
  Resource: Strings,
  Condition: CurrentTimeConditions.optional(),
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
  const context = { keys: { [CURRENT_TIME]: [new Date(nowMs).toISOString()] } };
  const effects = policy.Statement.filter(
    ({ Action, Resource, Condition = {} }) =>
      // IAM compares actions without regard to case, resources with it.
      Action.some(action => matchesWildcards(action.toLowerCase(), 'execute-api:invoke')) &&
      Resource.some(resource => matchesWildcards(resource, methodArn)) &&
      areMet(Condition, context),
  ).map(({ Effect }) => Effect);
  if (effects.includes('Deny')) return 'explicit deny';
  return effects.includes('Allow') ? 'allow' : 'implicit deny';
}
