import { type Command, Option } from 'commander';
import { nearest } from '../../nearest.ts';
import { environmentNameFault, STANDING_ENVIRONMENTS } from '../../settings/environment-name.ts';
import { usageError } from './command-error.ts';
import { withValues } from './known-values.ts';

/** The options of every command, which may stand before or after its name. */
export interface GlobalOptions {
  readonly stage: string;
  readonly local?: true;
  readonly json?: true;
  readonly yes?: true;
  readonly region?: string;
  readonly profile?: string;
  readonly color: boolean;
}

export function addGlobalOptions(program: Command): void {
  const options = [
    new Option('--stage <stage>', 'environment: staging, production or a personal one')
      .argParser(withValues(STANDING_ENVIRONMENTS, readStage))
      .default('staging', 'staging'),
    new Option('--local', 'operate the service that "npm start" runs on this machine').conflicts([
      'region',
      'profile',
    ]),
    new Option('--json', 'print JSON'),
    new Option('-y, --yes', 'do not ask before changing production or removing a domain'),
    new Option('--region <region>', 'AWS region (default: AWS_REGION, or the region of the profile)'),
    new Option('--profile <name>', 'AWS profile (default: AWS_PROFILE)'),
    new Option('--no-color', 'no colours, as with NO_COLOR=1'),
  ];
  for (const option of options) program.addOption(option);
}

function readStage(text: string): string {
  const fault = environmentNameFault(text);
  if (fault === undefined) return text;
  const meant = nearest(text, STANDING_ENVIRONMENTS);
  throw usageError(
    `--stage is staging, production or the name of a personal environment, not "${text}".`,
    ...(meant ? [`Did you mean: --stage ${meant}?`] : []),
  );
}
