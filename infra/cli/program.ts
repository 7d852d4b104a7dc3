import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { PROGRAM_NAME } from '../operator/connection/command-error.ts';
import { addCompletionCommand } from './framework/completion.ts';
import { addGlobalOptions } from './framework/global-options.ts';
import { PetstoreCommand } from './framework/petstore-command.ts';
import { hasColors } from './framework/style.ts';

/** Commands in a module of their own, which declares all of them but the name of the group and what it does. */
export type Group = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ declareGroup(command: PetstoreCommand): void }>,
];

const GROUPS: readonly Group[] = [
  ['keys', 'manage the API keys of clients', () => import('./keys/keys-command.ts')],
  ['orders', 'manage orders of pets', () => import('./orders/orders-command.ts')],
  ['domains', 'manage the custom domains of a project', () => import('./domains/domains-command.ts')],
  [
    'projects',
    'manage projects, their plans and their deploys',
    () => import('./projects/projects-command.ts'),
  ],
  [
    'dns',
    'with --local: act as the DNS provider of custom domains',
    () => import('./domains/dns-command.ts'),
  ],
  ['audit', 'show who changed what, and when', () => import('./environment/audit-command.ts')],
  ['smoke', 'check an environment after a deploy', () => import('./checks/smoke-command.ts')],
  ['doctor', 'find problems in an environment, with fixes', () => import('./checks/doctor-command.ts')],
  [
    'accept',
    'test the first deploy to an account and report the results',
    () => import('./checks/accept-command.ts'),
  ],
  ['request', 'explain one request from the logs', () => import('./environment/logs/request-command.ts')],
  ['logs', 'show or follow the logs', () => import('./environment/logs/logs-command.ts')],
  ['usage', 'show who calls which operations', () => import('./environment/logs/usage-command.ts')],
  [
    'teardown',
    'remove what keeps a stack from being deleted',
    () => import('./environment/teardown-command.ts'),
  ],
];

/**
 * `petstore <group> <command> [options]`. Groups from folders above this one come first in its help. Of the groups that
 * the words don't name, only names and summaries are declared: loading all of them takes three times as long as Node.js
 * takes to start. Without words everything is declared.
 */
export async function commandLineProgram(
  groupsAbove: readonly Group[],
  words?: readonly string[],
): Promise<PetstoreCommand> {
  const program = new PetstoreCommand(PROGRAM_NAME);
  const wantsColors = () => program.opts<{ color: boolean }>().color;
  program
    .description('Operates the Petstore service. The environment is staging unless you name another.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      styleTitle: title => styleText('bold', title, { validateStream: false }),
    })
    .configureOutput({
      getOutHasColors: () => hasColors(process.stdout, wantsColors()),
      getErrHasColors: () => hasColors(process.stderr, wantsColors()),
      // With --json standard error holds only the error, without the help.
      writeErr: text => program.opts<{ json?: true }>().json || process.stderr.write(text),
      // Errors are printed in one place, run-command-line.ts.
      outputError: () => {},
    })
    .explainsMisuse()
    .examples(
      'dashboard --local',
      'keys create --name "Acme" --local',
      'domains add www.example.com',
      'domains verify www.example.com --wait',
      'keys list --stage production',
      'audit --limit 10',
      'request JKJaXmPLvHcESHA= --since 7d',
    );
  addGlobalOptions(program);
  // `complete` gets a whole line as one word.
  const named = words?.flatMap(word => word.split(/\s+/));
  for (const [name, summary, load] of [...groupsAbove, ...GROUPS]) {
    const command = program.command(name).summary(summary);
    if (!named || named.includes(name)) (await load()).declareGroup(command);
  }
  addCompletionCommand(program);
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
