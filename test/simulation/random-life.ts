import type { Asked, People, Wish } from './people.ts';
import { MANAGED_ZONE } from './service.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './virtual-time.ts';
import { CALM, type Weather } from './weather.ts';
import type { World } from './world.ts';

/** Two projects that quarrel over the same names: a subdomain, an apex, and both in a zone of the account. */
export const PROJECTS = ['alpha', 'beta'] as const;
export const NAMES = ['www.zoo.com', 'zoo.com', `www.${MANAGED_ZONE.name}`, MANAGED_ZONE.name] as const;

const HORIZON_MS = 48 * HOUR_MS;

/**
 * What people do in a run: each name has a story, in which it is added, gets its records and is verified, and may be
 * removed and added again. In between anyone may ask for anything, often several at once.
 */
export class RandomLife {
  readonly #world: World;
  readonly #people: People;
  /** Stories and requests that are not over. */
  going = 0;
  #isOver = false;

  constructor(world: World, people: People) {
    this.#world = world;
    this.#people = people;
  }

  begin(): void {
    const { random } = this.#world;
    this.#world.weather = this.#withMeddlers(this.#world.weather, random.pick([0, 0.01, 0.05]));
    const isSettled = random.chance(0.5);
    const chosen = NAMES.filter(() => random.chance(isSettled ? 0.9 : 0.5));
    const names = chosen.length > 0 ? chosen : [NAMES[0]];
    if (isSettled) this.#go(() => this.#settledLife(names));
    else this.#unsettledLife(names);
  }

  /** Everything happens at any time. */
  #unsettledLife(names: readonly string[]): void {
    const { random } = this.#world;
    for (const name of names) this.#go(() => this.#story(name));
    this.#commotion(random.pick([2 * MINUTE_MS, HOUR_MS, HORIZON_MS]));
  }

  /** The domains of one project go live in peace first, so that there is something to lose. */
  async #settledLife(names: readonly string[]): Promise<void> {
    const { random, time } = this.#world;
    const stormy = this.#world.weather;
    this.#world.weather = { ...CALM, issueDelayMs: () => 0, inUseMs: stormy.inUseMs };
    for (const domain of names) await this.#ask('add', { project: 'alpha', domain });
    await time.sleep(MINUTE_MS);
    for (const domain of names) {
      this.#people.setRecords(domain);
      await this.#ask('verify', { project: 'alpha', domain });
    }
    await time.sleep(30 * MINUTE_MS);
    this.#world.weather = stormy;
    this.#commotion(random.pick([MINUTE_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
  }

  #commotion(longestMs: number): void {
    const { random } = this.#world;
    for (let count = random.between(0, 12); count > 0; count -= 1) this.#go(() => this.#whim(longestMs));
    for (let count = random.pick([0, 0, 3]); count > 0; count -= 1) this.#go(() => this.#stranger(longestMs));
    for (let count = random.pick([0, 2, 6]); count > 0; count -= 1) this.#go(() => this.#trouble(longestMs));
    if (random.chance(0.3)) this.#go(() => this.#dailyCheck(longestMs));
  }

  /** Nobody begins anything any more. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Races are won or lost within milliseconds, which nobody hits by chance. So while a step is about to change something,
   * someone asks for something else now and then, and is faster.
   */
  #withMeddlers(weather: Weather, probability: number): Weather {
    const { random } = this.#world;
    return {
      ...weather,
      fateOf: call => {
        const fate = weather.fateOf(call);
        const isChange = !/^(Get|List|Describe|Query|Ask)/.test(call.operation);
        const isStep = !call.actor.name.startsWith('Operate');
        if (this.#isOver || !isChange || !isStep || !random.chance(probability)) return fate;
        this.#go(() => this.#whim(0));
        return { ...fate, latencyMs: random.pick([500, 5 * SECOND_MS, 40 * SECOND_MS]) };
      },
    };
  }

  #go(life: () => Promise<void>): void {
    this.going += 1;
    life().then(() => {
      this.going -= 1;
    });
  }

  #pause(longestMs: number): Promise<void> {
    return this.#unlessOver(() => this.#world.time.sleep(this.#world.random.between(0, longestMs)));
  }

  #ask(asked: Asked, wish: Wish): Promise<unknown> {
    return this.#unlessOver(() => this.#people.ask(asked, wish));
  }

  async #unlessOver(act: () => Promise<unknown>): Promise<void> {
    if (!this.#isOver) await act();
    if (this.#isOver) await new Promise(() => {});
  }

  async #story(domain: string): Promise<void> {
    const { random } = this.#world;
    const people = this.#people;
    const project = random.chance(0.7) ? 'alpha' : random.pick(PROJECTS);
    const wish = { project, domain };
    await this.#pause(random.pick([0, 10 * MINUTE_MS, 10 * HOUR_MS]));
    for (let chapters = random.pick([1, 1, 2, 3]); chapters > 0; chapters -= 1) {
      await this.#ask('add', wish);
      const isManaged = domain.endsWith(MANAGED_ZONE.name);
      const setRecords = async () => {
        if (isManaged) return;
        // The validation record is named late; a patient owner looks again.
        await this.#pause(random.pick([30 * SECOND_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
        people.setRecords(domain);
        await this.#pause(2 * MINUTE_MS);
        people.setRecords(domain);
      };
      if (random.chance(0.5)) await setRecords();
      else this.#go(setRecords);
      await this.#ask('verify', wish);
      if (random.chance(0.3)) await this.#ask('verify', wish);
      await this.#pause(random.pick([5 * SECOND_MS, 2 * MINUTE_MS, 30 * MINUTE_MS, 30 * HOUR_MS]));
      if (random.chance(0.6)) {
        await this.#ask('remove', wish);
        await this.#pause(random.pick([3 * MINUTE_MS, 5 * HOUR_MS]));
      }
    }
  }

  async #whim(longestMs: number): Promise<void> {
    const { random } = this.#world;
    await this.#pause(longestMs);
    for (let count = random.pick([1, 1, 2, 4]); count > 0; count -= 1) {
      const wish = this.#someWish();
      const asked = random.pick([
        'add',
        'verify',
        'remove',
        'remove',
        'show',
        'primary',
        'redirect',
        'redirect',
        'redirect',
        'unredirect',
      ] as const);
      const whole = asked === 'redirect' ? { ...wish, to: random.pick(NAMES) } : wish;
      this.#go(async () => {
        await this.#ask(asked, whole);
      });
      if (random.chance(0.5)) await this.#pause(20 * SECOND_MS);
    }
  }

  /** Mostly about what there is. */
  #someWish(): Wish {
    const { random } = this.#world;
    const domains = this.#world.domains();
    if (domains.length > 0 && random.chance(0.7)) {
      const { project, domain } = random.pick(domains);
      return { project, domain };
    }
    return { project: random.chance(0.8) ? 'alpha' : 'beta', domain: random.pick(NAMES) };
  }

  /** Someone else in the account, who takes no turns at API Gateway. */
  async #stranger(longestMs: number): Promise<void> {
    await this.#pause(longestMs);
    this.#world.gateway.useSlot();
  }

  async #trouble(longestMs: number): Promise<void> {
    const { random, dns, acm, trace } = this.#world;
    await this.#pause(longestMs);
    const domain = random.pick(NAMES);
    const registrable = domain.replace('www.', '');
    switch (random.pick(['flap', 'servfail', 'caa', 'revoked'] as const)) {
      case 'flap':
        for (let count = random.between(1, 6); count > 0; count -= 1) {
          this.#people.leadElsewhere(domain);
          await this.#pause(5 * MINUTE_MS);
          dns.set(domain, 'CNAME');
          if (random.chance(0.8)) this.#people.setRecords(domain);
          await this.#pause(20 * MINUTE_MS);
        }
        return;
      case 'servfail':
        trace.say('dns', `${registrable} fails for an hour`);
        return dns.failFor(registrable, HOUR_MS);
      case 'caa':
        trace.say('owner', `forbids certificates of ${registrable}`);
        dns.set(registrable, 'CAA', '0 issue "letsencrypt.org"');
        await this.#pause(6 * HOUR_MS);
        return dns.set(registrable, 'CAA');
      case 'revoked': {
        const issued = [...acm.certificates.values()].filter(({ status }) => status === 'ISSUED');
        const lost = issued.length > 0 ? random.pick(issued) : undefined;
        if (!lost) return;
        trace.say('acm', `${lost.arn} of ${lost.domain} is revoked`);
        acm.lose(lost, 'REVOKED');
        await this.#pause(HOUR_MS);
        const owner = this.#world.domain(lost.domain)?.project;
        if (owner) await this.#ask('verify', { project: owner, domain: lost.domain });
      }
    }
  }

  async #dailyCheck(longestMs: number): Promise<void> {
    await this.#pause(longestMs);
    for (const { domain } of this.#world.domains()) {
      const check = () => this.#world.service.recheckLive(domain);
      await this.#world.lambda
        .invoke('RecheckDomains', 15 * MINUTE_MS, async () => ({ checked: await check() }))
        .catch(() => {});
    }
  }
}
