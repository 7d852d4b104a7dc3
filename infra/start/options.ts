import { parseArgs } from 'node:util';

export const HELP = `Runs the whole service, production and staging, on this machine.

Usage: npm start -- [options]

  --port <n>         port of the HTTP interface (default 3000; 0 picks a free one)
  --memory           keep nothing; by default data is kept in .local/
  --json             when ready, print one line of JSON on standard output and nothing else
  --watch            put changed code in place without a restart
  --dynamodb <url>   use this DynamoDB engine instead of starting DynamoDB Local (which needs Java 17)
  --help             show this
`;

export interface StartOptions {
  readonly port: number;
  readonly memory: boolean;
  readonly json: boolean;
  readonly watch: boolean;
  readonly dynamodb?: string | undefined;
  readonly help: boolean;
}

/** A mistake in how the command was called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the flags. Without the `--` that npm wants before a script's own flags, as in `npm start --port 0 --json`, npm
 * keeps a flag to itself and tells it in an environment variable; its value arrives as an argument. That works too.
 */
export function readOptions(args: readonly string[], environment: NodeJS.ProcessEnv): StartOptions {
  const { values, positionals } = parse(args);
  const told = (name: string) => environment[`npm_config_${name}`];
  const isOn = (name: 'memory' | 'json' | 'watch' | 'help') => values[name] ?? told(name) === 'true';
  const given = (name: 'port' | 'dynamodb') =>
    values[name] ?? (told(name) === 'true' ? positionals.shift() : told(name));
  const options = {
    port: readPort(given('port') ?? '3000'),
    memory: isOn('memory'),
    json: isOn('json'),
    watch: isOn('watch'),
    dynamodb: readUrl(given('dynamodb')),
    help: isOn('help'),
  };
  if (positionals.length > 0)
    throw new UsageError(`There is no option ${positionals[0]}. See npm start -- --help.`);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        memory: { type: 'boolean' },
        json: { type: 'boolean' },
        watch: { type: 'boolean' },
        dynamodb: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. See npm start -- --help.`);
  }
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}.`);
  }
  return port;
}

function readUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new UsageError(`--dynamodb must be an http or https address, not ${JSON.stringify(text)}.`);
  }
  return text;
}
