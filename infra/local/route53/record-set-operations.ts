import * as z from 'zod';
import { changedRecordSets, type IsAwsName, type RecordSetChange } from './change-batch.ts';
import { changeInfo } from './changes.ts';
import { normalizedName, reversedLabels } from './domain-name.ts';
import { existingZone, validName } from './hosted-zone-operations.ts';
import type { HostedZones } from './hosted-zones.ts';
import type { Operations } from './operation.ts';
import { maxItems, page } from './page.ts';
import type { RecordSet } from './record-set.ts';
import { RECORD_TYPES, type RecordType } from './record-values.ts';
import { Route53Error } from './route53-error.ts';
import { Flag, parsedXml, read } from './xml.ts';

const MAX_RECORD_SETS = 300;
const MAX_CHANGES = 1000;
const MAX_TTL_SECONDS = 2 ** 31 - 1;

const SentChange = z.strictObject({
  Action: z.enum(['CREATE', 'DELETE', 'UPSERT']),
  ResourceRecordSet: z.strictObject({
    Name: z.string().max(1024),
    Type: z.string(),
    TTL: z.coerce.number().int().min(0).max(MAX_TTL_SECONDS).optional(),
    ResourceRecords: z
      .strictObject({ ResourceRecord: z.array(z.strictObject({ Value: z.string().max(4000) })).min(1) })
      .optional(),
    AliasTarget: z
      .strictObject({ HostedZoneId: z.string(), DNSName: z.string(), EvaluateTargetHealth: Flag })
      .optional(),
  }),
});

const ChangeResourceRecordSetsRequest = z.strictObject({
  ChangeBatch: z.strictObject({
    Comment: z.string().max(256).optional(),
    Changes: z.strictObject({ Change: z.array(SentChange).min(1).max(MAX_CHANGES) }),
  }),
});

const ListResourceRecordSetsQuery = z.strictObject({
  name: z.string().optional(),
  type: z.string().optional(),
  maxitems: maxItems(MAX_RECORD_SETS),
});

/** ChangeResourceRecordSets and ListResourceRecordSets. */
export function recordSetOperations(zones: HostedZones, isAwsName: IsAwsName): Operations {
  return {
    'POST /hostedzone/{id}/rrset': {
      name: 'ChangeResourceRecordSets',
      resource: 'hostedzone/{id}',
      perform({ parameters, body }) {
        const sent = parsedXml(body, 'ChangeResourceRecordSetsRequest');
        const { Changes, Comment } = read(ChangeResourceRecordSetsRequest, sent).ChangeBatch;
        const zone = existingZone(zones, parameters.id);
        const recordSets = changedRecordSets(zone, Changes.Change.map(recordSetChange), isAwsName);
        const change = zones.replaceRecordSets(zone.id, recordSets, Comment);
        const content = { ChangeInfo: changeInfo(zones, change) };
        return { element: 'ChangeResourceRecordSetsResponse', content };
      },
    },

    'GET /hostedzone/{id}/rrset': {
      name: 'ListResourceRecordSets',
      resource: 'hostedzone/{id}',
      perform({ parameters, query }) {
        const { name, type, maxitems } = read(ListResourceRecordSetsQuery, query);
        if (type !== undefined && name === undefined) {
          throw new Route53Error('InvalidInput', 'A start type needs a start name.');
        }
        const startsAt = name === undefined ? '' : orderOf(validName(name), type ?? '');
        const zone = existingZone(zones, parameters.id);
        const orderOfSet = (set: RecordSet) => orderOf(set.name, set.type);
        const ordered = zone.recordSets.toSorted((a, b) => (orderOfSet(a) < orderOfSet(b) ? -1 : 1));
        const { shown, next } = page(ordered, maxitems, set => orderOfSet(set) < startsAt);
        return {
          element: 'ListResourceRecordSetsResponse',
          content: {
            ResourceRecordSets: { ResourceRecordSet: shown.map(representation) },
            IsTruncated: next !== undefined,
            NextRecordName: next?.name,
            NextRecordType: next?.type,
            MaxItems: maxitems,
          },
        };
      },
    },
  };
}

/** By name, then by type. A space comes before all that a name may hold. */
function orderOf(name: string, type: string): string {
  return `${reversedLabels(name)} ${type}`;
}

function recordSetChange({ Action: action, ResourceRecordSet: sent }: z.output<typeof SentChange>) {
  const { Name, Type, TTL, ResourceRecords, AliasTarget } = sent;
  const where = `in Change with [Action=${action}, Name=${Name}, Type=${Type}, SetIdentifier=null]`;
  const hasRecords = TTL !== undefined && ResourceRecords !== undefined;
  const hasPartOfRecords = TTL !== undefined || ResourceRecords !== undefined;
  if (AliasTarget === undefined ? !hasRecords : hasPartOfRecords) {
    const found = hasPartOfRecords && AliasTarget !== undefined ? 'more than one' : 'none';
    const message = `Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords], or TrafficPolicyInstanceId], but found ${found} ${where}`;
    throw new Route53Error('InvalidInput', message);
  }
  const change: RecordSetChange = {
    action,
    recordSet: {
      name: nameInBatch(Name),
      type: knownType(Type),
      values: ResourceRecords?.ResourceRecord.map(({ Value }) => Value) ?? [],
      ...(TTL !== undefined && { ttlSeconds: TTL }),
      ...(AliasTarget && {
        aliasTarget: {
          hostedZoneId: AliasTarget.HostedZoneId,
          dnsName: nameInBatch(AliasTarget.DNSName),
          evaluateTargetHealth: AliasTarget.EvaluateTargetHealth,
        },
      }),
    },
  };
  return change;
}

function nameInBatch(given: string): string {
  const name = normalizedName(given);
  if (name === undefined) {
    const problem = given.replace(/\.$/, '').split('.').includes('')
      ? 'DomainLabelEmpty (Domain label is empty)'
      : 'UnsupportedCharacter (Value contains unsupported characters)';
    throw new Route53Error('InvalidChangeBatch', `[FATAL problem: ${problem} encountered with '${given}']`);
  }
  return name;
}

function knownType(given: string): RecordType {
  const type = RECORD_TYPES.find(known => known === given);
  if (type === undefined) {
    throw new Route53Error(
      'NotImplemented',
      `Records of the type ${given} are not supported by the local runtime.`,
    );
  }
  return type;
}

function representation({ name, type, ttlSeconds, values, aliasTarget }: RecordSet) {
  return {
    Name: name,
    Type: type,
    TTL: ttlSeconds,
    ResourceRecords: aliasTarget ? undefined : { ResourceRecord: values.map(Value => ({ Value })) },
    AliasTarget: aliasTarget && {
      HostedZoneId: aliasTarget.hostedZoneId,
      DNSName: aliasTarget.dnsName,
      EvaluateTargetHealth: aliasTarget.evaluateTargetHealth,
    },
  };
}
