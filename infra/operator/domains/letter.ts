import { factsOf } from '../../../shared/domains/life/domain-status.ts';
import { factsOfTodo } from '../../../shared/domains/life/todo.ts';
import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { fieldNames, LEAVE_EMPTY, type RecordEntry, recordEntry } from './record-entry.ts';

/** The option of the command that shows a domain, as commander takes it. */
export const LETTER_OPTION = [
  '--letter',
  'print an email to whoever runs the DNS, with the records to create',
] as const;

/** An email to whoever runs the DNS of domains in one zone, and has no access here: what to create and change. */
export function letter(reports: readonly DomainReport[]): string {
  const [{ provider } = { provider: null }] = reports;
  const names = reports.map(({ domain }) => domain).join(' and ');
  if (reports.every(report => factsOf(report).group === 'removing')) return removalLetter(reports, names);
  const fixes = reports
    .flatMap(({ troubles }) => troubles.flatMap(({ fix }) => fix ?? []))
    .filter(({ type }) => type === 'CAA');
  const records = reports.flatMap(report => (report.detour ? [] : report.records.filter(isAsked)));
  const renews = records.some(({ purpose }) => purpose === 'certificate');
  const asked = [
    ...records.map(record => entryOf(record, provider)),
    ...fixes.map(fix => fieldsOf(recordEntry(fix, provider), provider)),
  ];
  const kept = reports.filter(isPrepared).map(({ domain }) => domain);
  const later = `Please leave the current record of ${kept.join(' and of ')} as it is. I'll write again when it's time to change it.`;
  const hints = [...reports.flatMap(hintsOf), ...(kept.length > 0 ? [later] : [])];
  const isDone = asked.length === 0 && hints.length === 0;
  const how =
    provider && asked.length > 0
      ? [...provider.instructions, `How to create records at ${provider.name}: ${provider.link}`]
      : [];
  return [
    `Subject: DNS records for ${names}`,
    'Hello,',
    ...(isDone ? [`All DNS records for ${names} are right. Please keep them as they are.`] : []),
    ...(asked.length > 0
      ? [`Please create these DNS records for ${names}${provider ? ` at ${provider.name}` : ''}:`]
      : []),
    ...asked.map((entry, index) => `Record ${index + 1}\n${entry}`),
    ...(hints.length > 0 ? [[...new Set(hints)].join('\n')] : []),
    ...(how.length > 0 ? [how.join('\n')] : []),
    ...(asked.length > 0
      ? [
          `Please keep them for good${renews ? ": the certificate can't renew without them" : ''}. All other records, such as those for mail, stay as they are. Please reply when this is done.`,
        ]
      : []),
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

/** What to do besides the records. */
function hintsOf({ domain, detour, todo }: DomainReport): string[] {
  if (detour) return [`Please forward ${domain} to https://${detour.www} at ${detour.provider}.`];
  return todo.filter(({ kind }) => kind === 'delegation').map(({ text }) => text);
}

/** Whether its traffic record stays as it is for now. */
function isPrepared({ records, detour }: DomainReport): boolean {
  return !detour && records.some(({ todo }) => todo?.kind === 'keep');
}
