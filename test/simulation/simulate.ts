import { CALM, DAY_MS, HOUR_MS, weatherOf } from '../../infra/local/simulation.ts';
import { ENVIRONMENTS } from './deployed.ts';
import type { Environment } from './environment.ts';
import { Invariants, Violation } from './invariants/claims.ts';
import { EventInvariants } from './invariants/events.ts';
import { guardOwnership, guardTables } from './invariants/guards.ts';
import {
  checkHistories,
  checkNothingIsLeft,
  defaultUrlsLeft,
  IdleInvariants,
  longestHistory,
} from './invariants/idle.ts';
import { NoticeInvariants } from './invariants/notices.ts';
import { ScheduledInvariants } from './invariants/scheduled.ts';
import { type DomainRequest, People, PROJECTS } from './people/people.ts';
import { randomActivity } from './people/random-activity.ts';
import { World } from './world.ts';

/** A verification ends within a month, a removal within a week; no run may take longer than two of them. */
const LONGEST_RUN_MS = 80 * DAY_MS;

/**
 * The share of runs that are cut short: every domain is removed in whatever state it is then. The other runs wait until
 * every flow has ended by itself, which takes long and mostly repeats the same checks.
 */
const CUT_SHORT_PROBABILITY = 0.85;

/** The share of runs in which everybody goes away for 32 days, so that unproven claims end by themselves. They take ten seconds each. */
const ABANDONED_PROBABILITY = 0.01;
const ABANDONED_MS = 32 * DAY_MS;

/** The share of runs in which a quiet day follows, in calm weather: the check of live domains finds everything as it is. */
const QUIET_PROBABILITY = 0.25;

/** A removal that cannot be completed is requested again, at most this often. */
const MAX_REMOVALS = 5;

/** A violation prints the last lines of the trace: usually they show the cause. SIMULATION_LINES sets how many. */
const TRACE_LINES = Number(process.env.SIMULATION_LINES ?? 400);

/** A world with its people, whose invariants are checked after every event. The limit fails a run that waits for what never comes. */
export function runIn(world: World, longestMs = LONGEST_RUN_MS) {
  const people = new People(world);
  const { time, executions, environments } = world;
  const invariants = environments.map(environment => new Invariants(world, environment));
  const idleInvariants = environments.map(environment => new IdleInvariants(world, environment));
  world.watch((call, when) => {
    for (const each of invariants) each.noteCall(call, when);
  });
  guardOwnership(world);
  const events = new EventInvariants(world);
  world.onEvent = event => events.noteDelivery(event);
  const notices = new NoticeInvariants(world);
  const scheduled = environments.map(environment => new ScheduledInvariants(world, environment));
  guardTables(world, (write, by) => {
    events.noteWrite(write);
    notices.noteWrite(write);
    for (const each of scheduled) each.noteWrite(write, by);
  });
  const acknowledgedRemovals: DomainRequest[] = [];
  people.onReply = (command, request, reply) => {
    if (command === 'remove' && reply.ok) acknowledgedRemovals.push(request);
  };
  for (const environment of environments) {
    for (const project of PROJECTS) environment.addProject(project);
  }
  const limitMs = time.nowMs + longestMs;
  let checkedVersion = -1;
  const throwViolation = () => {
    const [violation] = world.violations;
    if (violation !== undefined) throw new Violation(violation);
  };
  const check = () => {
    events.check();
    notices.check();
    throwViolation();
    for (const each of invariants) each.check();
    for (const each of environments) each.followSchedules();
    for (const { domain, project, environment = 'staging' } of acknowledgedRemovals.splice(0)) {
      invariants[ENVIRONMENTS.indexOf(environment)]?.checkAcknowledgedRemoval(domain, project);
    }
    if (people.hasGivenUp) throw new Violation('An operator got no reply');
    const isIdle = people.pendingRequests === 0 && world.lambda.runningCount() === 0;
    if (!isIdle || checkedVersion === world.version) return;
    checkedVersion = world.version;
    for (const each of idleInvariants) each.check();
  };
  /** The domains that have not come to rest, which a run that does not end names. */
  const unfinished = () =>
    environments
      .flatMap(environment => environment.domains().filter(({ isInFlow }) => isInFlow))
      .map(({ domain, project, status }) => `${domain} of ${project} is ${status}`)
      .join(', ') || `${executions.unfinished().length} executions run`;
  const advance = (isOver: () => boolean) => time.run(isOver, limitMs, check, unfinished);

  /** Lets this much simulated time pass. */
  async function pass(ms: number): Promise<void> {
    const untilMs = time.nowMs + ms;
    check();
    // Schedules look at least once an hour for what has become due.
    for (let afterMs = HOUR_MS; afterMs < ms; afterMs += HOUR_MS) time.after(afterMs, undefined, () => {});
    time.after(ms, undefined, () => {});
    await advance(() => time.nowMs >= untilMs);
  }

  /** Lets time pass until the promise settles, and returns its result. */
  async function until<Result>(awaited: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const onSettled = () => {
      isSettled = true;
    };
    awaited.then(onSettled, onSettled);
    await advance(() => isSettled);
    return awaited;
  }

  /** Lets time pass until every execution has ended and `isOver` holds too, then checks the execution histories. */
  async function untilIdle(isOver = () => true): Promise<void> {
    const isIdle = () =>
      people.pendingRequests === 0 &&
      isOver() &&
      executions.unfinished().length === 0 &&
      environments.every(({ isReconcileDue }) => !isReconcileDue);
    await advance(isIdle);
    checkHistories(world);
  }

  /** Has operators remove every domain, then checks that no resource is left. */
  async function removeEverything(): Promise<void> {
    await advance(() => people.pendingRequests === 0);
    const claims = () =>
      environments.flatMap(({ name: environment, domains }) =>
        domains().map(({ domain, project }) => ({ domain, project, environment })),
      );
    for (let count = 0; count < MAX_REMOVALS && claims().length > 0; count += 1) {
      // The first removal meets the weather of the run. Without faults a later one has to succeed.
      if (count > 0) world.weather = CALM;
      for (const claim of claims()) void people.ask('remove', claim);
      await untilIdle();
    }
    world.weather = CALM;
    for (const each of environments) await withdrawUrls(each);
    for (const each of environments) each.giveUpSchedules();
    // Late deliveries run on after the executions that they belong to have ended: wait for every event.
    await advance(() => false);
    checkNothingIsLeft(world);
    events.checkAllDelivered();
    throwViolation();
  }

  /** Deletes the default URLs, which a run that had begun before doesn't bring back. */
  async function withdrawUrls(environment: Environment): Promise<void> {
    if (!environment.hasDefaultUrls) return;
    environment.hasDefaultUrls = false;
    await until(people.withdrawUrls(environment.name));
    await advance(() => world.lambda.runningCount() === 0);
    const left = defaultUrlsLeft(world, environment);
    if (left.length > 0)
      throw new Violation(`Something of default URLs is left after they were withdrawn: ${left.join(', ')}`);
  }

  return {
    world,
    people,
    pass,
    until,
    untilIdle,
    removeEverything,
    wentLive: () => invariants.reduce((sum, { wentLive }) => sum + wentLive, 0),
    /** The events that were delivered, each once, in the order of their first delivery. */
    delivered: () => [...events.delivered.values()],
  };
}

export interface Outcome {
  /** The number of events in the longest execution history. */
  readonly historyEvents: number;
  /** How often a domain went live. */
  readonly wentLive: number;
  readonly trace: () => string;
}

// A run throws thousands of expected errors, and capturing their stacks is slow. The trace shows where they come from.
Error.stackTraceLimit = 0;

/** Runs a seed to its end. A violation is thrown with the seed and the end of the trace. */
export async function simulate(seed: number): Promise<Outcome> {
  const world = new World(seed, weatherOf);
  const run = runIn(world);
  const activity = randomActivity(world, run.people);
  try {
    activity.start();
    if (world.random.chance(CUT_SHORT_PROBABILITY))
      await run.pass(world.random.between(0, world.random.pick([HOUR_MS, 4 * HOUR_MS])));
    else await run.untilIdle(() => activity.ongoing() === 0);
    activity.stop();
    if (world.random.chance(ABANDONED_PROBABILITY)) await run.pass(ABANDONED_MS);
    if (world.random.chance(QUIET_PROBABILITY)) {
      const { weather } = world;
      world.weather = CALM;
      await run.pass(DAY_MS + HOUR_MS);
      world.weather = weather;
    }
    await run.removeEverything();
  } catch (error) {
    const trace = world.trace.text(TRACE_LINES);
    throw new Error(`Seed ${seed}: ${(error as Error).message}\n${trace}`, { cause: error });
  }
  return {
    historyEvents: longestHistory(world),
    wentLive: run.wentLive(),
    trace: () => world.trace.text(),
  };
}
