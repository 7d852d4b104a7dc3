import type { FirstLook } from '../../../shared/operator/contract.ts';
import { EXIT_CODES } from '../../operator/connection/command-error.ts';
import type { SubcommandRow } from '../framework/command-row.ts';
import { printable, prose, type Style, sections } from '../framework/style.ts';
import { type Column, table } from '../framework/table.ts';
import type { DomainSession } from './domain-session.ts';
import { fixLines, readableName } from './domain-text.ts';
import { readHost } from './several-domains.ts';

export const CHECK: SubcommandRow<'domains.check', DomainSession> = {
  command: 'domains.check',
  summary: 'look at a name before you add it',
  description: `Looks at a name before you add it, and changes nothing: is it registered, where is its DNS, which records are in the way, may Amazon issue its certificate, which records will it need, and what happens next.\n\nExit codes: ${EXIT_CODES.done} it can be added, ${EXIT_CODES.error} error, ${EXIT_CODES.usage} usage error, ${EXIT_CODES.actionNeeded} it can't be added yet.`,
  fields: { domain: ['<domain>', 'such as www.example.com, or example.com for an apex', readHost] },
  examples: ['domains check example.com', "domains check example.com --json | jq '.findings[].text'"],
  done(look, session) {
    if (look.refusal) session.endWith(EXIT_CODES.actionNeeded);
    return style => lookText(look, session, style);
  },
};

function lookText(look: FirstLook, session: DomainSession, style: Style): string {
  const { domain, kind, zone, suggestion, next, isPresent, isRegistered } = look;
  const isZoneMadeHere = session.target.isLocal && isRegistered === false;
  const what = kind === 'apex' ? 'an apex' : `a subdomain in the zone ${zone}`;
  return sections(
    [`${style.bold(readableName(domain))}  ${style.dim(what)}`],
    look.findings.flatMap(({ kind: about, isTrouble, text, fix }) => [
      isZoneMadeHere && about === 'registration'
        ? prose(`- ${zone} has no zone on this machine yet. "petstore dns apply" creates it.`, style)
        : isTrouble
          ? style.yellow(prose(`! ${printable(text)}`, style))
          : prose(`- ${printable(text)}`, style),
      ...fixLines(fix, style),
    ]),
    suggestion ? ['It will need these records:', '', neededTable(look, style)] : [],
    suggestion
      ? [
          'Next:',
          ...next.map((step, index) => prose(`${index + 1}. ${step}`, style, '  ')),
          '',
          `  ${session.projectCommandLine(`domains add ${suggestion.domain}${optionsOf(suggestion)}`)}`,
        ]
      : [],
    isPresent ? [`  ${session.projectCommandLine(`domains show ${domain}`)}`] : [],
  );
}

function optionsOf({ withWww, switchLater }: NonNullable<FirstLook['suggestion']>): string {
  return `${withWww ? ' --with-www' : ''}${switchLater ? ' --switch-later' : ''}`;
}

type Needed = FirstLook['records'][number];

function neededTable({ records, provider }: FirstLook, style: Style): string {
  const columns: Column<Needed>[] = [
    { title: 'PURPOSE', value: record => record.purpose },
    { title: 'TYPE', value: ({ type }) => (type === 'ALIAS' ? (provider?.alias ?? 'ALIAS or ANAME') : type) },
    { title: 'NAME', value: record => record.label, paint: style.bold },
    { title: 'FULL NAME', value: record => record.name },
  ];
  return table(records, columns, style);
}
