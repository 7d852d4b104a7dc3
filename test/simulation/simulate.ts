import { checkHistories, checkNothingIsLeft, checkQuiet, mostHistoryEvents } from './endings.ts';
import { Invariants, Violation } from './invariants.ts';
import { People } from './people.ts';
import { PROJECTS, RandomLife } from './random-life.ts';
import { HOUR_MS } from './virtual-time.ts';
import { CALM, weatherOf } from './weather.ts';
import { World } from './world.ts';

/** The deadlines of a verification add up to a week, those of a removal too; nothing may take longer than both. */
const LONGEST_RUN_MS = 21 * 24 * HOUR_MS;

/**
 * How many of the runs end early, by the removal of everything in whatever state it is. The others go on until every flow
 * has ended by itself, which is many rounds of the same.
 */
const IMPATIENT = 0.85;

/** Whoever finds that a removal could not go on removes again, this often at most. */
const MAX_REMOVALS = 5;

/** The end of a trace usually tells enough; set SIMULATION_LINES for more of it. */
const KEPT_LINES = Number(process.env.SIMULATION_LINES ?? 400);

export interface Life {
  readonly world: World;
  readonly people: People;
  readonly invariants: Invariants;
  /** Goes on for a while. */
  pass(ms: number): Promise<void>;
  /** Goes on until someone has what he waits for. */
  until<Result>(waitedFor: Promise<Result>): Promise<Result>;
  /** Goes on until every flow has ended and `isOver` says so too, and looks at their histories then. */
  untilRest(isOver?: () => boolean): Promise<void>;
  /** Has operators remove every domain there is, and looks whether anything is left. */
  removeEverything(): Promise<void>;
}

/** People in a world, watched all the time. */
export function lifeIn(world: World): Life {
  const people = new People(world);
  const invariants = new Invariants(world);
  const removed: string[] = [];
  people.onAnswer = (asked, { domain }, reply) => {
    if (asked === 'remove' && reply.ok) removed.push(domain);
  };
  for (const project of PROJECTS) world.addProject(project);
  const { time, states } = world;
  const limitMs = time.nowMs + LONGEST_RUN_MS;
  let quietVersion = -1;
  const check = () => {
    invariants.check();
    world.scheduleReconcile();
    for (const domain of removed.splice(0)) invariants.isRemoved(domain);
    if (people.isUnanswered) throw new Violation('An operator was not answered');
    const isQuiet = people.waiting === 0 && world.lambda.atWork() === 0;
    if (!isQuiet || quietVersion === world.version) return;
    quietVersion = world.version;
    checkQuiet(world);
  };
  const life: Life = {
    world,
    people,
    invariants,
    async pass(ms) {
      const untilMs = time.nowMs + ms;
      time.after(ms, undefined, () => {});
      await time.run(() => time.nowMs >= untilMs, limitMs, check);
    },
    async until(waitedFor) {
      let isOver = false;
      const over = () => {
        isOver = true;
      };
      waitedFor.then(over, over);
      await time.run(() => isOver, limitMs, check);
      return waitedFor;
    },
    async untilRest(isOver = () => true) {
      const isAtRest = () =>
        people.waiting === 0 && isOver() && states.running().length === 0 && !world.isReconcileDue;
      await time.run(isAtRest, limitMs, check);
      checkHistories(world);
    },
    async removeEverything() {
      await time.run(() => people.waiting === 0, limitMs, check);
      for (let count = 0; count < MAX_REMOVALS && world.domains().length > 0; count += 1) {
        // The first time whatever goes wrong may go wrong; in the end it has to be possible.
        if (count > 0) world.weather = CALM;
        for (const { domain, project } of world.domains()) void people.ask('remove', { domain, project });
        await life.untilRest();
      }
      world.weather = CALM;
      // Whoever was still running, unheard, has ended by then too.
      await time.run(() => false, limitMs, check);
      checkNothingIsLeft(world);
    },
  };
  return life;
}

export interface Outcome {
  readonly historyEvents: number;
  readonly happenings: number;
  readonly wentLive: number;
  readonly trace: () => string;
}

// Refusals are thrown by the thousand, and where from is in the trace.
Error.stackTraceLimit = 0;

/** Runs a seed to its end. A violation names the seed and tells what led to it. */
export async function simulate(seed: number): Promise<Outcome> {
  const world = new World(seed, weatherOf);
  const life = lifeIn(world);
  const random = new RandomLife(world, life.people);
  try {
    random.begin();
    if (world.random.chance(IMPATIENT))
      await life.pass(world.random.between(0, world.random.pick([HOUR_MS, 4 * HOUR_MS])));
    else await life.untilRest(() => random.going === 0);
    random.end();
    await life.removeEverything();
  } catch (error) {
    const trace = world.trace.text(KEPT_LINES);
    throw new Error(`Seed ${seed}: ${(error as Error).message}\n${trace}`, { cause: error });
  }
  return {
    historyEvents: mostHistoryEvents(world),
    happenings: world.time.happened,
    wentLive: life.invariants.wentLive,
    trace: () => world.trace.text(),
  };
}
