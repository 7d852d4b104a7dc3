import type { ChangeInfo } from '@aws-sdk/client-route-53';
import * as z from 'zod';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf, page } from '../aws-api/operation.ts';
import { PARTITION } from '../cloudformation/pseudo-parameters.ts';
import { nameServers } from './aws-names.ts';
import { normalizedName } from './domain-name.ts';
import { type HostedZone, type HostedZones, Route53Error } from './hosted-zones.ts';

const operation = operationOf<typeof import('@aws-sdk/client-route-53')>();

/** The id of a hosted zone. Clients may send it as they received it: /hostedzone/Z…. */
export const ResourceId = z.string().transform(bareId);

export function hostedZoneArn(givenId: string): string {
  return `arn:${PARTITION}:route53:::hostedzone/${bareId(givenId)}`;
}

function bareId(given: string): string {
  return given.replace(/^\/?hostedzone\//, '');
}

/** The number of items that a client asks for, and the most that Route 53 returns at once. */
export function maxItems(most: number) {
  return z
    .int()
    .min(1)
    .default(most)
    .transform(asked => Math.min(asked, most));
}

const MAX_ZONES = 100;

const OneHostedZone = z.strictObject({ Id: ResourceId });

export function hostedZoneOperations(zones: HostedZones): readonly Operation[] {
  const resource = ({ Id = '' }: { Id?: string }) => hostedZoneArn(Id);
  return [
    operation({
      name: 'CreateHostedZone',
      input: z.strictObject({
        Name: z.string(),
        CallerReference: z.string(),
        HostedZoneConfig: z
          .strictObject({ Comment: z.string().optional(), PrivateZone: z.boolean().optional() })
          .optional(),
      }),
      perform({ Name, CallerReference: callerReference, HostedZoneConfig: config }) {
        if (config?.PrivateZone) throw notSupported('A private hosted zone');
        const name = requireName(Name);
        if (zones.list().some(zone => zone.callerReference === callerReference)) {
          const message = 'A hosted zone has already been created with the specified caller reference.';
          throw new Route53Error('HostedZoneAlreadyExists', message);
        }
        const comment = config?.Comment;
        const zone = zones.add({ name, callerReference, ...(comment && { comment }) });
        return {
          HostedZone: representation(zone),
          ChangeInfo: changeInfo(zones),
          DelegationSet: delegationSet(zone),
          Location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}`,
        };
      },
    }),

    operation({
      name: 'GetHostedZone',
      input: OneHostedZone,
      resource,
      perform({ Id }) {
        const zone = requireZone(zones, Id);
        return { HostedZone: representation(zone), DelegationSet: delegationSet(zone) };
      },
    }),

    operation({
      name: 'DeleteHostedZone',
      input: OneHostedZone,
      resource,
      perform({ Id }) {
        const { id, name, recordSets } = requireIdleZone(zones, Id);
        const isRequired = (set: (typeof recordSets)[number]) =>
          set.name === name && (set.type === 'NS' || set.type === 'SOA');
        if (!recordSets.every(isRequired)) {
          const message =
            'The specified hosted zone contains non-required resource record sets and so cannot be deleted.';
          throw new Route53Error('HostedZoneNotEmpty', message);
        }
        zones.remove(id);
        return { ChangeInfo: changeInfo(zones) };
      },
    }),

    operation({
      name: 'ListHostedZones',
      input: z.strictObject({ Marker: z.string().default(''), MaxItems: maxItems(MAX_ZONES) }),
      perform({ Marker, MaxItems }) {
        const ordered = zones.list().toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const { shown, next } = page(ordered, MaxItems, zone => zone.id < Marker);
        return {
          HostedZones: shown.map(representation),
          Marker,
          IsTruncated: next !== undefined,
          NextMarker: next?.id,
          MaxItems,
        };
      },
    }),
  ];
}

/** The zone, if no change is being applied to it. */
export function requireIdleZone(zones: HostedZones, id: string): HostedZone {
  const zone = requireZone(zones, id);
  if (zones.isApplyingChange(zone.id)) {
    const message = 'The request was rejected because Route 53 was still processing a prior request.';
    throw new Route53Error('PriorRequestNotComplete', message);
  }
  return zone;
}

export function requireZone(zones: HostedZones, id: string): HostedZone {
  const zone = zones.find(id);
  if (zone === undefined) {
    throw new Route53Error('NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
  }
  return zone;
}

/** The name in Route 53's form. */
function requireName(given: string): string {
  const name = normalizedName(given);
  if (name === undefined) {
    throw new Route53Error('InvalidDomainName', `The domain name '${given}' is not valid`);
  }
  return name;
}

function representation({ id, name, callerReference, comment, recordSets }: HostedZone) {
  return {
    Id: `/hostedzone/${id}`,
    Name: name,
    CallerReference: callerReference,
    Config: { Comment: comment, PrivateZone: false },
    ResourceRecordSetCount: recordSets.length,
  };
}

function delegationSet({ id }: HostedZone) {
  return { NameServers: nameServers(id) };
}

/** A change that was just submitted. Nobody asks how it goes on (GetChange): name servers serve it at once. */
export function changeInfo({ surroundings: { now, newId } }: HostedZones): ChangeInfo {
  return { Id: `/change/C${newId('route53')}`, Status: 'PENDING', SubmittedAt: new Date(now()) };
}
