import { type Command, Option } from 'commander';
import { readRequestId } from '../../../shared/operator/contract.ts';
import { usageError } from '../../operator/connection/command-error.ts';
import type { TargetOptions } from '../../operator/connection/target.ts';
import {
  environmentMeantBy,
  environmentNameFault,
  STANDING_ENVIRONMENTS,
} from '../../settings/environment-name.ts';

/** The options of every command, before or after its name. */
export interface GlobalOptions extends TargetOptions {
  readonly json?: true;
  readonly yes?: true;
  readonly color: boolean;
  readonly requestId?: string;
}

export function addGlobalOptions(program: Command): void {
  const options = [
    new Option('--stage <stage>', 'environment: staging, production or your own')
      .choices(STANDING_ENVIRONMENTS)
      .argParser(readStage)
      .default('staging', 'staging'),
    new Option('--local', 'use the service that "npm start" runs on this machine').conflicts([
      'region',
      'profile',
    ]),
    new Option('--json', 'print JSON'),
    new Option('-y, --yes', "don't ask for confirmation"),
    new Option('--region <region>', "AWS region (default: AWS_REGION, or the profile's region)"),
    new Option('--profile <name>', 'AWS profile (default: AWS_PROFILE)'),
    new Option('--no-color', 'turn colors off (same as NO_COLOR=1)'),
    // Only in lines that the command prints, after a change whose outcome it doesn't know.
    new Option('--request-id <id>').argParser(readGivenRequestId).hideHelp(),
  ];
  for (const option of options) program.addOption(option);
}

function readGivenRequestId(text: string): string {
  if (readRequestId(text)) return text;
  throw usageError(`--request-id takes an ID that this command printed, not "${text}".`);
}

function readStage(text: string): string {
  const fault = environmentNameFault(text);
  if (fault === undefined) return text;
  const meant = environmentMeantBy(text);
  if (meant) throw usageError(`There's no environment "${text}". Did you mean ${meant}?`);
  throw usageError(`--stage ${text} can't be an environment, such as staging or sandbox: ${fault}.`);
}
