import * as z from 'zod';
import { changeInfo } from './changes.ts';
import { nameServers } from './delegation-set.ts';
import { normalizedName, reversedLabels } from './domain-name.ts';
import type { HostedZone, HostedZones } from './hosted-zones.ts';
import type { Operations } from './operation.ts';
import { maxItems, page } from './page.ts';
import { Route53Error } from './route53-error.ts';
import { Flag, parsedXml, read } from './xml.ts';

const MAX_ZONES = 100;

const CreateHostedZoneRequest = z.strictObject({
  Name: z.string().max(1024),
  CallerReference: z.string().min(1).max(128),
  HostedZoneConfig: z
    .strictObject({ Comment: z.string().max(256).optional(), PrivateZone: Flag.optional() })
    .optional(),
});

const ListHostedZonesQuery = z.strictObject({ marker: z.string().optional(), maxitems: maxItems(MAX_ZONES) });
const ListHostedZonesByNameQuery = z.strictObject({
  dnsname: z.string().optional(),
  hostedzoneid: z.string().optional(),
  maxitems: maxItems(MAX_ZONES),
});

/** CreateHostedZone, GetHostedZone, DeleteHostedZone, ListHostedZones and ListHostedZonesByName. */
export function hostedZoneOperations(zones: HostedZones): Operations {
  return {
    'POST /hostedzone': {
      name: 'CreateHostedZone',
      perform({ body }) {
        const request = read(CreateHostedZoneRequest, parsedXml(body, 'CreateHostedZoneRequest'));
        const { Name, CallerReference: callerReference, HostedZoneConfig: config } = request;
        if (config?.PrivateZone) {
          throw new Route53Error(
            'NotImplemented',
            'Private hosted zones are not supported by the local runtime.',
          );
        }
        const name = validName(Name);
        if (zones.list().some(zone => zone.callerReference === callerReference)) {
          const message = `A hosted zone has already been created with the specified caller reference.`;
          throw new Route53Error('HostedZoneAlreadyExists', message);
        }
        const comment = config?.Comment;
        const { zone, change } = zones.add({ name, callerReference, ...(comment && { comment }) });
        return {
          status: 201,
          headers: { location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}` },
          element: 'CreateHostedZoneResponse',
          content: {
            HostedZone: representation(zone),
            ChangeInfo: changeInfo(zones, change),
            DelegationSet: delegationSet(zone),
          },
        };
      },
    },

    'GET /hostedzone/{id}': {
      name: 'GetHostedZone',
      resource: 'hostedzone/{id}',
      perform({ parameters }) {
        const zone = existingZone(zones, parameters.id);
        const content = { HostedZone: representation(zone), DelegationSet: delegationSet(zone) };
        return { element: 'GetHostedZoneResponse', content };
      },
    },

    'DELETE /hostedzone/{id}': {
      name: 'DeleteHostedZone',
      resource: 'hostedzone/{id}',
      perform({ parameters }) {
        const { id, name, recordSets } = existingZone(zones, parameters.id);
        const isRequired = (set: (typeof recordSets)[number]) =>
          set.name === name && (set.type === 'NS' || set.type === 'SOA');
        if (!recordSets.every(isRequired)) {
          const message =
            'The specified hosted zone contains non-required resource record sets and so cannot be deleted.';
          throw new Route53Error('HostedZoneNotEmpty', message);
        }
        const content = { ChangeInfo: changeInfo(zones, zones.remove(id)) };
        return { element: 'DeleteHostedZoneResponse', content };
      },
    },

    'GET /hostedzone': {
      name: 'ListHostedZones',
      perform({ query }) {
        const { marker = '', maxitems } = read(ListHostedZonesQuery, query);
        const ordered = zones.list().toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const { shown, next } = page(ordered, maxitems, zone => zone.id < marker);
        return {
          element: 'ListHostedZonesResponse',
          content: {
            HostedZones: { HostedZone: shown.map(representation) },
            Marker: marker,
            IsTruncated: next !== undefined,
            NextMarker: next?.id,
            MaxItems: maxitems,
          },
        };
      },
    },

    'GET /hostedzonesbyname': {
      name: 'ListHostedZonesByName',
      perform({ query }) {
        const { dnsname, hostedzoneid = '', maxitems } = read(ListHostedZonesByNameQuery, query);
        const startsAt = dnsname === undefined ? '' : orderOf(validName(dnsname), idOf(hostedzoneid));
        const orderOfZone = ({ name, id }: HostedZone) => orderOf(name, id);
        const ordered = zones.list().toSorted((a, b) => (orderOfZone(a) < orderOfZone(b) ? -1 : 1));
        const { shown, next } = page(ordered, maxitems, zone => orderOfZone(zone) < startsAt);
        return {
          element: 'ListHostedZonesByNameResponse',
          content: {
            HostedZones: { HostedZone: shown.map(representation) },
            DNSName: dnsname,
            HostedZoneId: query.hostedzoneid,
            IsTruncated: next !== undefined,
            NextDNSName: next?.name,
            NextHostedZoneId: next?.id,
            MaxItems: maxitems,
          },
        };
      },
    },
  };
}

/** By name, then by id. A space comes before all that a name may hold. */
function orderOf(name: string, id: string): string {
  return `${reversedLabels(name)} ${id}`;
}

/** Clients may give an id as they got it, /hostedzone/Z…. */
export function idOf(given: string): string {
  return given.replace(/^\/?(hostedzone|change)\//, '');
}

export function existingZone(zones: HostedZones, given = ''): HostedZone {
  const id = idOf(given);
  const zone = zones.find(id);
  if (zone === undefined) {
    throw new Route53Error('NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
  }
  return zone;
}

export function validName(given: string): string {
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
  return { NameServers: { NameServer: nameServers(id) } };
}
