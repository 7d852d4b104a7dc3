import * as z from 'zod';

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform(value => [value].flat());

const resourcePattern = oneOrMore.refine(patterns => patterns.every(pattern => !pattern.includes('${')), {
  message: 'policy variables are not supported',
});

/** Conditions are not evaluated, and to ignore one would allow more than AWS does: only an empty one is accepted. */
const noCondition = z.strictObject({}).optional();

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMore,
  Resource: resourcePattern,
  Condition: noCondition,
});
export type Statement = z.output<typeof Statement>;

/** An identity-based policy. NotAction, NotResource and Condition are rejected by name. */
export const PolicyDocument = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z.preprocess(statements => [statements].flat(), z.array(Statement)),
});
