import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { type deployedStack, environmentOf } from '../../infra/local/testing/deployed-stack.ts';

/** The operations on pets that the peers have, by the logical ids of their functions. */
const LOGICAL_IDS = { list: 'PetsListPets', create: 'PetsCreatePet', get: 'PetsGetPet' } as const;

export type Operation = keyof typeof LOGICAL_IDS;
export const OPERATIONS = Object.keys(LOGICAL_IDS) as Operation[];

export const BARE = 'bare handler';
export const OURS = 'petstore';

/** An implementation of the operations: the bundle of each operation. */
export interface Variant {
  readonly name: string;
  readonly bundle: Readonly<Record<Operation, string>>;
}

export type Variants = ReturnType<typeof variants>;

/** The service as the stack bundles it, beside its peers. */
export function variants(stack: ReturnType<typeof deployedStack>) {
  const outputFolder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.on('exit', () => rmSync(outputFolder, { recursive: true, force: true }));
  const peer = bundlePeers(outputFolder);
  const sameBundle = (path: string) => byOperation(() => peer(path));
  return {
    /** All variants. The bare handler is the first. */
    all: [
      { name: BARE, bundle: byOperation(operation => peer(`bare/${operation}`)) },
      { name: OURS, bundle: byOperation(operation => stack.function(LOGICAL_IDS[operation]).handlerFile) },
      { name: 'Hono', bundle: sameBundle('hono') },
      { name: 'Powertools event handler', bundle: sameBundle('powertools') },
    ] as readonly Variant[],

    /** The environment variables of an operation's function, the same for every variant. */
    environment: (operation: Operation, dynamoDbEndpoint: string) => ({
      // A peer that serves all operations from one bundle needs the list's cursor key for each of them.
      ...stack.function(LOGICAL_IDS.list).environment,
      ...environmentOf(stack.function(LOGICAL_IDS[operation]), dynamoDbEndpoint),
    }),

    /** A deployed function that has no counterpart among the peers, by the prefix of its logical id. */
    deployed: (logicalId: string, dynamoDbEndpoint: string) => {
      const configuration = stack.function(logicalId);
      return {
        bundle: configuration.handlerFile,
        environment: environmentOf(configuration, dynamoDbEndpoint),
      };
    },
  };
}

function byOperation<Value>(value: (operation: Operation) => Value): Record<Operation, Value> {
  return { list: value('list'), create: value('create'), get: value('get') };
}

const PROJECT = resolve(import.meta.dirname, '../..');
const PEERS = 'test/bench/peers';

/** CommonJS packages inside an ES module call `require`. This banner, common among users of esbuild, defines it. */
const REQUIRE = "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);";

/** Bundles each peer as one minified ES module; returns the path of a bundle by its source, such as `bare/get`. */
function bundlePeers(outputFolder: string): (peer: string) => string {
  buildSync({
    absWorkingDir: PROJECT,
    entryPoints: [...OPERATIONS.map(operation => `bare/${operation}`), 'hono', 'powertools'].map(peer => ({
      in: `${PEERS}/${peer}.ts`,
      out: peer,
    })),
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return peer => join(outputFolder, `${peer}.mjs`);
}

/** The median, between the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = (sorted.length - 1) / 2;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (below + above) / 2;
}

/**
 * The median over the rounds of a variant's time divided by the bare handler's time in the same round. Both are measured
 * within seconds of each other, so a temporary slowdown of the machine affects both.
 */
export function ratioByRound(values: readonly number[], bareValues: readonly number[]): number {
  return median(values.map((value, round) => value / (bareValues[round] ?? Number.NaN)));
}
