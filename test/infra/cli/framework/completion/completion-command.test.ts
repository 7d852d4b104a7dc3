import { describe, expect, test } from 'vitest';
import { completedProgram } from '../../../../../infra/cli/framework/completion/completed-program.ts';
import { petstoreProgram } from '../../../../../infra/petstore.ts';
import { petstoreHere } from '../../petstore-here.ts';

const program = completedProgram(petstoreProgram());
const commands = program.commands.slice(1);
const options = [...program.globalOptions, ...program.commands.flatMap(command => command.options)];
const values = [...options, ...commands.flatMap(command => command.arguments)].flatMap(known => known.values);

describe('completion', () => {
  test.for(['bash', 'zsh', 'fish'])(
    '0: %s gets a script with every command, option and value',
    async shell => {
      const { stdout, stderr, exitCode } = await petstoreHere(['completion', shell]);
      expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
      for (const { path, names } of commands) {
        expect(stdout).toContain(`'${path}'`);
        const parent = path.split(' ').slice(0, -1).join(' ');
        for (const name of names) expect(stdout).toContain(`'${parent}|${name}'`);
      }
      for (const { long } of options)
        expect(stdout).toContain(shell === 'fish' ? `-l ${long.slice(2)} ` : long);
      for (const value of values) expect(stdout).toContain(value);
    },
  );

  test.for(['zsh', 'fish'])('0: %s shows what commands and options do', async shell => {
    const { stdout } = await petstoreHere(['completion', shell]);
    for (const { summary } of commands) expect(stdout).toContain(summary);
    for (const { description } of program.globalOptions) expect(stdout).toContain(description);
  });

  test('2: another shell is explained', async () => {
    const { stdout, stderr, exitCode } = await petstoreHere(['completion', 'zhs']);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain('The shells are bash, zsh, fish, not "zhs".');
    expect(stderr).toContain('Did you mean: zsh?');
  });
});

describe('what is completed', () => {
  const command = (path: string) => commands.find(each => each.path === path);

  test('are the visible commands with their aliases', () => {
    expect(command('keys revoke')?.names).toEqual(['revoke', 'rm', 'delete']);
    expect(commands.map(({ path }) => path)).not.toContain('help');
  });

  test('are the options of a command beside those of every command', () => {
    expect(command('keys create')?.options.map(({ long }) => long)).toEqual(
      expect.arrayContaining(['--name', '--expires', '--scopes', '--help']),
    );
    expect(program.globalOptions.map(({ long }) => long)).toContain('--stage');
    expect(program.commands[0]?.options.map(({ long }) => long)).toEqual(['--version', '--help']);
  });

  test('are the values that parsers and choices declare', () => {
    expect(command('keys create')?.options.find(({ long }) => long === '--scopes')).toMatchObject({
      values: ['pets:read', 'pets:write', 'orders:read'],
      isList: true,
    });
    expect(command('orders list')?.options.find(({ long }) => long === '--status')).toMatchObject({
      values: ['placed', 'approved', 'delivered'],
      isList: false,
    });
  });
});
