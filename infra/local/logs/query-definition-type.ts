import * as z from 'zod';
import { type ResourceType, shortId } from '../cloudformation/resource-type.ts';

/** AWS::Logs::QueryDefinition. The local runtime has no console in which a saved query is used: it has no effect. */
const QueryDefinition = z.strictObject({
  Name: z.string().min(1).max(255),
  QueryString: z.string().min(1).max(10_000),
  LogGroupNames: z.array(z.string()).max(50).optional(),
});

export const queryDefinitionType: ResourceType = {
  properties: QueryDefinition,
  ref: declaration => shortId(declaration, 32),
};
