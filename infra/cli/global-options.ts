import { type Command, Option } from 'commander';
import { usageError } from './command-error.ts';
import { nearest } from './nearest.ts';

export const STAGES = ['staging', 'production'] as const;
export type Stage = (typeof STAGES)[number];

/** The options of every command, which may stand before or after its name. */
export interface GlobalOptions {
  readonly stage: Stage;
  readonly local?: true;
  readonly json?: true;
  readonly yes?: true;
  readonly region?: string;
  readonly profile?: string;
  readonly color: boolean;
}

export function addGlobalOptions(program: Command): void {
  const options = [
    new Option('--stage <stage>', 'environment, staging or production')
      .argParser(readStage)
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

function readStage(text: string): Stage {
  const stage = STAGES.find(known => known === text);
  if (stage) return stage;
  const meant = nearest(text, STAGES);
  throw usageError(
    `--stage is ${STAGES.join(' or ')}, not "${text}".`,
    ...(meant ? [`Did you mean: --stage ${meant}?`] : []),
  );
}
