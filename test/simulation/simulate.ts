import { checkNothingIsLeft, checkRest, mostHistoryEvents } from './endings.ts';
import { Invariants } from './invariants.ts';
import { People } from './people.ts';
import { PROJECTS, RandomLife } from './random-life.ts';
import { HOUR_MS } from './virtual-time.ts';
import { CALM, weatherOf } from './weather.ts';
import { World } from './world.ts';

/** The deadlines of a verification add up to a week, those of a removal too; nothing may take longer than both. */
const LONGEST_RUN_MS = 21 * 24 * HOUR_MS;

/** Whoever finds that a removal could not go on removes again, this often at most. */
const MAX_REMOVALS = 5;

const KEPT_LINES = 400;

export interface Life {
  readonly world: World;
  readonly people: People;
  /** Goes on until every flow has ended and `isOver` says so too, and looks whether all is well then. */
  untilRest(isOver?: () => boolean): Promise<void>;
  /** Has operators remove every domain there is, and looks whether anything is left. */
  removeEverything(): Promise<void>;
}

/** People in a world, watched all the time. */
export function lifeIn(world: World): Life {
  const people = new People(world);
  const invariants = new Invariants(world);
  people.onAnswer = (asked, { domain }, reply) => {
    if (asked === 'remove' && reply.ok) invariants.isRemoved(domain);
  };
  for (const project of PROJECTS) world.addProject(project);
  const { time, states } = world;
  const limitMs = time.nowMs + LONGEST_RUN_MS;
  const life: Life = {
    world,
    people,
    async untilRest(isOver = () => true) {
      const isAtRest = () => people.waiting === 0 && isOver() && states.running().length === 0;
      await time.run(isAtRest, limitMs, invariants.check);
      checkRest(world);
    },
    async removeEverything() {
      world.weather = { ...CALM, inUseMs: world.weather.inUseMs };
      for (let count = 0; count < MAX_REMOVALS && world.domains().length > 0; count += 1) {
        for (const { domain, project } of world.domains()) void people.ask('remove', { domain, project });
        await life.untilRest();
      }
      // Whoever was still running, unheard, has ended by then too.
      await time.run(() => false, limitMs, invariants.check);
      checkNothingIsLeft(world);
    },
  };
  return life;
}

export interface Outcome {
  readonly historyEvents: number;
  readonly happenings: number;
  readonly everLive: number;
  readonly trace: string;
}

/** Runs a seed to its end. A violation names the seed and tells what led to it. */
export async function simulate(seed: number): Promise<Outcome> {
  const world = new World(seed, weatherOf);
  const life = lifeIn(world);
  const random = new RandomLife(world, life.people);
  try {
    random.begin();
    await life.untilRest(() => random.going === 0);
    await life.removeEverything();
  } catch (error) {
    const trace = world.trace.text(KEPT_LINES);
    throw new Error(`Seed ${seed}: ${(error as Error).message}\n${trace}`, { cause: error });
  }
  return {
    historyEvents: mostHistoryEvents(world),
    happenings: world.time.happened,
    everLive: 0,
    trace: '',
  };
}
