import { execFile, spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { petstoreProgram } from '../../../infra/bin/petstore-program.ts';
import { needs } from '../../../infra/local/testing/needs.ts';
import { CommandError } from '../../../infra/operator/connection/command-error.ts';
import { petstoreHere } from './petstore-here.ts';
import { petstore } from './run-petstore.ts';

const withAllBelow = (command: Command): Command[] => [command, ...command.commands.flatMap(withAllBelow)];

const EVERY_COMMAND = withAllBelow(await petstoreProgram());
const KEYS_COMMANDS = EVERY_COMMAND.filter(command => command.parent?.name() === 'keys')
  .map(command => command.name())
  .join(', ');

describe('help', () => {
  test.for(EVERY_COMMAND.map(command => [command.name(), command] as const))(
    '0: %s --help has usage, options of every command and examples',
    ([name, command]) => {
      const help = command.helpInformation();
      expect(help).toMatch(/^Usage: petstore .*\[options\]\n/);
      expect(help).toContain('--stage <stage>');
      expect(help.slice(help.indexOf('Examples:'))).toContain(name);
    },
  );

  test.each([
    ['--help', 'Usage: petstore <command> [options]'],
    ['--stage production keys revoke -h', 'Usage: petstore keys revoke <id> [options]'],
    ['help keys', 'Usage: petstore keys <command> [options]'],
  ])('0: %s prints the help', async (line, usage) => {
    const { stdout, stderr, exitCode } = await petstoreHere(line);
    expect(stdout.split('\n')[0]).toBe(usage);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  test('0: --version prints the version', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await petstore('--version')).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  test('2: the help is printed without a command', async () => {
    const { stdout, stderr, exitCode } = await petstoreHere([]);
    expect(stderr).toMatch(/^Usage: petstore <command>/);
    expect([stdout, exitCode]).toEqual(['', 2]);
  });
});

describe('aliases', () => {
  test.each([
    ['domains', { ls: 'list', inspect: 'show', rm: 'remove', delete: 'remove', reverify: 'verify' }],
    ['keys', { ls: 'list', rm: 'revoke', delete: 'revoke' }],
    ['projects', { ls: 'list', inspect: 'show' }],
    ['dns', { ls: 'list', rm: 'delete' }],
  ])('of %s are other names of commands, and their help says so', async (group, aliases) => {
    const { commands: groups } = await petstoreProgram([group]);
    const commands = groups.find(each => each.name() === group)?.commands ?? [];
    for (const [alias, name] of Object.entries(aliases)) {
      const named = commands.filter(command => command.aliases().includes(alias));
      expect(named.map(command => command.name())).toEqual([name]);
      expect(named[0]?.helpInformation()).toMatch(new RegExp(`^Also: .*\\b${alias}\\b`, 'm'));
    }
  });
});

describe('a wrong command line', () => {
  test.for([
    ['keys lst', 'Did you mean: petstore keys list?', 'Help: petstore keys --help'],
    ['kyes list', 'Did you mean: petstore keys?', 'Help: petstore --help'],
    ['keys destroy', KEYS_COMMANDS, 'Help: petstore keys --help'],
    ['keys list --jsno', 'Did you mean: --json?', 'Help: petstore keys list --help'],
    ['keys create --nmae Acme', 'has no option --nmae. It needs --name <name>.', '--name "Acme"'],
    ['keys create', 'needs --name <name>', 'Example: petstore keys create --name "Acme"'],
    ['keys create --name', '--name <name> needs a value', 'Example: petstore keys create'],
    ['keys create --name Acme Corp', '"Corp"', 'needs quotes'],
    ['keys revoke', 'needs <id>', 'Example: petstore keys revoke key_'],
    ['keys revoke Acme', 'No key has the ID "Acme".', 'List them: petstore keys list'],
    ['keys rotate key_1 --overlap 1w', '30m, 24h or 7d', 'not "1w"'],
    ['keys create --name A --expires soon', '2027-01-31', '30m, 24h or 90d'],
    ['keys create --name A --scopes pet:read', 'pets:read, pets:write', '"pet:read" isn\'t a scope'],
    ['keys list --stage prod', 'There\'s no environment "prod".', 'Did you mean production?'],
    ['keys list --local --region us-east-1', '--local', 'cannot be used with'],
    ['orders cancel Rex', 'An ID is a number, such as', 'not "Rex"'],
    ['orders cancel 9007199254740993', 'An ID is a number, such as', 'not "9007199254740993"'],
    ['domains redirect a.com b.com --status 303', '301, 302, 307, 308', 'not "303"'],
    ['domains show a.com --zone-file --json', '--zone-file', "can't be used with --json"],
    ['projects plan shop por', '<plan> must be one of free, pro, enterprise, not "por".'],
    ['orders list --status lost', '--status must be one of placed, approved, delivered, not "lost"'],
    ['dns set www.example.com CNMAE x', 'The types are', '"CNMAE" isn\'t supported'],
    ['dns set www.example.com A x --local', 'a valid value for the type A', '192.0.2.1'],
    ['audit --limit many', '--limit takes a number', 'not "many"'],
  ] as const)('2: %s is explained', async ([line, ...hints]) => {
    const words = line.split(' ');
    const program = await petstoreProgram(words);
    const misuse = await program.parseAsync(words, { from: 'user' }).catch(error => error);
    expect(misuse).toBeInstanceOf(CommandError);
    const said = [misuse.message, ...misuse.advice].join('\n');
    for (const hint of hints) expect(said).toContain(hint);
    expect(misuse.exitCode).toBe(2);
  });

  test('2: is explained on standard error', async () => {
    expect(await petstoreHere('keys lst')).toEqual({
      stdout: '',
      stderr:
        'Error: Unknown command "petstore keys lst".\n  Did you mean: petstore keys list?\n  Help: petstore keys --help\n',
      exitCode: 2,
    });
  });

  test.each(['keys lst --json', '--json keys'])('2: %s is explained in JSON', async line => {
    const { stdout, stderr, exitCode } = await petstoreHere(line);
    expect(JSON.parse(stderr).error).toEqual({ code: 'usage', message: expect.any(String) });
    expect([stdout, exitCode]).toEqual(['', 2]);
  });
});

const LAUNCHER = resolve(import.meta.dirname, '../../../infra/bin/petstore');

test('is the bin of a workspace: npx would install a bin of the root package again for every call', () => {
  const packageIn = (folder: string) =>
    JSON.parse(readFileSync(resolve(import.meta.dirname, '../../..', folder, 'package.json'), 'utf8'));
  expect(packageIn('.').bin).toBeUndefined();
  expect(packageIn('.').workspaces).toContain('infra/bin');
  expect(resolve(LAUNCHER, '..', packageIn('infra/bin').bin.petstore)).toBe(LAUNCHER);
});

const PRINT_MODULES = `import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) });`;

test.concurrent.for([
  [['--help'], []],
  [['--stage', 'production', 'keys', '--help'], ['keys']],
  [['complete', 'bash', 'petstore orders l'], ['orders']],
] as const)('%s loads no other group than %s', async ([words, groups]) => {
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--import',
    `data:text/javascript,${encodeURIComponent(PRINT_MODULES)}`,
    `${LAUNCHER}.ts`,
    ...words,
  ]);
  const loaded = [...stderr.matchAll(/\/(\w+)-command\.ts$/gm)].map(([, name]) => name);
  expect(loaded.filter(name => name !== 'petstore')).toEqual(groups);
});

test('1: the disk that the output goes to is full', needs('/dev/full', existsSync('/dev/full')), () => {
  const { status, stderr } = spawnSync(LAUNCHER, ['--help'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^Error: The output can't be written: ENOSPC[^\n]*\n$/);
  expect(status).toBe(1);
});
