import { parseOptions, UsageError } from '../script-options.ts';

export const PARTS = ['cold', 'warm', 'dynamodb', 'machine'] as const;
export type Part = (typeof PARTS)[number];

export const HELP = `Measures the service beside its alternatives (frameworks, a handler written by hand), and prints tables.

Usage: npm run bench -- [options]

  --quick           fewer rounds and smaller tables: a rough preview
  --only <parts>    measure only these parts, separated by commas: ${PARTS.join(', ')}
  --json <file>     where to write the results (default .cache/bench.json)
  --svg <file>      where to draw the ratios beside the peers (default .cache/bench.svg)
  --help            show this

Ratios are to the bare handler: written by hand with nothing but @aws-sdk/client-dynamodb and the same
calls, as one minified ES module. CPU time counts all threads of a process. All variants are measured
alternately in one run, and ratios are medians over the rounds. A run takes 6 minutes, --quick a quarter of that; on
a busy machine it takes twice as long and the numbers are less reliable. It exits with 1 when a budget is missed.
`;

export interface BenchOptions {
  readonly isQuick: boolean;
  readonly parts: readonly Part[];
  readonly jsonFile: string;
  readonly svgFile: string;
  readonly help: boolean;
}

const OPTIONS = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  json: { type: 'string' },
  svg: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[]): BenchOptions {
  const { quick, only, json, svg, help } = parseOptions(args, OPTIONS);
  const parts = only === undefined ? PARTS : only.split(',').map(part => part.trim());
  for (const part of parts) {
    if (!isPart(part)) throw new UsageError(`--only takes ${PARTS.join(', ')}, not "${part}".`);
  }
  return {
    isQuick: quick ?? false,
    parts: parts.filter(isPart),
    jsonFile: json ?? '.cache/bench.json',
    svgFile: svg ?? '.cache/bench.svg',
    help: help ?? false,
  };
}

function isPart(text: string): text is Part {
  return PARTS.some(part => part === text);
}
