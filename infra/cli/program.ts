import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { addDnsCommand } from './domains/dns/dns-command.ts';
import { addDomainsCommand } from './domains/domains-command.ts';
import { addAcceptCommand } from './environment/accept/accept-command.ts';
import { addAuditCommand } from './environment/audit-command.ts';
import { addDoctorCommand } from './environment/doctor/doctor-command.ts';
import { addLogsCommand } from './environment/logs/logs-command.ts';
import { addRequestCommand } from './environment/logs/request-command.ts';
import { addSmokeCommand } from './environment/smoke/smoke-command.ts';
import { addTeardownCommand } from './environment/teardown-command.ts';
import { PROGRAM_NAME } from './framework/command-error.ts';
import { addCompletionCommand } from './framework/completion.ts';
import { addGlobalOptions } from './framework/global-options.ts';
import { PetstoreCommand } from './framework/petstore-command.ts';
import { hasColours } from './framework/style.ts';
import { addKeysCommand } from './keys/keys-command.ts';
import { addOrdersCommand } from './orders/orders-command.ts';
import { addProjectsCommand } from './projects/projects-command.ts';

/** Adds a group of commands to the program. */
type AddGroup = (program: PetstoreCommand) => void;

const GROUPS: readonly AddGroup[] = [
  addKeysCommand,
  addOrdersCommand,
  addDomainsCommand,
  addProjectsCommand,
  addDnsCommand,
  addAuditCommand,
  addSmokeCommand,
  addDoctorCommand,
  addAcceptCommand,
  addRequestCommand,
  addLogsCommand,
  addTeardownCommand,
  addCompletionCommand,
];

/** `petstore <group> <command> [options]`. Groups from folders above this one come first in its help. */
export function commandLineProgram(...groupsAbove: AddGroup[]): PetstoreCommand {
  const program = new PetstoreCommand(PROGRAM_NAME);
  const wantsColours = () => program.opts<{ color: boolean }>().color;
  program
    .description('Operates the Petstore service, by default in staging.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({
      styleTitle: title => styleText('bold', title, { validateStream: false }),
    })
    .configureOutput({
      getOutHasColors: () => hasColours(process.stdout, wantsColours()),
      getErrHasColors: () => hasColours(process.stderr, wantsColours()),
      // With --json standard error holds only the error, without the help.
      writeErr: text => program.opts<{ json?: true }>().json || process.stderr.write(text),
      // Errors are printed in one place, petstore.ts.
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
  for (const addGroup of [...groupsAbove, ...GROUPS]) addGroup(program);
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
