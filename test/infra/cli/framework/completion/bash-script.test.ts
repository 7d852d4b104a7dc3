import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { bashScript } from '../../../../../infra/cli/framework/completion/bash-script.ts';
import { completedProgram } from '../../../../../infra/cli/framework/completion/completed-program.ts';
import { petstoreProgram } from '../../../../../infra/petstore.ts';

const GLOBAL_OPTIONS = '--stage --local --json --yes --region --profile --no-color';
const COMMANDS = petstoreProgram().commands.map(command => command.name());

/** What is typed before Tab, and what bash may replace its last part by: it takes = and : as ends of words. */
const CASES = [
  ['petstore ', COMMANDS.join(' ')],
  ['petstore ke', 'keys'],
  ['petstore keys ', 'create list revoke rotate reconcile'],
  ['petstore keys l', 'list'],
  ['petstore keys ls ', `--help ${GLOBAL_OPTIONS}`],
  ['petstore keys list --j', '--json'],
  ['petstore -', `--version --help ${GLOBAL_OPTIONS}`],
  ['petstore --stage ', 'staging production'],
  ['petstore --stage p', 'production'],
  ['petstore --stage production keys c', 'create'],
  ['petstore --region eu-central-1 -y keys c', 'create'],
  ['petstore keys list --stage=', 'staging production'],
  ['petstore keys list --stage=pro', 'production'],
  ['petstore keys list --region ', ''],
  ['petstore keys create --name "Acme Corp" --sc', '--scopes'],
  ['petstore keys create --scopes ', 'pets:read pets:write orders:read'],
  ['petstore keys create --scopes pets:', 'read write'],
  ['petstore keys create --scopes pets:read,', 'read,pets:write read,orders:read'],
  ['petstore keys create --scopes=pets:read,o', 'read,orders:read'],
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
] as const;

/** Runs a script in a bash that has loaded the completion. */
function bash(script: string, input = ''): string {
  const completion = bashScript(completedProgram(petstoreProgram()));
  return execFileSync('bash', ['--norc', '-c', `${completion}\n${script}`], {
    input,
    encoding: 'utf8',
  });
}

describe('bash', () => {
  // One bash answers all lines.
  const answerEachLine = `
    while IFS= read -r COMP_LINE; do
      COMP_POINT=\${#COMP_LINE}
      _petstore
      echo "\${COMPREPLY[*]}"
    done
  `;
  const replies = bash(answerEachLine, CASES.map(([line]) => `${line}\n`).join('')).split('\n');

  test.for(CASES.map(([line, expected], at) => [line, expected, replies[at]] as const))(
    'completes %j',
    ([, expected, reply]) => {
      expect(reply).toBe(expected);
    },
  );

  test('completes up to the cursor, not up to the end of the line', () => {
    const script = `COMP_LINE='petstore ke list' COMP_POINT=11; _petstore; echo "\${COMPREPLY[*]}"`;
    expect(bash(script)).toBe('keys\n');
  });

  test('replaces whole words where = and : end none', () => {
    const script = `COMP_WORDBREAKS=' '; COMP_LINE='petstore keys create --scopes=pets:r' COMP_POINT=36
      _petstore; echo "\${COMPREPLY[*]}"`;
    expect(bash(script)).toBe('--scopes=pets:read\n');
  });

  test('calls the completion for petstore', () => {
    expect(bash('complete -p petstore')).toBe('complete -F _petstore petstore\n');
  });
});
