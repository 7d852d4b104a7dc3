import type { Random } from '../../infra/local/virtual/random.ts';
import { untilDomainsRest } from './domains-at-rest.ts';
import { phaseAt } from './faults/faults.ts';
import {
  checkAudit,
  checkKeys,
  checkOrders,
  checkPets,
  checkSecrets,
  checkServerErrors,
} from './final-checks.ts';
import { DomainLedger } from './ledger/domain-ledger.ts';
import { KeyLedger, OrderLedger, SecretSearch } from './ledger/operator-ledgers.ts';
import { PetLedger } from './ledger/pet-ledger.ts';
import { Tally, type Violation, Violations } from './ledger/violations.ts';
import { STAGES, type Stage } from './processes.ts';
import { createProjects, ownDomains, PROJECTS, routeDomains } from './workloads/domain-owners.ts';
import { sendHostileRequests } from './workloads/hostile-client.ts';
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
export interface SoakResult {
  readonly seed: number;
  readonly minutes: number;
  readonly parts: readonly Part[];
  readonly seconds: number;
  readonly tried: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly violationCounts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

const PROGRESS_MS = 5000;

/** Domains come to rest in a minute at this wait scale, on a busy machine in several. */
const REST_MS = 5 * 60_000;

type Progress = (line: string) => void;

/** Runs the service under load, faults and kills, then without them until all work is finished, and checks everything. */
export async function soak(options: SoakOptions, progress: Progress): Promise<SoakResult> {
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
  const { service, engine, now, random } = world;
  const { violations } = context;
  const first = await service.start();
  for (const stage of STAGES) context.secrets.add(first[stage].apiKey);
  const apiKey = (stage: Stage) => () => first[stage].apiKey;
  const aws = { ...first, awsEndpoint: world.awsProxy.endpoint };
  const operators = byStage(stage => new OperatorClient(context, stage, aws));
  for (const stage of STAGES) await createProjects(operators[stage]);
  world.begin();
  await Promise.all([
    killAtRandom(world, context, random(4)),
    ...STAGES.map((stage, index) =>
      runWorkloads(
        context,
        stage,
        apiKey(stage),
        operators[stage],
        stream => random(100 * (index + 1) + stream),
        parts,
      ),
    ),
  ]);
  progress(`${seconds(now())}  Nothing fails any more: waiting for the domains …`);
  await untilDomainsRest(context, {
    operators,
    projects: PROJECTS,
    apiKey: stage => first[stage].apiKey,
    engine,
    progress: line => progress(`${seconds(now())}  ${line}`),
  });
  progress(`${seconds(now())}  Checking everything …`);
  for (const stage of STAGES) {
    await checkPets(context, stage, apiKey(stage), engine);
    await checkOrders(context, stage, apiKey(stage), engine);
    await checkKeys(context, stage, operators[stage]);
    await checkAudit(context, stage, operators[stage].carriedOut, engine);
  }
  await service.stop();
  checkServerErrors(context, world.folder);
  await checkSecrets(context, world.folder, engine);
  for (const fault of service.faults) violations.add('service defect', fault);
}

function contextOf({ now, service }: World, { minutes, seed }: SoakOptions, progress: Progress): SoakContext {
  const show = ({ atMs, kind, what }: Violation) => progress(`${seconds(atMs)}  VIOLATED: ${kind}: ${what}`);
  const violations = new Violations(now, show);
  return {
    now,
    isOver: () => now() >= minutes * 60_000,
    isRestOver: () => now() >= minutes * 60_000 + REST_MS,
    seed,
    service,
    violations,
    secrets: new SecretSearch(),
    tally: new Tally(),
    pets: byStage(stage => new PetLedger(stage, violations.add)),
    orders: byStage(stage => new OrderLedger(stage, violations.add)),
    keys: byStage(stage => new KeyLedger(stage, violations.add)),
    domains: new DomainLedger(),
    serverErrors: new Map(),
  };
}

function byStage<Value>(make: (stage: Stage) => Value): Readonly<Record<Stage, Value>> {
  return { production: make('production'), staging: make('staging') };
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

/** What is done to one environment until the run is over. Resolves when everything that was begun is finished. */
async function runWorkloads(
  context: SoakContext,
  stage: Stage,
  apiKey: () => string,
  operator: OperatorClient,
  random: (stream: number) => Random,
  parts: readonly Part[],
): Promise<void> {
  const workloads: Readonly<Record<Part, () => Promise<void>[]>> = {
    pets: () => [
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
