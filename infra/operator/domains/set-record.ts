import type { ResourceRecordSet, RRType } from '@aws-sdk/client-route-53';
import { quoted } from '../../../shared/domains/dns/zone-file.ts';
import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError, PROGRAM_NAME, usageError } from '../connection/command-error.ts';
import { type DnsRecord, RECORD_TYPES, type RecordType, readValues } from './dns-record.ts';
import { type HostedZone, type HostedZones, type RecordChange, registrableOf } from './hosted-zones.ts';

/** The zone that a record was set in, and whether the zone was created for it. */
interface SetRecord {
  readonly zone: HostedZone;
  readonly isNewZone: boolean;
}

/**
 * Sets a record in the zone of its name, in one step replacing the present one and those that can't stand beside it. Creates
 * the zone if there is none.
 */
export async function setRecord(
  zones: HostedZones,
  record: DnsRecord,
  lost: readonly RecordType[] = [],
): Promise<SetRecord> {
  const existing = await zones.zoneOf(record.name);
  const zoneName = existing?.name ?? registrableName(record.name);
  refuseCnameAtApex(record, zoneName);
  const set = record.type === 'ALIAS' ? await aliasSet(zones, record) : recordSet(record, record.type);
  const zone = existing ?? (await zones.create(zoneName));
  const all = existing && lost.length > 0 ? await zones.recordsOf(existing) : [];
  const deleted = lost.flatMap(type => storedOf(all, record.name, type));
  // The note would be below a wildcard, where no record can be set.
  const hasNote = record.type === 'ALIAS' && !record.name.startsWith('*');
  await zones.change(
    zone,
    ...deletions(deleted),
    ...[set, ...(hasNote ? [targetNote(record, set)] : [])].map(
      each => ({ action: 'UPSERT', record: each }) as const,
    ),
  );
  return { zone, isNewZone: existing === undefined };
}

function deletions(records: readonly ResourceRecordSet[]): RecordChange[] {
  return records.map(record => ({ action: 'DELETE', record }));
}

/** Sets all records a domain needs, replacing those in their way; returns the zones it created. */
export async function applyRecords(
  zones: HostedZones,
  records: readonly DomainRecord[],
  inTheWay: readonly RecordInTheWay[] = [],
): Promise<HostedZone[]> {
  const created: HostedZone[] = [];
  for (const { name, type, value, ttl } of records) {
    const values = readValues(type, [value]);
    const lost = inTheWay.filter(way => way.name === name && !way.isReplaced).map(way => way.type);
    const { zone, isNewZone } = await setRecord(zones, { name, type, ttl, values }, lost);
    if (isNewZone) created.push(zone);
  }
  return created;
}

const FIX_TTL = 3600;

/** Adds the records that solve what is wrong with a domain, such as a CAA record, to those of their name and type. */
export async function addFixes(zones: HostedZones, { troubles }: DomainReport): Promise<string[]> {
  const fixes = troubles.flatMap(({ fix }) => fix ?? []);
  for (const { name, type, value } of fixes) {
    const zone = await zones.zoneOf(name);
    const present = zone ? storedOf(await zones.recordsOf(zone), name, type).flatMap(valuesOf) : [];
    const values = [...new Set([...present, ...readValues(type, [value])])];
    await setRecord(zones, { name, type, ttl: FIX_TTL, values });
  }
  return fixes.map(({ type, name }) => `${type} ${name}`);
}

/** A record that is lost when another is set. */
interface RecordInTheWay {
  readonly zone: HostedZone;
  readonly name: string;
  readonly type: RecordType;
  /** As people read it: `A www.example.com 192.0.2.1`. */
  readonly text: string;
  /** Whether setting the other one replaces it; otherwise it has to be deleted first. */
  readonly isReplaced: boolean;
}

/**
 * The records that are lost when these are set: those with another value, and those of types that can't stand beside them.
 */
export async function recordsInTheWay(
  zones: HostedZones,
  records: readonly DomainRecord[],
): Promise<RecordInTheWay[]> {
  const found: RecordInTheWay[] = [];
  for (const { name, type, value } of records) {
    const zone = await zones.zoneOf(name);
    const wanted = readValues(type, [value]).join();
    for (const { set, target } of zone ? recordsAsSet(await zones.recordsOf(zone)) : []) {
      if (!zone || set.Name !== name) continue;
      const own = set.Type === 'A' && (target ?? set.AliasTarget) ? 'ALIAS' : (set.Type as RecordType);
      const values = target ?? set.AliasTarget?.DNSName?.replace(/\.$/, '') ?? valuesOf(set).join(', ');
      const isLost = own === type ? values !== wanted : LOST_TO[type].includes(own);
      const isReplaced = isRecord(name, type)(set);
      if (isLost) found.push({ zone, name, type: own, text: `${own} ${name} ${values}`, isReplaced });
    }
  }
  return found;
}

/** A CNAME stands alone; an ALIAS is stored as an A record, and the name's other addresses would be those of another host. */
const LOST_TO: Readonly<Record<DomainRecord['type'], readonly RecordType[]>> = {
  CNAME: RECORD_TYPES,
  ALIAS: ['A', 'AAAA', 'CNAME'],
  TXT: ['CNAME'],
};

/** Deletes the records a domain needed, if they exist. */
export async function deleteRecords(zones: HostedZones, records: readonly DomainRecord[]): Promise<void> {
  for (const { name, type } of records) {
    const zone = await zones.zoneOf(name);
    if (zone) await deleteRecord(zones, zone, name, type);
  }
}

/** Deletes a record, including an ALIAS's note; returns what was deleted. */
export async function deleteRecord(
  zones: HostedZones,
  zone: HostedZone,
  name: string,
  type: RecordType,
): Promise<ResourceRecordSet | undefined> {
  const records = storedOf(await zones.recordsOf(zone), name, type);
  if (records.length > 0) await zones.change(zone, ...deletions(records));
  return records[0];
}

/** A record as it is stored, and the note of an ALIAS after it. */
function storedOf(all: readonly ResourceRecordSet[], name: string, type: RecordType): ResourceRecordSet[] {
  const stored = all.find(isRecord(name, type));
  if (!stored) return [];
  const note = isRecord(name, 'ALIAS')(stored) && all.find(isRecord(noteName(name), 'TXT'));
  return note ? [stored, note] : [stored];
}

/** Whether a record has this name and type; Route 53 stores an ALIAS as an A record. */
export function isRecord(name: string, type: RecordType): (record: ResourceRecordSet) => boolean {
  return record => record.Name === name && record.Type === (type === 'ALIAS' ? 'A' : type);
}

function registrableName(name: string): string {
  const registrable = registrableOf(name);
  if (registrable) return registrable;
  throw usageError(
    `${name} isn't under a domain that can be registered, so it can't have a zone.`,
    'Use a full name such as www.example.com.',
  );
}

/** Refuses a CNAME at the apex, which DNS doesn't allow, before creating a zone for it. */
function refuseCnameAtApex({ name, type }: DnsRecord, zoneName: string): void {
  if (type !== 'CNAME' || name !== zoneName) return;
  throw usageError(
    `A CNAME isn't allowed at ${name}, the apex of its zone: it would hide the other records there.`,
    'Use the type ALIAS.',
  );
}

function recordSet({ name, ttl, values }: DnsRecord, type: RRType): ResourceRecordSet {
  return { Name: name, Type: type, TTL: ttl, ResourceRecords: values.map(Value => ({ Value })) };
}

/** About as many CNAMEs as resolvers follow. */
const LONGEST_CHAIN = 16;

/** The hosted zone id of regional APIs in us-east-1, the region of the local AWS. */
const EXECUTE_API_ZONE = 'Z1UJRXOUMOOFQ8';

/**
 * An ALIAS as providers that flatten it would serve it: with its target's current addresses. If the chain of CNAMEs ends at an
 * API on AWS, the result is a Route 53 alias record.
 */
async function aliasSet(zones: HostedZones, record: DnsRecord): Promise<ResourceRecordSet> {
  const [target = ''] = record.values;
  let host = target;
  for (let followed = 0; followed < LONGEST_CHAIN; followed += 1) {
    if (isExecuteApi(host)) return aliasOf(record.name, host);
    const zone = await zones.zoneOf(host);
    const atHost = zone ? (await zones.recordsOf(zone)).filter(({ Name }) => Name === host) : [];
    const addresses = atHost.find(({ Type }) => Type === 'A');
    const cname = atHost.find(({ Type }) => Type === 'CNAME');
    if (addresses?.ResourceRecords) {
      return recordSet({ ...record, values: valuesOf(addresses) }, 'A');
    }
    const next = addresses?.AliasTarget?.DNSName ?? (cname && valuesOf(cname)[0]);
    if (next === undefined) break;
    host = next.replace(/\.$/, '').toLowerCase();
  }
  throw new CommandError(
    'refused',
    `${target} has no IP address on this machine, so it can't be the target of an ALIAS.`,
    {
      advice: [`Is the name right? See the names with: ${PROGRAM_NAME} dns list --local`],
    },
  );
}

/**
 * Route 53 keeps only what an ALIAS was resolved to. A TXT record beside it, the note, keeps the target and what it resolved
 * to: if somebody changes the record, the note no longer applies.
 */
function targetNote(
  { name, ttl, values: [target = ''] }: DnsRecord,
  set: ResourceRecordSet,
): ResourceRecordSet {
  return recordSet({ name: noteName(name), type: 'TXT', ttl, values: [noteOf(target, set)] }, 'TXT');
}

function noteName(name: string): string {
  return `_alias.${name}`;
}

function noteOf(target: string, set: ResourceRecordSet): string {
  const resolved = set.AliasTarget?.DNSName?.replace(/\.$/, '') ?? valuesOf(set).join(' ');
  return `"${target}" ${quoted(resolved)}`;
}

/** The records of a zone as they were set: an ALIAS with its target, and without its note. */
export function recordsAsSet(all: readonly ResourceRecordSet[]) {
  const notes = new Map(all.filter(({ Type }) => Type === 'TXT').map(set => [set.Name, set]));
  const targetOf = (set: ResourceRecordSet): string | undefined => {
    const noted = set.Type === 'A' ? notes.get(noteName(set.Name ?? '')) : undefined;
    const [note] = noted ? valuesOf(noted) : [];
    const [, target = ''] = /^"([^"]+)" /.exec(note ?? '') ?? [];
    return note === noteOf(target, set) ? target : undefined;
  };
  const shown = all.map(set => ({ set, target: targetOf(set) }));
  const hidden = new Set(shown.flatMap(({ set, target }) => (target ? noteName(set.Name ?? '') : [])));
  return shown.filter(({ set }) => set.Type !== 'TXT' || !hidden.has(set.Name ?? ''));
}

function isExecuteApi(host: string): boolean {
  return /\.execute-api\.[a-z0-9-]+\.amazonaws\.[a-z.]+$/.test(host);
}

function aliasOf(name: string, host: string): ResourceRecordSet {
  const AliasTarget = { HostedZoneId: EXECUTE_API_ZONE, DNSName: host, EvaluateTargetHealth: false };
  return { Name: name, Type: 'A', AliasTarget };
}

export function valuesOf({ ResourceRecords = [] }: ResourceRecordSet): string[] {
  return ResourceRecords.map(({ Value = '' }) => Value);
}
