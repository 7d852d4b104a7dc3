import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { PROGRAM_NAME } from '../operator/connection/command-error.ts';
import { addCompletionCommand } from './framework/completion.ts';
import { addGlobalOptions } from './framework/global-options.ts';
import { PetstoreCommand } from './framework/petstore-command.ts';
import { hasColors } from './framework/style.ts';

/** Commands in a module of their own. */
export interface Group {
  readonly name: string;
  readonly summary: string;
  /** Loads the module, which declares the rest of the command: its help, options and commands. */
  load(): Promise<(command: PetstoreCommand) => void>;
}

const GROUPS: readonly Group[] = [
  {
    name: 'keys',
    summary: 'create, list, revoke, rotate and reconcile API keys',
    load: async () => (await import('./keys/keys-command.ts')).declareKeys,
  },
  {
    name: 'orders',
    summary: 'list, place, approve, deliver and cancel orders',
    load: async () => (await import('./orders/orders-command.ts')).declareOrders,
  },
  {
    name: 'domains',
    summary: 'manage the custom domains of a project',
    load: async () => (await import('./domains/domains-command.ts')).declareDomains,
  },
  {
    name: 'projects',
    summary: 'create and list projects, set plans, record deploys',
    load: async () => (await import('./projects/projects-command.ts')).declareProjects,
  },
  {
    name: 'dns',
    summary: 'with --local: act as the DNS provider of custom domains',
    load: async () => (await import('./domains/dns-command.ts')).declareDns,
  },
  {
    name: 'audit',
    summary: 'show who changed what, and when',
    load: async () => (await import('./environment/audit-command.ts')).declareAudit,
  },
  {
    name: 'smoke',
    summary: 'check an environment after a deploy',
    load: async () => (await import('./environment/smoke/smoke-command.ts')).declareSmoke,
  },
  {
    name: 'doctor',
    summary: 'find problems in an environment, with fixes',
    load: async () => (await import('./environment/doctor/doctor-command.ts')).declareDoctor,
  },
  {
    name: 'accept',
    summary: 'test the first deploy to an account and report the results',
    load: async () => (await import('./environment/accept/accept-command.ts')).declareAccept,
  },
  {
    name: 'request',
    summary: 'explain one request from the logs',
    load: async () => (await import('./environment/logs/request-command.ts')).declareRequest,
  },
  {
    name: 'logs',
    summary: 'show or follow the logs',
    load: async () => (await import('./environment/logs/logs-command.ts')).declareLogs,
  },
  {
    name: 'usage',
    summary: 'show who calls which operations',
    load: async () => (await import('./environment/logs/usage-command.ts')).declareUsage,
  },
  {
    name: 'teardown',
    summary: 'remove what keeps a stack from being deleted',
    load: async () => (await import('./environment/teardown-command.ts')).declareTeardown,
  },
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
  for (const { name, summary, load } of [...groupsAbove, ...GROUPS]) {
    const command = program.command(name).summary(summary);
    if (!named || named.includes(name)) (await load())(command);
  }
  addCompletionCommand(program);
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
