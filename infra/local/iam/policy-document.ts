import * as z from 'zod';
import { Conditions } from './conditions.ts';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform(value => [value].flat());

const resourcePattern = oneOrMore.refine(patterns => patterns.every(pattern => !pattern.includes('${')), {
  message: 'policy variables are not supported',
});

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: resourcePattern,
  Condition: Conditions.optional(),
});
export type Statement = z.output<typeof Statement>;

/** An identity-based policy. NotAction, NotResource and unknown conditions are rejected by name. */
export const PolicyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.preprocess(statements => [statements].flat(), z.array(Statement)),
});
