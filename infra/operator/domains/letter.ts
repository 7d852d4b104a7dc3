import {
  fieldNames,
  LEAVE_EMPTY,
  type RecordEntry,
  recordEntry,
} from '../../../shared/domains/dns/record-entry.ts';
import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import { factsOfTodo } from '../../../shared/domains/life/todo.ts';
import type { DomainRecord, DomainReport, OwnerLink } from '../../../shared/operator/contract.ts';
import { lastDayBefore } from '../readable-times.ts';
import { waitsForOwner } from './domain-report.ts';

/** The option of the command that shows a domain, as commander takes it. */
export const LETTER_OPTION = [
  '--letter',
  'print an email to whoever runs the DNS, with the records to create',
] as const;

/**
 * An email to whoever runs the DNS of domains in one zone: the link to the page for the owner, and the records as text for those
 * who'd rather not open links.
 */
export function letter(reports: readonly DomainReport[], link: OwnerLink | null): string {
  const [{ provider } = { provider: null }] = reports;
  const names = reports.map(({ domain }) => domain).join(' and ');
  if (reports.every(report => factsOf(report).group === 'removing')) return removalLetter(reports, names);
  const records = reports.flatMap(report => (report.detour ? [] : report.records.filter(isAsked)));
  const fixes = reports
    .flatMap(({ troubles }) => troubles.flatMap(({ fix }) => fix ?? []))
    .filter(({ type }) => type === 'CAA');
  const asked = [
    ...records.map(record => entryOf(record, provider)),
    ...fixes.map(fix => fieldsOf(recordEntry(fix, provider), provider)),
  ];
  const isDone = asked.length === 0 && !reports.some(waitsForOwner);
  const renews = records.some(({ purpose }) => purpose === 'certificate');
  return [
    `Subject: DNS records for ${names}`,
    'Hello,',
    ...(isDone ? [`All DNS records for ${names} are right. Please keep them as they are.`] : []),
    ...(link
      ? [
          `Please set up the DNS of ${names}. This page says how, and what was found. It needs no account, and works until ${lastDayBefore(link.until)}:`,
          link.url,
        ]
      : []),
    ...(asked.length > 0 ? [`The records to create${provider ? ` at ${provider.name}` : ''}:`] : []),
    ...asked.map((entry, index) => `Record ${index + 1}\n${entry}`),
    ...(asked.length > 0
      ? [
          `Please keep them for good${renews ? ": the certificate can't renew without them" : ''}. All other records, such as those for mail, stay as they are.`,
        ]
      : []),
    ...(link ? ['When this is done, press "Check now" on the page.'] : []),
    'Thank you',
  ].join('\n\n');
}

function removalLetter(reports: readonly DomainReport[], names: string): string {
  const entries = reports.flatMap(({ records, provider }) =>
    records.map(record => entryOf(record, provider)),
  );
  return [
    `Subject: DNS records for ${names}`,
    'Hello,',
    `Please delete these DNS records for ${names}. They're no longer needed, unless something else uses them:`,
    ...entries.map((entry, index) => `Record ${index + 1}\n${entry}`),
    'Thank you',
  ].join('\n\n');
}

type Provider = DomainReport['provider'];

/** Whether the record should be created or changed now. One that can't be looked up may be missing. */
function isAsked({ todo }: DomainRecord): boolean {
  return factsOfTodo(todo).isSet || todo?.kind === 'ask';
}

function entryOf(record: DomainRecord, provider: Provider): string {
  const { state, observed } = record;
  const isWrong = (state === 'mismatch' || state === 'conflict') && observed.length > 0;
  const now = isWrong ? `\n  It takes the place of: ${observed.join(', ')}` : '';
  return `${fieldsOf(recordEntry(record, provider), provider)}${now}`;
}

function fieldsOf({ type, name, value, ttl }: RecordEntry, provider: Provider): string {
  const [nameField, valueField] = fieldNames(provider);
  const lines = [
    ['Type', type],
    [nameField, name || LEAVE_EMPTY],
    [valueField, value],
    ...(ttl ? [['TTL', String(ttl)]] : []),
  ];
  return lines.map(([field, text]) => `  ${field}: ${text}`).join('\n');
}
