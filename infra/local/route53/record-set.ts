import * as z from 'zod';
import { RECORD_TYPES } from './record-values.ts';

/** A resource record set: values with a TTL, or an alias of another name. Names are in Route 53's form. */
export const RecordSet = z.strictObject({
  name: z.string(),
  type: z.enum(RECORD_TYPES),
  ttlSeconds: z.number().optional(),
  values: z.array(z.string()).readonly(),
  aliasTarget: z
    .strictObject({ hostedZoneId: z.string(), dnsName: z.string(), evaluateTargetHealth: z.boolean() })
    .optional(),
});
export type RecordSet = Readonly<z.infer<typeof RecordSet>>;
