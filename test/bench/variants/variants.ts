import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionEnvironment } from '../../../infra/local/lambda/function-environment.ts';
import type { DeployedStack } from './deployed-functions.ts';
import { bundlePeers } from './peer-bundles.ts';

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const BARE = 'bare handler';
export const OURS = 'petstore';

/** One way to do the operations: the bundle of each. */
export interface Variant {
  readonly name: string;
  readonly bundle: Readonly<Record<Operation, string>>;
}

export interface Variants {
  /** The bare handler first. */
  readonly all: readonly Variant[];
  /** What the function of an operation finds in its environment, the same for every variant. */
  environment(operation: Operation, dynamoDbEndpoint: string): Record<string, string>;
  /** A deployed function that no peer has an equal of, by the beginning of its logical id. */
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

/** The service as the stack builds it, beside what one could have instead. */
export function variants(stack: DeployedStack): Variants {
  const outputFolder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  process.on('exit', () => rmSync(outputFolder, { recursive: true, force: true }));
  const peer = bundlePeers(outputFolder);
  const oneForAll = (path: string) => byOperation(() => peer(path));
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
      { name: 'Hono', bundle: oneForAll('hono/app') },
      { name: 'Express, serverless-http', bundle: oneForAll('express/app') },
      { name: 'Powertools event handler', bundle: oneForAll('powertools/app') },
    ],
    environment: (operation, dynamoDbEndpoint) => ({
      // One function for all operations signs cursors whichever of them it is called for.
      ...stack.function(LOGICAL_IDS.listPets).environment,
      ...functionEnvironment(stack.function(LOGICAL_IDS[operation]), 'bench', dynamoDbEndpoint),
    }),
    deployed: (logicalId, dynamoDbEndpoint) => {
      const configuration = stack.function(logicalId);
      return {
        bundle: configuration.handlerFile,
        environment: functionEnvironment(configuration, 'bench', dynamoDbEndpoint),
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
