import * as z from 'zod';
import { type Declaration, noEffect, type ResourceType, shortId } from '../cloudformation/resource-type.ts';
import { nameServers } from './delegation-set.ts';

/** AWS::Route53::HostedZone, public. */
export const HostedZoneProperties = z.strictObject({
  Name: z.string(),
  HostedZoneConfig: z.strictObject({ Comment: z.string().optional() }).optional(),
  HostedZoneTags: noEffect,
});

const ID_LENGTH = 20;

/** The id depends on the name: on AWS a change of the name replaces the zone. */
function id({ stack, logicalId, ...declaration }: Declaration): string {
  const name = String(declaration.property('Name'));
  return `Z${shortId({ ...declaration, stack, logicalId: `${logicalId}/${name}` }, ID_LENGTH).toUpperCase()}`;
}

export const hostedZoneType: ResourceType = {
  properties: HostedZoneProperties,
  ref: id,
  attributes: { Id: id, NameServers: declaration => nameServers(id(declaration)) },
};
