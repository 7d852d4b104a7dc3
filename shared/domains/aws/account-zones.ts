import {
  type ChangeAction,
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
   * Route 53 rejects a change if the record already exists, isn't there to delete, or the zone is gone. It applies all
   * changes of a request or none, so each is sent separately.
   */
  const change = async (Action: ChangeAction, record: ManagedRecord): Promise<void> => {
    for (const ResourceRecordSet of recordSets(record)) {
      try {
        await route53.send(
          new ChangeResourceRecordSetsCommand({
            HostedZoneId: record.zoneId,
            ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] },
          }),
        );
      } catch (error) {
        if (!(error instanceof InvalidChangeBatch || error instanceof NoSuchHostedZone)) throw error;
      }
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
     * Creates a record, unless one with its name and type exists, which stays as it is. An alias is two records: A for IPv4
     * and AAAA for IPv6.
     */
    create: (record: ManagedRecord) => change('CREATE', record),
    /** Deletes a record if it is exactly as it was created; for an alias, each of its two records separately. */
    remove: (record: ManagedRecord) => change('DELETE', record),
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
