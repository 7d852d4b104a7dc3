import { readFileSync } from 'node:fs';
import { SCOPE_NAMES } from '../../shared/api-keys/scopes.ts';
import { DOCUMENTED_BASE_URL } from '../../shared/docs/servers.ts';
import type { OperationDeclaration } from '../../shared/operation-declaration.ts';
import { longDate, type OperationTexts } from './operation-object.ts';

const PAGES = [
  'introduction',
  'authentication',
  'errors',
  'pagination',
  'idempotency',
  'limits',
  'browsers',
  'versioning',
];

type DocumentedOperation = OperationDeclaration & { readonly texts: OperationTexts };

/** The description of the interface: one Markdown file for each page, with the base URL and `{{lists}}` of operations filled in. */
export function pagesOf(operations: readonly DocumentedOperation[]): string {
  const lists: Readonly<Record<string, string>> = {
    base: DOCUMENTED_BASE_URL,
    operations: operations.map(introductionLine).join('\n'),
    scopes: SCOPE_NAMES.map(scope => scopeRow(scope, operations)).join('\n'),
    experimental: operations
      .filter(({ stability }) => stability === 'experimental')
      .map(experimental)
      .join(' '),
    deprecated: operations.flatMap(deprecated).join('\n\n'),
  };
  return PAGES.map(name =>
    readFileSync(new URL(`./pages/${name}.md`, import.meta.url), 'utf8')
      .trim()
      .replaceAll(/\{\{(\w+)\}\}/g, (_, list: string) => {
        if (lists[list] === undefined)
          throw new Error(`${name}.md names a list ${list} that does not exist.`);
        return lists[list];
      }),
  ).join('\n\n');
}

/** What the operations do, as a sentence: `List animals, add an animal.` */
export function summaryOf(operations: readonly DocumentedOperation[]): string {
  const [first = '', ...others] = operations.map(({ texts }) => texts.summary);
  return `${[first, ...others.map(inSentence)].join(', ')}.`;
}

function introductionLine({ method, path, stability, texts }: DocumentedOperation): string {
  const note = stability === 'stable' ? '' : ` (${stability})`;
  return `- ${inSentence(texts.summary)}: \`${method} ${path}\`${note}`;
}

function scopeRow(scope: string, operations: readonly DocumentedOperation[]): string {
  const allowed = operations.filter(operation => operation.scope === scope);
  return `| \`${scope}\` | ${allowed.map(({ texts }) => inSentence(texts.summary)).join(', ')} |`;
}

function experimental({ method, path }: DocumentedOperation): string {
  return `\`${method} ${path}\` is experimental.`;
}

function deprecated({ method, path, deprecation, texts }: DocumentedOperation): string[] {
  if (!deprecation) return [];
  const { successor, sunset } = deprecation;
  const instead = [`\`${successor.method} ${successor.path}\``, texts.successorHint]
    .filter(Boolean)
    .join(' ');
  return [
    `\`${method} ${path}\` is deprecated and will be removed on **${longDate(sunset)}**. Use ${instead}.`,
  ];
}

/** A summary such as `List animals` inside of a sentence. */
function inSentence(summary: string): string {
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}
