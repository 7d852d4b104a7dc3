import type { People, Wish } from './people.ts';
import { MANAGED_ZONE } from './service.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './virtual-time.ts';
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

  constructor(world: World, people: People) {
    this.#world = world;
    this.#people = people;
  }

  begin(): void {
    const { random } = this.#world;
    const names = NAMES.filter(() => random.chance(0.6));
    for (const name of names.length > 0 ? names : [NAMES[0]]) this.#go(() => this.#story(name));
    for (let count = random.between(0, 10); count > 0; count -= 1) this.#go(() => this.#whim());
    for (let count = random.pick([0, 0, 3]); count > 0; count -= 1) this.#go(() => this.#stranger());
    for (let count = random.pick([0, 2, 6]); count > 0; count -= 1) this.#go(() => this.#trouble());
    if (random.chance(0.3)) this.#go(() => this.#dailyCheck());
  }

  #go(life: () => Promise<void>): void {
    this.going += 1;
    life().then(() => {
      this.going -= 1;
    });
  }

  #pause(longestMs: number): Promise<void> {
    return this.#world.time.sleep(this.#world.random.between(0, longestMs));
  }

  async #story(domain: string): Promise<void> {
    const { random } = this.#world;
    const people = this.#people;
    const project = random.chance(0.7) ? 'alpha' : random.pick(PROJECTS);
    const wish = { project, domain };
    await this.#pause(random.pick([0, 10 * MINUTE_MS, 10 * HOUR_MS]));
    for (let chapters = random.pick([1, 1, 2, 3]); chapters > 0; chapters -= 1) {
      await people.ask('add', wish);
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
      await people.ask('verify', wish);
      if (random.chance(0.3)) await people.ask('verify', wish);
      await this.#pause(random.pick([5 * SECOND_MS, 2 * MINUTE_MS, 30 * MINUTE_MS, 30 * HOUR_MS]));
      if (random.chance(0.6)) {
        await people.ask('remove', wish);
        await this.#pause(random.pick([3 * MINUTE_MS, 5 * HOUR_MS]));
      }
    }
  }

  async #whim(): Promise<void> {
    const { random } = this.#world;
    const moment = random.pick([10 * MINUTE_MS, HOUR_MS, HORIZON_MS]);
    await this.#pause(moment);
    for (let count = random.pick([1, 1, 2, 4]); count > 0; count -= 1) {
      const wish: Wish = { project: random.chance(0.8) ? 'alpha' : 'beta', domain: random.pick(NAMES) };
      const asked = random.pick(['add', 'verify', 'remove', 'show', 'primary', 'redirect', 'redirect', 'unredirect'] as const);
      const whole = asked === 'redirect' ? { ...wish, to: random.pick(NAMES) } : wish;
      this.#go(async () => {
        await this.#people.ask(asked, whole);
      });
      if (random.chance(0.5)) await this.#pause(20 * SECOND_MS);
    }
  }

  /** Someone else in the account, who takes no turns at API Gateway. */
  async #stranger(): Promise<void> {
    await this.#pause(HORIZON_MS);
    this.#world.gateway.useSlot();
  }

  async #trouble(): Promise<void> {
    const { random, dns, acm, trace } = this.#world;
    await this.#pause(random.pick([HOUR_MS, HORIZON_MS]));
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
        lost.status = 'REVOKED';
        await this.#pause(HOUR_MS);
        const owner = this.#world.domain(lost.domain)?.project;
        if (owner) await this.#people.ask('verify', { project: owner, domain: lost.domain });
      }
    }
  }

  async #dailyCheck(): Promise<void> {
    await this.#pause(24 * HOUR_MS);
    for (const { domain } of this.#world.domains()) {
      const check = () => this.#world.service.recheckLive(domain);
      await this.#world.invoke('RecheckDomains', 15 * MINUTE_MS, async () => ({ checked: await check() })).catch(() => {});
    }
  }
}
