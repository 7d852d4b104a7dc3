import * as z from 'zod';
import { regionalArn } from '../cloudformation/pseudo-parameters.ts';

/** One event of a request. What an entry lacks or has wrong fails that entry alone, so every member is optional here. */
export const Entry = z.strictObject({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).default([]),
  /** Seconds since 1970. */
  Time: z.number().optional(),
  EventBusName: z.string().optional(),
});
export type Entry = z.output<typeof Entry>;

/** The ARN of an event bus, which an entry names by name or ARN; without a name it is the default one. */
export function busArn(nameOrArn = 'default'): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : regionalArn('events', `event-bus/${nameOrArn}`);
}
