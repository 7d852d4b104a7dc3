import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { addAuditCommand } from './audit-command.ts';
import { addCompletionCommand } from './completion/completion-command.ts';
import { addDashboardCommand } from './dashboard-command.ts';
import { addDnsCommand } from './dns/dns-command.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addDomainsCommand } from './domains/domains-command.ts';
import { addGlobalOptions } from './global-options.ts';
import { addKeysCommand } from './keys-command.ts';
import { addLogsCommand } from './logs/logs-command.ts';
import { addRequestCommand } from './logs/request-command.ts';
import { addOrdersCommand } from './orders-command.ts';
import { PetstoreCommand } from './petstore-command.ts';
import { PROGRAM_NAME } from './program-name.ts';
import { addProjectsCommand } from './projects-command.ts';
import { addSmokeCommand } from './smoke/smoke-command.ts';
import { hasColours } from './style.ts';
import { addTeardownCommand } from './teardown/teardown-command.ts';

/** Each group of commands has a file with a function that adds it to the program. */
const GROUPS = [
  addDashboardCommand,
  addKeysCommand,
  addOrdersCommand,
  addDomainsCommand,
  addProjectsCommand,
  addDnsCommand,
  addAuditCommand,
  addSmokeCommand,
  addDoctorCommand,
  addRequestCommand,
  addLogsCommand,
  addTeardownCommand,
  addCompletionCommand,
];

/** The whole command: `petstore <group> <command> [options]`. */
export function petstoreProgram(): PetstoreCommand {
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
  for (const addGroup of GROUPS) addGroup(program);
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
