import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { petstoreProgram } from '../../../../infra/bin/petstore-program.ts';
import { completionsOf } from '../../../../infra/cli/framework/completion.ts';
import { needsTool } from '../../../machine.ts';
import { petstoreHere } from '../petstore-here.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../../../infra/bin/petstore');

const program = await petstoreProgram();
const GLOBAL_OPTIONS = '--stage --local --json --yes --region --profile --no-color';
const namesIn = ({ commands }: Pick<Command, 'commands'>) => commands.map(command => command.name());
const COMMANDS = namesIn(program).filter(name => name !== 'complete');
const OF_KEYS = program.commands.filter(command => command.name() === 'keys').flatMap(namesIn);

describe('a line', () => {
  test.for([
    ['petstore ', COMMANDS.join(' ')],
    ['petstore ke', 'keys'],
    ['petstore keys ', OF_KEYS.join(' ')],
    ['petstore keys l', 'list'],
    ['petstore keys ls ', `--help ${GLOBAL_OPTIONS}`],
    ['petstore keys list --j', '--json'],
    ['petstore -', `--version ${GLOBAL_OPTIONS} --help`],
    ['petstore --stage ', 'staging production'],
    ['petstore --stage p', 'production'],
    ['petstore --stage production keys c', 'create'],
    ['petstore --region eu-central-1 -y keys c', 'create'],
    ['petstore keys list --stage=', '--stage=staging --stage=production'],
    ['petstore keys list --stage=pro', '--stage=production'],
    ['petstore keys list --region ', ''],
    ['petstore keys create --name "Acme Corp" --sc', '--scopes'],
    ['petstore keys create --scopes ', 'pets:read pets:write orders:read'],
    ['petstore keys create --scopes pets:', 'pets:read pets:write'],
    ['petstore keys create --scopes pets:read,', 'pets:read,pets:write pets:read,orders:read'],
    ['petstore keys create --scopes=pets:read,o', '--scopes=pets:read,orders:read'],
    ['petstore keys delete --sc', ''],
    ['petstore projects plan shop ', 'free pro enterprise'],
    ['petstore projects plan shop e', 'enterprise'],
    ['petstore projects create shop --plan p', 'pro'],
    ['petstore projects deployed shop --state ', 'succeeded failed none'],
    ['petstore domains redirect a.com b.com --status ', '301 302 307 308'],
    ['petstore dns set www.example.com C', 'CAA CNAME'],
    ['petstore orders ls --status a', 'approved'],
    ['petstore completion ', 'bash zsh fish'],
    ['petstore unknown k', ''],
  ] as const)('%j is completed', ([line, expected]) => {
    const words = completionsOf(program, line).map(({ word }) => word);
    expect(words.join(' ')).toBe(expected);
  });

  test('is completed with what commands and options do', () => {
    expect(completionsOf(program, 'petstore au')).toEqual([
      { word: 'audit', description: 'show who changed what, and when' },
    ]);
    expect(completionsOf(program, 'petstore keys list --js')).toEqual([
      { word: '--json', description: 'print JSON' },
    ]);
  });
});

describe('petstore completion', () => {
  test.for([
    ['bash', 'pets:read\n'],
    ['zsh', 'pets\\:read:\n'],
    ['fish', 'pets:read\t\n'],
  ] as const)(
    '0: the script of %s asks petstore for words in the form of that shell',
    async ([shell, words]) => {
      const { stdout, stderr, exitCode } = await petstoreHere(`completion ${shell}`);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toContain(`petstore complete ${shell} `);
      const completed = await petstoreHere(['complete', shell, 'petstore keys create --scopes pets:r']);
      expect(completed).toEqual({ stdout: words, stderr: '', exitCode: 0 });
    },
  );

  test('2: another shell is refused', async () => {
    const { stdout, stderr, exitCode } = await petstoreHere('completion zhs');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('<shell> must be one of bash, zsh, fish, not ');
  });
});

describe('bash', needsTool('bash'), () => {
  /** What bash may put in place of the word at the cursor: it takes = and : as ends of words. */
  async function completed(
    line: string,
    point = line.length,
    wordBreaks = ' \t\n"\'><=;|&(:',
  ): Promise<string> {
    const { stdout: completion } = await petstoreHere('completion bash');
    const script = `petstore() { '${LAUNCHER}' "$@"; }
      ${completion}
      COMP_WORDBREAKS=$WORD_BREAKS; _petstore; echo "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['--norc', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, COMP_LINE: line, COMP_POINT: String(point), WORD_BREAKS: wordBreaks },
    }).trim();
  }

  test('completes up to the cursor, not up to the end of the line', async () => {
    expect(await completed('petstore ke list', 'petstore ke'.length)).toBe('keys');
  });

  test('completes what follows the last = or :', async () => {
    expect(await completed('petstore keys create --scopes=pets:r')).toBe('read');
  });

  test('completes whole words where = and : end none', async () => {
    const line = 'petstore keys create --scopes=pets:r';
    expect(await completed(line, line.length, ' ')).toBe('--scopes=pets:read');
  });
});
