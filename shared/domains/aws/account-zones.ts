import {
  type Change,
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  InvalidChangeBatch,
  NoSuchHostedZone,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53';
import { controlPlaneClient } from '../../aws/control-plane.ts';
import { withoutTrailingDot } from '../dns/dns-query.ts';
import type { ManagedRecord } from '../life/domain.ts';

/** A hosted zone of this account in which the flow may create records. */
export interface AccountZone {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly nameServers: readonly string[];
}

export type AccountZones = ReturnType<typeof accountZones>;

/** The hosted zones of this account that are on the allow-list. */
export function accountZones(zoneIds: readonly string[]) {
  const route53 = controlPlaneClient(Route53Client);

  /**
   * Route 53 rejects a change if the record already exists, isn't there to delete, or the zone is gone. It applies all changes of
   * a request or none, so only what belongs together is in one.
   */
  const change = async (zoneId: string, ...Changes: Change[]): Promise<void> => {
    try {
      await route53.send(
        new ChangeResourceRecordSetsCommand({ HostedZoneId: zoneId, ChangeBatch: { Changes } }),
      );
    } catch (error) {
      if (!(error instanceof InvalidChangeBatch || error instanceof NoSuchHostedZone)) throw error;
    }
  };

  /** Undefined for a deleted zone, which stays on the allow-list until the next deploy. */
  const find = async (id: string): Promise<AccountZone | undefined> => {
    try {
      const { HostedZone, DelegationSet } = await route53.send(new GetHostedZoneCommand({ Id: id }));
      return {
        id,
        name: withoutTrailingDot(HostedZone?.Name ?? ''),
        isPrivate: HostedZone?.Config?.PrivateZone ?? false,
        nameServers: (DelegationSet?.NameServers ?? []).map(withoutTrailingDot),
      };
    } catch (error) {
      if (error instanceof NoSuchHostedZone) return undefined;
      throw error;
    }
  };

  return {
    async list(): Promise<AccountZone[]> {
      const zones = await Promise.all(zoneIds.map(find));
      return zones.flatMap(zone => zone ?? []);
    },
    /**
     * Creates a record, unless one with its name and type exists, which stays as it is unless it is exactly a former one of ours:
     * that one is replaced in one change, so that its name never lacks a record. An alias is two records: A for IPv4 and AAAA
     * for IPv6.
     */
    async create(record: ManagedRecord, formers: readonly ManagedRecord[] = []): Promise<void> {
      for (const ResourceRecordSet of recordSets(record)) {
        const creation: Change = { Action: 'CREATE', ResourceRecordSet };
        for (const former of formers.flatMap(recordSets)) {
          if (former.Type !== ResourceRecordSet.Type) continue;
          await change(record.zoneId, { Action: 'DELETE', ResourceRecordSet: former }, creation);
        }
        await change(record.zoneId, creation);
      }
    },

    /** Deletes a record if it is exactly as it was created; for an alias, each of its two records separately. */
    async remove(record: ManagedRecord): Promise<void> {
      for (const ResourceRecordSet of recordSets(record)) {
        await change(record.zoneId, { Action: 'DELETE', ResourceRecordSet });
      }
    },
  };
}

function recordSets({ type: Type, name: Name, value, ttl, aliasZoneId }: ManagedRecord): ResourceRecordSet[] {
  if (aliasZoneId !== null) {
    const AliasTarget = { DNSName: value, HostedZoneId: aliasZoneId, EvaluateTargetHealth: false };
    return (['A', 'AAAA'] as const).map(type => ({ Name, Type: type, AliasTarget }));
  }
  const Value = Type === 'TXT' ? `"${value}"` : value;
  return [{ Name, Type, TTL: ttl, ResourceRecords: [{ Value }] }];
}
