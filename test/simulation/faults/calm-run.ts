import { expect } from 'vitest';
import {
  addressOf,
  CALM,
  type Call,
  DAY_MS,
  type Fate,
  HOUR_MS,
  MINUTE_MS,
  OK,
  Random,
  SECOND_MS,
  type Weather,
} from '../../../infra/local/simulation.ts';
import { Violation } from '../invariants/claims.ts';
import type { CommandName, DomainRequest } from '../people/people.ts';
import { runIn } from '../simulate.ts';
import { World } from '../world.ts';

export const WWW = 'www.zoo.com';

export type CalmRun = ReturnType<typeof calmRun>;

/** Longer than any flow of a calm run takes that a test waits for step by step. */
const LONGEST_WAIT_MS = 2 * HOUR_MS;

/** A run in calm weather, but for what the test changes of it. Requests are about www.zoo.com of the project alpha by default. */
export function calmRun(weather: Partial<Weather> = {}) {
  const world = new World(1, () => ({ ...CALM, ...weather }));
  const run = runIn(world);
  const { people } = run;
  const status = (domain = WWW): string | undefined => world.staging.domain(domain)?.status;

  /** Sends a command and waits for the reply. */
  function ask(command: CommandName, request: Partial<DomainRequest> = {}) {
    return run.until(people.ask(command, { project: 'alpha', domain: WWW, ...request }));
  }

  /** Adds a domain, waits until ACM names its records, and has the owner create all records. */
  async function claim(request: Partial<DomainRequest> = {}): Promise<void> {
    await ask('add', request);
    await run.pass(MINUTE_MS);
    await ask('show', request);
    setRecords(request);
  }

  function setRecords({ domain = WWW, project = 'alpha', environment }: Partial<DomainRequest>): void {
    people.setRecords(domain, { project, environment });
  }

  /** Claims a domain and has it verified, which goes on. */
  async function verify(request: Partial<DomainRequest> = {}): Promise<void> {
    await claim(request);
    await ask('verify', request);
  }

  /** Claims and verifies a domain, and expects it to be live in the end. */
  async function goLive(request: Partial<DomainRequest> = {}): Promise<void> {
    await verify(request);
    // Where a fault held it up, ACM has named its record only now.
    await run.pass(MINUTE_MS);
    setRecords(request);
    await run.untilIdle();
    expect(status(request.domain)).toBe('live');
  }

  /** Lets time pass until a domain has this status, or is forgotten; fails if that takes longer than two hours. */
  const untilStatus = (expected: string | undefined, domain = WWW) =>
    untilHolds(() => status(domain) === expected, `${domain} is not ${expected ?? 'forgotten'}`);

  /** Claims a domain that is in use elsewhere, and has it verified until it's ready for the switch. */
  async function becomeReady(domain = WWW): Promise<void> {
    if (world.dns.zoneOf(domain) === domain) world.dns.set(domain, 'A', addressOf('elsewhere.test'));
    else people.pointElsewhere(domain);
    await ask('add', { domain, switchLater: true });
    await run.pass(MINUTE_MS);
    people.setRecords(domain, { isPreparation: true });
    await ask('verify', { domain });
    await untilStatus('ready', domain);
  }

  async function untilHolds(condition: () => boolean, problem: string): Promise<void> {
    const limitMs = world.time.nowMs + LONGEST_WAIT_MS;
    while (!condition()) {
      if (world.time.nowMs >= limitMs)
        throw new Violation(`${problem} after two hours:\n${world.trace.text(50)}`);
      await run.pass(SECOND_MS);
    }
  }

  return {
    ...run,
    ask,
    claim,
    verify,
    goLive,
    becomeReady,
    untilStatus,
    status,

    /** Has a domain go live and removed; checks that nothing is left. */
    async goLiveAndRemove(request: Partial<DomainRequest> = {}) {
      await goLive(request);
      await ask('remove', request);
      await run.untilIdle();
      await run.pass(5 * MINUTE_MS);
      await run.removeEverything();
    },

    /** Changes the weather from now on. */
    change(changed: Partial<Weather>) {
      world.weather = { ...world.weather, ...changed };
    },

    /** The domain in staging. */
    domain: (name = WWW) => world.staging.domain(name),

    /** The API that API Gateway maps a domain to. */
    apiOf: (domain = WWW) => world.domainNames.find(domain)?.mapping?.restApiId,

    /** Waits for every flow, expects this status, or a domain that is forgotten, and removes everything. */
    async endsAs(expected: string | undefined, domain?: string) {
      await run.untilIdle();
      expect(status(domain)).toBe(expected);
      await run.removeEverything();
    },

    /** The same after an hour, whether or not the flows have ended. */
    async isAfterAnHour(expected: string | undefined) {
      await run.pass(HOUR_MS);
      expect(status()).toBe(expected);
      await run.removeEverything();
    },

    /** Lets time pass until API Gateway no longer has the domain; fails if that takes longer than two hours. */
    untilDeleted: () => untilHolds(() => !world.domainNames.find(WWW), `${WWW} is still at API Gateway`),
  };
}

/** The owner of a domain asks for a look each day, for longer than a claim lasts that nobody proves. */
export async function askEveryDay(
  { people, until, pass }: CalmRun,
  andThen: () => unknown = () => {},
): Promise<void> {
  for (let day = 0; day < 32; day += 1) {
    await until(people.askForLook({ project: 'alpha', domain: WWW }));
    andThen();
    await pass(DAY_MS);
  }
}

/** Gives the call with this number, counted from 1, another fate than `ok`. The number 0 only counts the calls. */
export function fateAt(number: number, kind: Fate['kind'], isCounted?: (call: Call) => boolean) {
  return fatesAt(new Map([[number, kind]]), isCounted);
}

export type Fates = ReadonlyMap<number, Fate['kind']>;

/** Gives several calls another fate, by their numbers. */
export function fatesAt(fates: Fates, isCounted: (call: Call) => boolean = () => true) {
  const counted = { calls: 0 };
  const fateOf = (call: Call): Fate => {
    if (!isCounted(call)) return OK;
    counted.calls += 1;
    return { kind: fates.get(counted.calls) ?? 'ok', latencyMs: 20 };
  };
  return { fateOf, counted };
}

/** Whether every call is tried, as with thousands of seeds; otherwise a sample, which takes seconds instead of minutes. */
export const isExhaustive = Number(process.env.SIMULATION_SEEDS ?? 0) >= 1000;

/** Of the real clock: the machine may be slow, and a slow test isn't a fault. */
export const SLOW = { timeout: HOUR_MS };

/** The numbers from 1 to the count; in a sample every `step`th of them, from `offset` on. */
export function sampledCalls(count: number, step: number, offset = 0): number[] {
  const all = Array.from({ length: count }, (_, index) => index + 1);
  return isExhaustive ? all : all.filter(number => number % step === offset % step);
}

/** How far two faults of which the second meets the way out of the first may be apart. */
const NEAR = 12;

/** Faults that any call may meet. */
export const FAULTS = ['crash before', 'crash after', 'response lost', 'throttled'] as const;

/** Every pair of calls from 1 to the count, each with its fault. */
export function everyPair(count: number): Fates[] {
  const faults = Array.from({ length: count }, (_, index) =>
    FAULTS.map(kind => [index + 1, kind] as const),
  ).flat();
  return faults.flatMap(first =>
    faults.filter(([number]) => number > first[0]).map(second => new Map([first, second])),
  );
}

/** Pairs of calls from 1 to the count, drawn at random, near each other or anywhere: 300 where single calls are all tried. */
export function sampledPairs(count: number, sample: number): Fates[] {
  const random = new Random(count);
  return Array.from({ length: isExhaustive ? 300 : sample }, () => {
    const first = random.between(1, count);
    const second = random.chance(0.5) ? first + random.between(1, NEAR) : random.between(1, count);
    return new Map([first, second].map(number => [number, random.pick(FAULTS)]));
  });
}
