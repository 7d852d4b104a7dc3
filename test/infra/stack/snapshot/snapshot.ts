import { readFileSync } from 'node:fs';
import { diff, isDeepStrictEqual } from 'node:util';
import { Document, parse, visit } from 'yaml';
import type { ReadableTemplate } from './readable-template.ts';

/** The template of production with all settings, as it was reviewed. */
export const SNAPSHOT_FILE = new URL('production-template.yaml', import.meta.url);

export function committedSnapshot(): ReadableTemplate {
  return parse(readFileSync(SNAPSHOT_FILE, 'utf8'));
}

/** What fits into this many characters stands on one line. */
const LINE_LENGTH = 120;

/** Without aliases: one would move to another place when its first use changes. */
export function yamlOf(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node) {
      if (JSON.stringify(node).length <= LINE_LENGTH) node.flow = true;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** The lines of each resource that changed, under its name. */
export function changedLines(before: ReadableTemplate, after: ReadableTemplate): string[] {
  const [old, current] = [before, after].map(
    ({ Resources, ...others }): Readonly<Record<string, unknown>> => ({ ...others, ...Resources }),
  );
  const linesOf = (part: unknown) => (part === undefined ? [] : yamlOf(part).split('\n').slice(0, -1));
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])].toSorted();
  return names.flatMap(name => {
    if (isDeepStrictEqual(old?.[name], current?.[name])) return [];
    const changes = diff(linesOf(current?.[name]), linesOf(old?.[name])).filter(([kind]) => kind !== 0);
    return [name, ...changes.map(([kind, line]) => `  ${kind > 0 ? '+' : '-'} ${line}`)];
  });
}
