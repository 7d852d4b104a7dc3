import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Call, Fate } from './calls.ts';
import type { Asked, Wish } from './people.ts';
import { type Life, lifeIn } from './simulate.ts';
import { MINUTE_MS } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';
import { World } from './world.ts';

export const WWW = 'www.zoo.com';

// The log of the service would drown that of the tests.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

export interface CalmLife extends Life {
  /** What the operator function answers, once it does. */
  ask(asked: Asked, wish?: Partial<Wish>): ReturnType<Life['people']['ask']>;
  /** Adds a domain; its owner creates the records once they are all named. */
  claim(wish?: Partial<Wish>): Promise<void>;
  /** From the claim to live. */
  goLive(wish?: Partial<Wish>): Promise<void>;
  status(domain?: string): string | undefined;
}

/** A world in which nothing goes wrong but what a test has go wrong. */
export function calmLife(weather: Partial<Weather> = {}): CalmLife {
  const world = new World(1, () => ({ ...CALM, ...weather }));
  const life = lifeIn(world);
  const { people } = life;
  const whole = (wish: Partial<Wish>) => ({ project: 'alpha', domain: WWW, ...wish });
  const calm: CalmLife = {
    ...life,
    ask: (asked, wish = {}) => life.until(people.ask(asked, whole(wish))),
    async claim(wish = {}) {
      await calm.ask('add', wish);
      await life.pass(MINUTE_MS);
      await calm.ask('show', wish);
      people.setRecords(whole(wish).domain);
    },
    async goLive(wish = {}) {
      await calm.claim(wish);
      await calm.ask('verify', wish);
      await life.untilRest();
      expect(calm.status(wish.domain)).toBe('live');
    },
    status: (domain = WWW) => world.domain(domain)?.status,
  };
  return calm;
}

/** Fates of which one is special: that of the call with this number, counted from 1. */
export function fateAt(
  number: number,
  special: Fate['kind'],
  isCounted: (call: Call) => boolean = () => true,
) {
  const counted = { calls: 0 };
  const fateOf = (call: Call): Fate => {
    if (isCounted(call)) counted.calls += 1;
    const isSpecial = counted.calls === number && isCounted(call);
    return { kind: isSpecial ? special : 'answered', latencyMs: 20 };
  };
  return { fateOf, counted };
}
