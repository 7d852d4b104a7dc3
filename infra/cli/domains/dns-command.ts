import type { ResourceRecordSet } from '@aws-sdk/client-route-53';
import { Argument } from 'commander';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { CommandError, PROGRAM_NAME, usageError } from '../../operator/connection/command-error.ts';
import {
  RECORD_TYPES,
  type RecordType,
  readName,
  readTtl,
  readType,
  readValues,
} from '../../operator/domains/dns-record.ts';
import { isUnderway, recordsToCreate } from '../../operator/domains/domain-report.ts';
import { HostedZones } from '../../operator/domains/hosted-zones.ts';
import {
  applyRecords,
  deleteRecord,
  recordsAsSet,
  recordsInTheWay,
  setRecord,
  valuesOf,
} from '../../operator/domains/set-record.ts';
import type { PetstoreCommand } from '../framework/petstore-command.ts';
import { Session } from '../framework/session.ts';
import type { Style } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';
import { awaitCertificateRecord } from './add-domain.ts';
import { DomainSession } from './domain-session.ts';

/** Short, so that a corrected record is seen soon. */
const DEFAULT_TTL = 60;

const NAME_ARGUMENT = ['<name>', 'the full name, such as www.example.com', readName] as const;
const typeArgument = () =>
  new Argument('<type>', RECORD_TYPES.join(', ')).choices(RECORD_TYPES).argParser(readType);

export function declareGroup(dns: PetstoreCommand): void {
  dns
    .description(
      'Acts as the registrar and DNS provider of custom domains on this machine: sets, deletes and lists the records that the DNS server of "npm start" answers with. Only with --local; on AWS, create the records at your DNS provider.',
    )
    .examples(
      'dns apply www.example.com --local',
      'dns set www.example.com CNAME 1f0c….apps.staging.petstore.test --local',
      'dns list --local',
    );
  addSet(dns);
  addDelete(dns);
  addList(dns);
  addApply(dns);
}

function requireLocal(command: PetstoreCommand): void {
  if (command.optsWithGlobals<{ local?: true }>().local) return;
  throw usageError(
    `${command.path} acts as the DNS provider on this machine and needs --local.`,
    `On AWS, create the records at your DNS provider. See them with: ${PROGRAM_NAME} domains show <domain>`,
  );
}

async function localZones(command: PetstoreCommand): Promise<{ session: Session; zones: HostedZones }> {
  requireLocal(command);
  const session = new Session(command);
  return { session, zones: await HostedZones.of(session.target) };
}

function addSet(dns: PetstoreCommand): void {
  dns
    .command('set')
    .summary('set a record, replacing any existing one')
    .description(
      "Sets the records of one type at a name, replacing any existing ones. Creates the domain's zone if it doesn't exist. An ALIAS becomes the current IP addresses of its target, as it does at DNS providers that flatten it.",
    )
    .argument(...NAME_ARGUMENT)
    .addArgument(typeArgument())
    .argument('<value...>', 'one or more values; the text of a TXT record needs no inner quotes')
    .option('--ttl <seconds>', `how long resolvers may cache the answer (default: ${DEFAULT_TTL})`, readTtl)
    .examples(
      'dns set www.example.com CNAME 1f0c….apps.staging.petstore.test --local',
      'dns set example.com A 192.0.2.1 192.0.2.2 --ttl 300 --local',
      `dns set example.com CAA '0 issue "amazon.com"' --local`,
    )
    .action(
      async (
        name: string,
        type: RecordType,
        texts: string[],
        { ttl = DEFAULT_TTL }: { ttl?: number },
        command: PetstoreCommand,
      ) => {
        const record = { name, type, ttl, values: readValues(type, texts) };
        const { session, zones } = await localZones(command);
        const { zone, isNewZone } = await setRecord(zones, record);
        session.show({ zone: zone.name, isNewZone, ...record }, () =>
          [
            ...(isNewZone ? [`Created the zone ${zone.name}.`] : []),
            `Set ${type} ${name} to ${record.values.join(', ')} (TTL ${ttl}) in the zone ${zone.name}.`,
          ].join('\n'),
        );
      },
    );
}

function addDelete(dns: PetstoreCommand): void {
  dns
    .command('delete')
    .aliases(['rm', 'remove'])
    .summary('delete a record')
    .description('Deletes the records of one type at a name.')
    .argument(...NAME_ARGUMENT)
    .addArgument(typeArgument())
    .examples('dns delete www.example.com CNAME --local', 'dns delete example.com A --local')
    .action(async (name: string, type: RecordType, _: object, command: PetstoreCommand) => {
      const { session, zones } = await localZones(command);
      const zone = await zones.zoneOf(name);
      const record = zone && (await deleteRecord(zones, zone, name, type));
      if (!record) {
        throw new CommandError('not_found', `${name} has no ${type} record.`, {
          advice: [`See the records with: ${session.commandLine(`dns list ${zone?.name ?? ''}`.trim())}`],
        });
      }
      session.show(
        { zone: zone.name, ...shownRecord(record) },
        () => `Deleted ${type} ${name} from the zone ${zone.name}.`,
      );
    });
}

function addList(dns: PetstoreCommand): void {
  dns
    .command('list')
    .alias('ls')
    .summary('list the records of a zone, or of all zones')
    .description('Lists the records of a zone, or of all zones.')
    .argument('[zone]', 'the zone, such as example.com, or a name in it', readName)
    .examples(
      'dns list --local',
      'dns list example.com --local',
      "dns list --local --json | jq '.zones[].name'",
    )
    .action(async (name: string | undefined, _: object, command: PetstoreCommand) => {
      const { session, zones } = await localZones(command);
      const found = name === undefined ? await zones.list() : [await zones.zoneOf(name)];
      const listed = await Promise.all(
        found
          .flatMap(zone => zone ?? [])
          .map(async zone => ({ ...zone, records: await zones.recordsOf(zone) })),
      );
      if (name !== undefined && listed.length === 0) {
        throw new CommandError('not_found', `There is no zone for ${name}.`, {
          advice: [`See all zones with: ${session.commandLine('dns list')}`],
        });
      }
      const result = {
        zones: listed.map(zone => ({
          name: zone.name,
          records: recordsAsSet(zone.records).map(({ set, target }) => shownRecord(set, target)),
        })),
      };
      session.show(result, style =>
        listed.length > 0 ? result.zones.map(zone => zoneText(zone, style)).join('\n\n') : 'No zones yet.',
      );
    });
}

function addApply(dns: PetstoreCommand): void {
  dns
    .command('apply')
    .summary('set all records that a custom domain needs')
    .description(
      'Sets all DNS records that a custom domain needs, as "domains show" lists them. Asks before it deletes a record that is in their way. The traffic record of a domain that was added with --switch-later is set only once the domain is ready.',
    )
    .argument('<domain>', 'the domain, as it was added')
    .option('--project <id>', `the domain's project (default: ${SERVICE_PROJECT_ID})`)
    .examples('dns apply www.example.com --local', 'dns apply www.example.com --project shop --local')
    .action(async (domain: string, _: object, command: PetstoreCommand) => {
      requireLocal(command);
      const session = new DomainSession(command);
      const report = await awaitCertificateRecord(session, await session.readDomain(domain));
      const zones = await HostedZones.of(session.target);
      const records = recordsToCreate(report);
      const kept = report.records.filter(record => !records.includes(record));
      const inTheWay = await recordsInTheWay(zones, records);
      const lost = inTheWay.map(({ text }) => text);
      if (lost.length > 0) await session.confirm(`This deletes ${new Intl.ListFormat('en').format(lost)}.`);
      for (const zone of await applyRecords(zones, records, inTheWay)) {
        session.progress(`Created the zone ${zone.name}.`);
      }
      const next = isUnderway(report)
        ? `domains watch ${report.domain}`
        : `domains verify ${report.domain} --wait`;
      session.show({ domain: report.domain, records, deleted: lost }, () =>
        [
          ...lost.map(text => `Deleted ${text}.`),
          ...records.map(({ type, name, value }) => `Set ${type} ${name} to ${value}.`),
          ...kept.map(
            ({ type, name }) =>
              `Left ${type} ${name} as it is. Once the domain is ready, run this again to switch it.`,
          ),
          '',
          `Then: ${session.projectCommandLine(next)}`,
        ].join('\n'),
      );
    });
}

/** A record as it is printed. An alias has no TTL. */
interface ShownRecord {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly values: readonly string[];
}

function shownRecord(record: ResourceRecordSet, targetAsSet?: string): ShownRecord {
  const { Name = '', Type = '', TTL, AliasTarget } = record;
  const target = targetAsSet ?? AliasTarget?.DNSName?.replace(/\.$/, '');
  return {
    name: Name,
    type: target === undefined ? Type : 'ALIAS',
    ttl: TTL ?? null,
    values: target === undefined ? valuesOf(record) : [target],
  };
}

function zoneText(
  { name, records }: { readonly name: string; readonly records: readonly ShownRecord[] },
  style: Style,
): string {
  const columns: Column<ShownRecord>[] = [
    { title: 'NAME', value: record => record.name },
    { title: 'TYPE', value: record => record.type },
    { title: 'TTL', value: ({ ttl }) => (ttl === null ? '–' : String(ttl)) },
    { title: 'VALUE', value: ({ values }) => values.join(', '), canShrink: true },
  ];
  return `${style.bold(`Zone ${name}`)}\n\n${table(records, columns, style)}`;
}
