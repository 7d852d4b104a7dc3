import * as z from 'zod';
import { notSupported } from '../aws-api/aws-api-error.ts';
import { type Operation, operationOf, page } from '../aws-api/operation.ts';
import { type AliasZoneOf, changedRecordSets, type RecordSetChange } from './change-batch.ts';
import { normalizedName, reversedLabels } from './domain-name.ts';
import {
  changeInfo,
  hostedZoneArn,
  maxItems,
  ResourceId,
  requireIdleZone,
  requireZone,
} from './hosted-zone-operations.ts';
import type { HostedZones } from './hosted-zones.ts';
import { Route53Error } from './hosted-zones.ts';
import type { RecordSet } from './record-set.ts';
import { RECORD_TYPES, type RecordType } from './record-set.ts';

const operation = operationOf<typeof import('@aws-sdk/client-route-53')>();

const MAX_RECORD_SETS = 300;
const MAX_CHANGES = 1000;

const Change = z.strictObject({
  Action: z.enum(['CREATE', 'DELETE', 'UPSERT']),
  ResourceRecordSet: z.strictObject({
    Name: z.string(),
    Type: z.string(),
    TTL: z.number().optional(),
    ResourceRecords: z.array(z.strictObject({ Value: z.string() })).optional(),
    AliasTarget: z
      .strictObject({ HostedZoneId: z.string(), DNSName: z.string(), EvaluateTargetHealth: z.boolean() })
      .optional(),
  }),
});

export function recordSetOperations(zones: HostedZones, aliasZoneOf: AliasZoneOf): readonly Operation[] {
  const resource = ({ HostedZoneId = '' }: { HostedZoneId?: string }) => hostedZoneArn(HostedZoneId);
  return [
    operation({
      name: 'ChangeResourceRecordSets',
      input: z.strictObject({
        HostedZoneId: ResourceId,
        ChangeBatch: z.strictObject({
          Comment: z.string().optional(),
          Changes: z.array(Change).min(1).max(MAX_CHANGES),
        }),
      }),
      resource,
      conditionKeys: ({ ChangeBatch: { Changes } }) => ({
        'route53:ChangeResourceRecordSetsActions': unique(Changes.map(({ Action }) => Action)),
        'route53:ChangeResourceRecordSetsNormalizedRecordNames': unique(
          Changes.map(({ ResourceRecordSet: { Name } }) => conditionName(Name)),
        ),
        'route53:ChangeResourceRecordSetsRecordTypes': unique(
          Changes.map(({ ResourceRecordSet: { Type } }) => Type),
        ),
      }),
      perform({ HostedZoneId, ChangeBatch: { Changes } }) {
        const zone = requireIdleZone(zones, HostedZoneId);
        const recordSets = changedRecordSets(zone, Changes.map(recordSetChange), aliasZoneOf);
        zones.replaceRecordSets(zone.id, recordSets);
        return { ChangeInfo: changeInfo(zones) };
      },
    }),

    operation({
      name: 'ListResourceRecordSets',
      input: z.strictObject({
        HostedZoneId: ResourceId,
        StartRecordName: z.string().optional(),
        StartRecordType: z.string().optional(),
        MaxItems: maxItems(MAX_RECORD_SETS),
      }),
      resource,
      perform({ HostedZoneId, StartRecordName: name, StartRecordType: type, MaxItems }) {
        if (type !== undefined && name === undefined) {
          throw new Route53Error('InvalidInput', 'A start type needs a start name.');
        }
        const start = name === undefined ? '' : sortKey(startName(name), type ?? '');
        const zone = requireZone(zones, HostedZoneId);
        const sortKeyOf = (set: RecordSet) => sortKey(set.name, set.type);
        const ordered = zone.recordSets.toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
        const { shown, next } = page(ordered, MaxItems, set => sortKeyOf(set) < start);
        return {
          ResourceRecordSets: shown.map(representation),
          IsTruncated: next !== undefined,
          NextRecordName: next?.name,
          NextRecordType: next?.type,
          MaxItems,
        };
      },
    }),
  ];
}

/** A name as conditions compare it: in Route 53's form without the trailing dot. */
function conditionName(given: string): string {
  return (normalizedName(given) ?? given.toLowerCase()).replace(/\.$/, '');
}

/** ListResourceRecordSets throws InvalidInput where other operations throw InvalidDomainName. */
function startName(given: string): string {
  const name = normalizedName(given);
  if (name === undefined) {
    throw new Route53Error('InvalidInput', `The start name '${given}' is not a domain name`);
  }
  return name;
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

/** Orders by name, then by type: a space sorts before every character of a name. */
function sortKey(name: string, type: string): string {
  return `${reversedLabels(name)} ${type}`;
}

function recordSetChange({ Action: action, ResourceRecordSet: given }: z.output<typeof Change>) {
  const { Name, Type, TTL, ResourceRecords, AliasTarget } = given;
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
      type: requireType(Type),
      values: ResourceRecords?.map(({ Value }) => Value) ?? [],
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

function requireType(given: string): RecordType {
  const type = RECORD_TYPES.find(candidate => candidate === given);
  if (type === undefined) throw notSupported(`The record type ${given}`);
  return type;
}

function representation({ name, type, ttlSeconds, values, aliasTarget }: RecordSet) {
  return {
    Name: name,
    Type: type,
    TTL: ttlSeconds,
    ResourceRecords: aliasTarget ? undefined : values.map(Value => ({ Value })),
    AliasTarget: aliasTarget && {
      HostedZoneId: aliasTarget.hostedZoneId,
      DNSName: aliasTarget.dnsName,
      EvaluateTargetHealth: aliasTarget.evaluateTargetHealth,
    },
  };
}
