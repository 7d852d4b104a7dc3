import { parseArgs } from 'node:util';
import { CONTROL_PLANE_DEADLINE, CONTROL_PLANE_DEADLINE_MS } from '../../shared/aws/control-plane.ts';
import { DYNAMODB_DEADLINE, OPERATION_DEADLINE_MS } from '../../shared/aws/retries.ts';
import type { LocalAwsOptions } from '../local/local-aws.ts';

export const HELP = `Runs the whole service, production and staging, on this machine.

Usage: npm start -- [options]

  --port <n>         port of the HTTP interface (default 3000; 0 picks a free one)
  --memory           keep data in memory only; by default it's stored in .local/
  --json             when ready, print one line of JSON on standard output and nothing else
  --watch            deploy changed code without a restart
  --wait-scale <x>   scale the waits of the domain flow: 0.01 turns 100 minutes into one
  --certificate-minutes <n>
                     certificates of custom domains last this many minutes and renew in the last third
  --patience <x>     scale the timeouts of functions and of their calls to AWS, for a very busy machine
  --engine <name>    DynamoDB engine: dynoxide (default where its npm package runs), or dynamodb-local,
                     which needs Java 17
  --dynamodb <url>   use the DynamoDB engine at this URL instead of starting one
  --aws-port <n>     port of the AWS endpoint (default 0, which picks a free one)
  --help             show this help
`;

type EngineName = NonNullable<LocalAwsOptions['engine']>;

/** Not the local AWS's own list: loading it takes longer than reporting a mistake in the options should. */
const ENGINES: readonly EngineName[] = ['dynoxide', 'dynamodb-local'];

const SWITCH = { type: 'boolean' } as const;
const VALUE = { type: 'string' } as const;
const SWITCHES = { memory: SWITCH, json: SWITCH, watch: SWITCH, help: { ...SWITCH, short: 'h' } };
const VALUES = {
  port: VALUE,
  'wait-scale': VALUE,
  'certificate-minutes': VALUE,
  patience: VALUE,
  engine: VALUE,
  dynamodb: VALUE,
  'aws-port': VALUE,
};

export type StartOptions = Readonly<ReturnType<typeof readOptions>>;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the flags. Without the `--` that npm expects before a script's own flags, as in `npm start --port 0 --json`, npm
 * takes a flag for its own: it arrives in an environment variable, and its value as an argument. Both forms work.
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { values, positionals } = parse(args);
  const npmFlag = (name: string) => environment[`npm_config_${name}`];
  const isOn = (name: keyof typeof SWITCHES) => values[name] ?? npmFlag(name) === 'true';
  const given = (name: keyof typeof VALUES) => {
    const value = npmFlag(name.replaceAll('-', '_'));
    return values[name] ?? (value === 'true' ? positionals.shift() : value);
  };
  const options = {
    port: readPort('port', given('port') ?? '3000'),
    memory: isOn('memory'),
    json: isOn('json'),
    watch: isOn('watch'),
    waitScale: readScale('wait-scale', given('wait-scale') ?? '1'),
    certificateMinutes: readMinutes('certificate-minutes', given('certificate-minutes')),
    patience: readScale('patience', given('patience') ?? '1'),
    engine: readEngine(given('engine') ?? environment.PETSTORE_ENGINE),
    dynamodb: readUrl('dynamodb', given('dynamodb')),
    awsPort: readPort('aws-port', given('aws-port') ?? '0'),
    help: isOn('help'),
  };
  if (positionals.length > 0)
    throw new UsageError(`Unknown option ${positionals[0]}. See npm start -- --help.`);
  return options;
}

/** The options of a runtime that waits longer than AWS, because a busy machine isn't an outage. */
export function busyMachine(patience: number) {
  if (patience === 1) return {};
  const stretched = (deadlineMs: number) => String(Math.ceil(patience * deadlineMs));
  return {
    patience,
    functionVariables: {
      [DYNAMODB_DEADLINE]: stretched(OPERATION_DEADLINE_MS),
      [CONTROL_PLANE_DEADLINE]: stretched(CONTROL_PLANE_DEADLINE_MS),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { ...SWITCHES, ...VALUES } });
  } catch (error) {
    throw new UsageError(`${mistakeOf((error as Error).message)}. See npm start -- --help.`);
  }
}

/** The first sentence of Node's message; the rest explains how to write such arguments. */
function mistakeOf(message: string): string {
  // Another option follows, or a value that looks like one.
  const [, option] = /^Option '([\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  return option === undefined ? (message.split('. ')[0] ?? message) : `${option} needs a value`;
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--${name} must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  }
  return port;
}

function readScale(name: string, text: string): number {
  const scale = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || scale <= 0 || scale > 1000) {
    throw new UsageError(`--${name} must be a number above 0 and up to 1000, not ${JSON.stringify(text)}.`);
  }
  return scale;
}

function readMinutes(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minutes = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || minutes <= 0) {
    throw new UsageError(`--${name} must be a number above 0, not ${JSON.stringify(text)}.`);
  }
  return minutes;
}

function readEngine(text: string | undefined): EngineName | undefined {
  const name = ENGINES.find(known => known === text);
  if (text === undefined || name !== undefined) return name;
  throw new UsageError(`--engine must be ${ENGINES.join(' or ')}, not ${JSON.stringify(text)}.`);
}

function readUrl(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new UsageError(`--${name} must be an http or https URL, not ${JSON.stringify(text)}.`);
  }
  return text;
}
