import { untilDomainsRest } from './domains-at-rest.ts';
import { phaseAt } from './faults/faults.ts';
import { checkAudit, checkKeys, checkOrders, checkPets, checkServerErrors } from './final-checks.ts';
import { DomainLedger } from './ledger/domain-ledger.ts';
import { KeyLedger, OrderLedger } from './ledger/operator-ledgers.ts';
import { PetLedger } from './ledger/pet-ledger.ts';
import { Tally, type Violation, Violations } from './ledger/violations.ts';
import { STAGES } from './processes.ts';
import type { StageContext } from './stage-context.ts';
import { createProjects, ownDomains, routeDomains } from './workloads/domain-owners.ts';
import { keepKeys } from './workloads/key-operator.ts';
import { OperatorClient } from './workloads/operator-client.ts';
import { keepOrders } from './workloads/order-operator.ts';
import { createPets, readAllPets } from './workloads/pet-clients.ts';
import {
  killAtRandom,
  type Part,
  type SoakContext,
  type SoakOptions,
  startWorld,
  type World,
} from './world.ts';

/** What a run came to. */
export type SoakResult = Awaited<ReturnType<typeof soak>>;

const PROGRESS_MS = 5000;

/** Domains come to rest in a minute at this wait scale, on a busy machine in several. */
const REST_MS = 5 * 60_000;

type Progress = (line: string) => void;

/** Runs the service under load, faults and kills, then without them until all work is finished, and checks everything. */
export async function soak(options: SoakOptions, progress: Progress) {
  const { minutes, seed } = options;
  progress(`Soak of ${minutes} min with the seed ${seed}: synthesizing and starting …`);
  const world = await startWorld(options);
  if (options.keepsFolder) progress(`The folder of the service is ${world.folder}.`);
  const context = contextOf(world, options, progress);
  const { violations } = context;
  const stopProgress = showProgress(context, world, progress);
  try {
    await run(context, world, options.parts, progress);
  } finally {
    stopProgress();
    await world.stop();
  }
  const { dynamoDbProxy, awsProxy, now } = world;
  return {
    seed,
    minutes,
    parts: options.parts,
    seconds: Math.round(now() / 1000),
    tried: context.tally.toJSON(),
    faults: {
      'DynamoDB: requests': dynamoDbProxy.requests,
      ...prefixed('DynamoDB: ', dynamoDbProxy.faults),
      'AWS: requests': awsProxy.requests,
      ...prefixed('AWS: ', awsProxy.faults),
    },
    violationCounts: Object.fromEntries(violations.counts),
    violations: violations.kept,
  };
}

async function run(
  context: SoakContext,
  world: World,
  parts: readonly Part[],
  progress: Progress,
): Promise<void> {
  const { service, now, random } = world;
  const { violations } = context;
  const first = await service.start();
  const stages = STAGES.map((stage, index): StageContext => {
    const { apiKey } = first[stage];
    return {
      ...context,
      stage,
      url: service.url(stage),
      apiKey,
      operator: new OperatorClient(context, stage, { ...first, awsEndpoint: world.awsProxy.endpoint }),
      pets: new PetLedger(stage, violations.add),
      orders: new OrderLedger(stage, violations.add),
      keys: new KeyLedger(stage, violations.add),
      random: stream => random(100 * (index + 1) + stream),
    };
  });
  for (const { operator } of stages) await createProjects(operator);
  world.begin();
  await Promise.all([
    killAtRandom(world, context, random(4)),
    ...stages.flatMap(stage => parts.flatMap(part => WORKLOADS[part](stage))),
  ]);
  progress(`${seconds(now())}  Nothing fails any more: waiting for the domains …`);
  await untilDomainsRest(context, stages, line => progress(`${seconds(now())}  ${line}`));
  progress(`${seconds(now())}  Checking everything …`);
  for (const stage of stages) {
    await checkPets(stage);
    await checkOrders(stage);
    await checkKeys(stage);
    await checkAudit(stage);
  }
  await service.stop();
  checkServerErrors(context, world.folder);
  for (const fault of service.faults) violations.add('service defect', fault);
}

/** What is done to an environment until the run is over. Each promise resolves when what it has begun is finished. */
const WORKLOADS: Readonly<Record<Part, (stage: StageContext) => Promise<void>[]>> = {
  pets: stage => [
    createPets(stage, 'a', stage.random(1)),
    createPets(stage, 'b', stage.random(2)),
    readAllPets(stage, stage.random(3)),
  ],
  orders: stage => [keepOrders(stage, stage.random(5)), keepOrders(stage, stage.random(6))],
  keys: stage => [keepKeys(stage, stage.random(7))],
  domains: stage => [
    ownDomains(stage, 1, stage.random(8)),
    ownDomains(stage, 2, stage.random(9)),
    routeDomains(stage, stage.random(10)),
  ],
};

function contextOf(world: World, { minutes, seed }: SoakOptions, progress: Progress): SoakContext {
  const { now, service, engine } = world;
  const show = ({ atMs, kind, what }: Violation) => progress(`${seconds(atMs)}  VIOLATED: ${kind}: ${what}`);
  return {
    now,
    isOver: () => now() >= minutes * 60_000,
    isRestOver: () => now() >= minutes * 60_000 + REST_MS,
    seed,
    service,
    engine,
    violations: new Violations(now, show),
    tally: new Tally(),
    domains: new DomainLedger(),
    serverErrors: new Map(),
  };
}

/** Shows a line every few seconds. The returned function ends this. */
function showProgress(
  { now, tally, violations }: SoakContext,
  { phases }: World,
  progress: Progress,
): () => void {
  const timer = setInterval(() => {
    if (now() === 0) return;
    const phase = (phaseAt(phases, now())?.kind ?? 'settling').padEnd(8);
    const counts = [
      `${tally.of('requests')} requests`,
      `${tally.of('pets created')} pets`,
      `${tally.of('commands of operators')} commands`,
      `${tally.of('kills of the service')} kills`,
      `${violations.total} violations`,
    ];
    progress(`${seconds(now())}  ${phase} ${counts.join(', ')}`);
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(0).padStart(4)} s`;
}

function prefixed(prefix: string, counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries(
    [...counts]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, count]) => [`${prefix}${name}`, count]),
  );
}
