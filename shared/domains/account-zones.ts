import {
  type ChangeAction,
  ChangeResourceRecordSetsCommand,
  GetHostedZoneCommand,
  InvalidChangeBatch,
  NoSuchHostedZone,
  Route53Client,
} from '@aws-sdk/client-route-53';
import type { MadeRecord } from './domain.ts';

/** A hosted zone of this account whose records the flow may make. */
export interface AccountZone {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly nameServers: readonly string[];
}

/** The hosted zones of this account that are on the allow-list. */
export interface AccountZones {
  list(): Promise<AccountZone[]>;
  /**
   * Makes a record; false when there is one of its name and type already, which stays as it is. When it throws, the record
   * may be there.
   */
  create(record: MadeRecord): Promise<boolean>;
  /** Deletes a record if it is there exactly as it was made. */
  remove(record: MadeRecord): Promise<void>;
}

export function accountZones(zoneIds: readonly string[]): AccountZones {
  const route53 = new Route53Client({ maxAttempts: 6 });
  // Asked again by the SDK after a lost answer, Route 53 would call our own record someone's who was there before.
  const once = new Route53Client({ maxAttempts: 1 });

  /** False when Route 53 does not take the change: there is a record already, or none to delete, or no zone any more. */
  const change = async (
    client: Route53Client,
    Action: ChangeAction,
    record: MadeRecord,
  ): Promise<boolean> => {
    try {
      await client.send(
        new ChangeResourceRecordSetsCommand({
          HostedZoneId: record.zoneId,
          ChangeBatch: { Changes: [{ Action, ResourceRecordSet: recordSet(record) }] },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof InvalidChangeBatch || error instanceof NoSuchHostedZone) return false;
      throw error;
    }
  };

  /** A zone that was deleted is on the list until the next deploy. */
  const find = async (id: string): Promise<AccountZone | undefined> => {
    try {
      const { HostedZone, DelegationSet } = await route53.send(new GetHostedZoneCommand({ Id: id }));
      return {
        id,
        name: undotted(HostedZone?.Name ?? ''),
        isPrivate: HostedZone?.Config?.PrivateZone ?? false,
        nameServers: (DelegationSet?.NameServers ?? []).map(undotted),
      };
    } catch (error) {
      if (error instanceof NoSuchHostedZone) return undefined;
      throw error;
    }
  };

  return {
    async list() {
      const zones = await Promise.all(zoneIds.map(find));
      return zones.flatMap(zone => zone ?? []);
    },
    create: record => change(once, 'CREATE', record),
    async remove(record) {
      await change(route53, 'DELETE', record);
    },
  };
}

function recordSet({ type: Type, name: Name, value, ttl, aliasZoneId }: MadeRecord) {
  if (aliasZoneId !== null) {
    return {
      Name,
      Type,
      AliasTarget: { DNSName: value, HostedZoneId: aliasZoneId, EvaluateTargetHealth: false },
    };
  }
  const Value = Type === 'TXT' ? `"${value}"` : value;
  return { Name, Type, TTL: ttl, ResourceRecords: [{ Value }] };
}

function undotted(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
