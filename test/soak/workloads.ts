import type { Random } from '../simulation/random.ts';
import { sendHostileRequests } from './clients/hostile-client.ts';
import { createPets } from './clients/pet-creator.ts';
import { readAllPets } from './clients/pet-reader.ts';
import type { SoakContext } from './context.ts';
import { ownDomains } from './domains/domain-owner.ts';
import { routeDomains } from './domains/domain-router.ts';
import { PROJECTS } from './domains/projects.ts';
import { keepKeys } from './operators/key-operator.ts';
import type { OperatorClient } from './operators/operator-client.ts';
import { keepOrders } from './operators/order-operator.ts';
import type { Part } from './options.ts';
import type { Stage } from './service-process.ts';

/** What is done to one environment until the run is over. Resolves when everything that was begun is finished. */
export async function runWorkloads(
  context: SoakContext,
  stage: Stage,
  apiKey: () => string,
  operator: OperatorClient,
  random: (stream: number) => Random,
  parts: readonly Part[],
): Promise<void> {
  const workloads: Readonly<Record<Part, () => Promise<void>[]>> = {
    animals: () => [
      createPets(context, stage, `${stage}-a`, apiKey, random(1)),
      createPets(context, stage, `${stage}-b`, apiKey, random(2)),
      readAllPets(context, stage, apiKey, random(3)),
    ],
    hostile: () => [sendHostileRequests(context, stage, apiKey, random(4))],
    orders: () => [
      keepOrders(context, stage, operator, random(5)),
      keepOrders(context, stage, operator, random(6)),
    ],
    keys: () => [keepKeys(context, stage, operator, random(7))],
    domains: () => [
      ownDomains(context, stage, 1, PROJECTS, operator, random(8)),
      ownDomains(context, stage, 2, PROJECTS, operator, random(9)),
      routeDomains(context, stage, operator, random(10)),
    ],
  };
  await Promise.all(parts.flatMap(part => workloads[part]()));
}
