import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionEnvironment } from '../../../infra/local/lambda/execution-environment.ts';
import type { DeployedStack } from './deployed-functions.ts';
import { bundlePeers } from './peer-bundles.ts';

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const BARE = 'bare handler';
export const OURS = 'petstore';

/** An implementation of the operations: the bundle of each operation. */
export interface Variant {
  readonly name: string;
  readonly bundle: Readonly<Record<Operation, string>>;
}

export interface Variants {
  /** All variants. The bare handler is the first. */
  readonly all: readonly Variant[];
  /** The environment variables of an operation's function, the same for every variant. */
  environment(operation: Operation, dynamoDbEndpoint: string): Record<string, string>;
  /** A deployed function that has no counterpart among the peers, by the prefix of its logical id. */
  deployed(
    logicalId: string,
    dynamoDbEndpoint: string,
  ): { readonly bundle: string; readonly environment: Record<string, string> };
}

const LOGICAL_IDS: Record<Operation, string> = {
  listPets: 'PetsListPets',
  createPet: 'PetsCreatePet',
  getPet: 'PetsGetPet',
};

/** The service as the stack bundles it, beside its peers. */
export function variants(stack: DeployedStack): Variants {
  const outputFolder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.on('exit', () => rmSync(outputFolder, { recursive: true, force: true }));
  const peer = bundlePeers(outputFolder);
  const sameBundle = (path: string) => byOperation(() => peer(path));
  return {
    all: [
      {
        name: BARE,
        bundle: {
          listPets: peer('bare/list-pets'),
          createPet: peer('bare/create-pet'),
          getPet: peer('bare/get-pet'),
        },
      },
      { name: OURS, bundle: byOperation(operation => stack.function(LOGICAL_IDS[operation]).handlerFile) },
      { name: 'Hono', bundle: sameBundle('hono/app') },
      { name: 'Express, serverless-http', bundle: sameBundle('express/app') },
      { name: 'Powertools event handler', bundle: sameBundle('powertools/app') },
    ],
    environment: (operation, dynamoDbEndpoint) => ({
      // A peer that serves all operations from one bundle needs the cursor key of listPets for each of them.
      ...stack.function(LOGICAL_IDS.listPets).environment,
      ...functionEnvironment(stack.function(LOGICAL_IDS[operation]), 'bench', {
        awsEndpoint: dynamoDbEndpoint,
      }),
    }),
    deployed: (logicalId, dynamoDbEndpoint) => {
      const configuration = stack.function(logicalId);
      return {
        bundle: configuration.handlerFile,
        environment: functionEnvironment(configuration, 'bench', { awsEndpoint: dynamoDbEndpoint }),
      };
    },
  };
}

function byOperation<Value>(value: (operation: Operation) => Value): Record<Operation, Value> {
  return {
    listPets: value('listPets'),
    createPet: value('createPet'),
    getPet: value('getPet'),
  };
}
