import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { EXIT_CODES } from '../infra/operator/connection/command-error.ts';
import { HIGHEST_THROTTLE } from '../infra/settings/regions.ts';
import { SETTING_NAMES } from '../infra/settings/settings.ts';
import { environmentNamed } from '../infra/stack/environments.ts';
import { EXPOSED_HEADERS } from '../shared/http/cors.ts';
import type { OperationDeclaration } from '../shared/operation-declaration.ts';
import { OPERATIONS } from '../shared/operations.ts';
import { MAXIMUM_NAME_LENGTH } from '../shared/pets/pet.ts';
import { parseCommandLine } from './infra/cli/parse-command-line.ts';

const EXCLUDED = { exclude: ['**/node_modules/**', '**/dist/**', '.cache/**'] };
const DOCUMENTS = globSync(['*.md', '.github/**/*.md', '{infra,shared,test}/**/*.md'], EXCLUDED);
const SOURCES = globSync(
  ['*.json', '.github/**', '{functions,infra,shared,test}/**/*.{ts,tsx,js,json,md}'],
  EXCLUDED,
);

const read = (document: string) => readFileSync(document, 'utf8');
const CODE = SOURCES.filter(source => /\.(tsx?|js|yml)$|^package\.json$/.test(source))
  .map(read)
  .join('\n');
const [COMMAND, SETTINGS, LIMITS, BROWSERS] = [
  'infra/cli/README.md',
  'infra/settings/README.md',
  'infra/openapi/pages/limits.md',
  'infra/openapi/pages/browsers.md',
].map(document => read(document)) as [string, string, string, string];

describe.each(DOCUMENTS)('%s', document => {
  test('links only to files and headings that exist', () => {
    for (const [, path = '', heading] of read(document).matchAll(
      /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g,
    )) {
      const target = path === '' ? document : join(dirname(document), path);
      expect(existsSync(target), `${path} does not exist`).toBe(true);
      if (heading !== undefined) expect(anchorsOf(target), `#${heading} in ${target}`).toContain(heading);
    }
  });

  test('names only source files and folders that exist, but for those that a recipe creates', () => {
    const named = [
      ...read(document).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|md|yml)|(?:[\w.-]+\/){2,})`/g),
    ].map(([, path = '']) => path);
    const missing = named.filter(
      path =>
        !/delete-pet|^node_modules|^\.(cache|local)\//.test(path) &&
        ![path, join(dirname(document), path)].some(existsSync) &&
        !SOURCES.some(source => source.endsWith(`/${path}`) || source.includes(`/${path}`)),
    );
    expect(missing).toEqual([]);
  });

  test('names only constants and variables that exist, but for those of AWS', () => {
    const named = [...read(document).matchAll(/`([A-Z][A-Z\d]*_[A-Z\d_]+)`/g)].map(([, name = '']) => name);
    const missing = named.filter(name => !/_(COMPLETE|FAILED|MESSAGE)$/.test(name) && !CODE.includes(name));
    expect(missing).toEqual([]);
  });
});

// The runbook has a test of its own, by which each command names production.
const WITH_COMMANDS = DOCUMENTS.filter(
  document => document !== 'infra/runbook.md' && commandsOf(read(document)).length > 0,
);
test.each(WITH_COMMANDS)('%s has commands that are understood', async document => {
  for (const line of commandsOf(read(document))) {
    // A text may name a command without its arguments.
    const failure = await parseCommandLine(line).catch((error: Error) => error.message);
    expect(failure ?? '', line).toMatch(/^$| needs <|outputHelp/);
  }
});

/** The lines of code blocks and the texts that begin with the command, with values for their placeholders. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const inline = [...text.matchAll(/`((?:npx )?petstore [^`\n]+)`/g)].map(([, line = '']) => line);
  return [...blocks.map(line => line.replace(/\s+#.*$/, '')), ...inline]
    .filter(line => /^(npx )?petstore [a-z]/.test(line) && !/--help|…|<command>|<noun>/.test(line))
    .map(line =>
      line
        .replace(/ \| .*/, '')
        .replace('<petId>', '1')
        .replace('<X-Request-Id>', 'JKJaXmPLvHcESHA='),
    );
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('tables and lists', () => {
  test('README.md has every operation, and says which are not stable', () => {
    const listed = [...read('README.md').matchAll(/^\| `([A-Z]+ \/[^`]*`[^|]+?) \|/gm)].map(([, row = '']) =>
      row.replace('`', ''),
    );
    expect(listed).toEqual(
      OPERATIONS.map(operation => {
        const stability = operation.stability === 'stable' ? '' : `, ${operation.stability}`;
        const removed = operation.stability === 'deprecated' ? ', removed on 5 December 2030' : '';
        return `${operation.method} ${operation.path} ${operation.name}${stability}${removed}`;
      }),
    );
  });

  test.each<OperationDeclaration>(OPERATIONS)(
    'README.md has what a request of $name may have',
    ({ name, request }) => {
      const [, asked = ''] =
        new RegExp(`^\\| .*\\b${name}\\b[^|]*\\|([^|]*)\\|`, 'm').exec(read('README.md')) ?? [];
      const named = [...asked.matchAll(/[`"]([\w-]+)["`]/g)].map(([, field]) => field);
      const { query, headers, body } = request.shape;
      const objects = [query, headers, body].filter(part => part instanceof z.ZodMiniObject);
      expect(named.sort()).toEqual(objects.flatMap(({ shape }) => Object.keys(shape)).sort());
    },
  );

  test('the README of the command has every exit code', () => {
    const [, table = ''] = COMMAND.split('| Exit code | Meaning |');
    const codes = (table.split('\n\n')[0] ?? '').matchAll(/^\| (\d+) \| (?:still )?(\w+)/gm);
    const meanings = [...codes].map(([, code, word]) => [word, Number(code)]);
    expect(meanings).toEqual(
      Object.entries(EXIT_CODES).map(([name, code]) => [name.replace(/[A-Z].*/, ''), code]),
    );
  });

  test('the README of the settings has the defaults', () => {
    const environment = environmentNamed('staging');
    const production = environmentNamed('production');
    const defaults: Readonly<Record<string, unknown>> = {
      ...environment,
      throttle: HIGHEST_THROTTLE,
      browserOrigins: production.browserOrigins,
    };
    const rows = SETTINGS.matchAll(/^\| `(\w+)` \|.*\| [^|`]*`([[{\d][^`]*|false)`[^|]*\|$/gm);
    const stated = [...rows].map(([, setting = '', value = '']) => [setting, JSON.parse(value)] as const);
    const known = SETTING_NAMES.filter(name =>
      ['boolean', 'number', 'object'].includes(typeof defaults[name]),
    );
    expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(known.map(name => [name, defaults[name]])));
    expect(SETTINGS).toContain('| 90 in production, 14 elsewhere |');
    expect([production.logRetention, environment.logRetention]).toEqual([90, 14]);
  });

  test('the reference has the limits and the headers that pages can read', () => {
    const { ratePerSecond, burst } = environmentNamed('production').throttlePerKey;
    expect(LIMITS).toContain(
      `${ratePerSecond} per second for each API key, with bursts of up to ${burst.toLocaleString('en')}`,
    );
    expect(LIMITS).toContain(`1 to ${MAXIMUM_NAME_LENGTH} characters`);
    // As cors.test.ts has it of every preflight: 7200 seconds.
    expect(BROWSERS).toContain('cache the response for up to two hours');
    const [, headers = ''] = /and the headers ([\s\S]*?)\.\n/.exec(BROWSERS) ?? [];
    expect([...headers.matchAll(/`([^`]+)`/g)].map(([, header]) => header).join(', ')).toBe(EXPOSED_HEADERS);
  });

  test('the README of the benchmark has its budgets', () => {
    // Read as text: the module loads the packages of the benchmark.
    const budgets = read('test/bench/budgets.ts');
    const [cold, withTls, list20, list100, create, get] = [
      'COLD_LIMIT =',
      'COLD_LIMIT_WITH_TLS =',
      "'list of 20':",
      "'list of 100':",
      'create:',
      'get:',
    ].map(name => Number(budgets.split(name)[1]?.split(/[,;]/)[0]).toFixed(2));
    const text = read('test/bench/README.md').replaceAll(/\s+/g, ' ');
    expect(text).toContain(`| cold start: import and first invocation | ${cold} |`);
    expect(text).toContain(`| warm: list of 20 / of 100 | ${list20} / ${list100} |`);
    expect(text).toContain(`| warm: create / get | ${create} / ${get} |`);
    expect(text).toContain(`with a budget of ${withTls}.`);
  });

  test('the README of the workflows gives sessions the time that the jobs take', () => {
    const workflows = globSync('.github/workflows/*.yml').map(read).join('\n');
    const asked = [...workflows.matchAll(/role-duration-seconds: (\d+)/g)].map(([, seconds]) => seconds);
    const [text] = [read('.github/workflows/README.md')];
    for (const seconds of new Set(asked))
      expect(text).toMatch(new RegExp(`max-session-duration\`?( of)? ${seconds}\\b`));
    expect(text).toContain('kept for 90 days');
    expect(workflows).toContain('retention-days: 90\n');
  });
});
