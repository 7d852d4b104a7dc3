import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../infra/local/virtual/virtual-time.ts';
import { CALM, type Weather } from '../../../infra/local/virtual/weather.ts';
import type { Reply } from '../../../shared/operator/contract.ts';
import { type EnvironmentName, MANAGED_ZONE } from '../service.ts';
import type { World } from '../world.ts';
import { incidents } from './incidents.ts';
import { type CommandName, type DomainRequest, NAMES, type People, SQUATTER } from './people.ts';

const HORIZON_MS = 48 * HOUR_MS;

/**
 * What people do in a run. Each domain is added, gets its records and is verified, and may be removed and added again.
 * In between operators send any command at any time, often several at once, and incidents happen.
 */
export class RandomActivity {
  readonly #world: World;
  readonly #people: People;
  readonly #incidents: ReturnType<typeof incidents>;
  /** How many activities have not ended. */
  ongoing = 0;
  #isStopped = false;

  constructor(world: World, people: People) {
    this.#world = world;
    this.#people = people;
    this.#incidents = incidents({
      world,
      people,
      pause: maxMs => this.#pause(maxMs),
      ask: (...request) => this.#ask(...request),
    });
  }

  start(): void {
    const { random } = this.#world;
    this.#incidents.surroundings();
    this.#world.weather = this.#withRacingCommands(this.#world.weather, random.pick([0, 0.01, 0.05]));
    const startsLive = random.chance(0.5);
    const chosen = NAMES.filter(() => random.chance(startsLive ? 0.7 : 0.4));
    const names = chosen.length > 0 ? chosen : [NAMES[0]];
    if (startsLive) this.#spawn(() => this.#disturbLiveDomains(names));
    else this.#disturbThroughout(names);
  }

  /** Disturbs the domains from the first command on. */
  #disturbThroughout(names: readonly string[]): void {
    const { random } = this.#world;
    for (const name of names) {
      const environment = random.chance(0.8) ? 'staging' : 'production';
      this.#spawn(() => this.#addVerifyRemove(name, environment));
      // Both environments want the same name now and then.
      if (random.chance(0.3)) this.#spawn(() => this.#addVerifyRemove(name, 'production'));
      if (random.chance(0.2)) this.#spawn(() => this.#squat(name));
      if (random.chance(0.15)) this.#spawn(() => this.#incidents.occupy(name));
      if (random.chance(0.2)) this.#spawn(() => this.#prepareAndSwitch(name));
    }
    this.#disturb(random.pick([2 * MINUTE_MS, HOUR_MS, HORIZON_MS]));
  }

  /** Lets the domains of one project go live in calm weather first: most invariants are about live domains. */
  async #disturbLiveDomains(names: readonly string[]): Promise<void> {
    const { random, time } = this.#world;
    const weatherOfSeed = this.#world.weather;
    this.#world.weather = { ...CALM, issueDelayMs: () => 0, inUseMs: weatherOfSeed.inUseMs };
    for (const domain of names) await this.#ask('add', { project: 'alpha', domain });
    await time.sleep(MINUTE_MS);
    for (const domain of names) {
      this.#people.setRecords(domain);
      await this.#ask('verify', { project: 'alpha', domain });
    }
    await time.sleep(30 * MINUTE_MS);
    this.#world.weather = weatherOfSeed;
    for (const domain of names) {
      if (random.chance(0.15)) this.#spawn(() => this.#buy(domain));
    }
    this.#disturb(random.pick([MINUTE_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
  }

  /** Sends random commands and causes incidents, at random times within this period. */
  #disturb(withinMs: number): void {
    const { random } = this.#world;
    for (let count = random.between(0, 12); count > 0; count -= 1)
      this.#spawn(() => this.#randomCommands(withinMs));
    for (let count = random.pick([0, 0, 3]); count > 0; count -= 1)
      this.#spawn(() => this.#foreignGatewayChange(withinMs));
    for (let count = random.pick([0, 2, 6]); count > 0; count -= 1)
      this.#spawn(() => this.#incident(withinMs));
    if (random.chance(0.3)) this.#spawn(() => this.#dailyCheck(withinMs));
  }

  /** Ends every activity before its next act. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Has a command race with a step now and then: while a step's change is under way, the change is delayed and a random
   * command sent. By chance alone, commands would rarely come within the milliseconds that matter.
   */
  #withRacingCommands(weather: Weather, probability: number): Weather {
    const { random } = this.#world;
    return {
      ...weather,
      fateOf: call => {
        const fate = weather.fateOf(call);
        const isChange = !/^(Get|List|Describe|Query|Ask)/.test(call.operation);
        const isStep = !call.actor.name.startsWith('Operate');
        if (this.#isStopped || !isChange || !isStep || !random.chance(probability)) return fate;
        this.#spawn(() => this.#randomCommands(0));
        const kind = fate.kind === 'ok' ? 'stall' : fate.kind;
        return { kind, latencyMs: random.pick([500, 5 * SECOND_MS, 40 * SECOND_MS]) };
      },
    };
  }

  /** Starts an activity without waiting for its end. */
  #spawn(activity: () => Promise<void>): void {
    this.ongoing += 1;
    activity().then(() => {
      this.ongoing -= 1;
    });
  }

  #pause(maxMs: number): Promise<void> {
    return this.#unlessStopped(() => this.#world.time.sleep(this.#world.random.between(0, maxMs)));
  }

  #ask(command: CommandName, request: DomainRequest): Promise<Reply> {
    return this.#unlessStopped(() => this.#people.ask(command, request));
  }

  /** A stopped activity never continues: its promise stays pending. */
  async #unlessStopped<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#isStopped ? undefined : await act();
    return this.#isStopped ? new Promise(() => {}) : (result as Result);
  }

  /** Claims a name that is not the squatter's, and verifies it without success. */
  async #squat(domain: string): Promise<void> {
    const { random } = this.#world;
    const request = { project: SQUATTER, domain };
    await this.#pause(random.pick([0, HOUR_MS]));
    await this.#ask('add', request);
    if (random.chance(0.5)) await this.#ask('verify', request);
  }

  /** Prepares a domain whose traffic goes elsewhere, and switches it later, mostly. */
  async #prepareAndSwitch(domain: string): Promise<void> {
    const { random } = this.#world;
    const project = random.chance(0.7) ? 'alpha' : 'beta';
    const isManaged = domain.endsWith(MANAGED_ZONE.name);
    await this.#pause(random.pick([0, HOUR_MS]));
    if (!isManaged) this.#people.pointElsewhere(domain);
    await this.#ask('add', { project, domain, switchLater: true });
    await this.#pause(10 * MINUTE_MS);
    if (!isManaged) this.#people.setRecords(domain, { project, isBeside: true, isPreparation: true });
    await this.#ask('verify', { project, domain });
    await this.#pause(random.pick([10 * MINUTE_MS, 5 * HOUR_MS]));
    if (!isManaged) this.#people.setRecords(domain, { project, isBeside: true, isPreparation: true });
    await this.#pause(random.pick([10 * MINUTE_MS, 30 * HOUR_MS]));
    if (random.chance(0.8) && !isManaged) this.#people.setRecords(domain, { project, isBeside: true });
    if (random.chance(0.3)) await this.#ask('verify', { project, domain });
  }

  /** A domain changes hands: its records go, and its new owner adds it to another project and proves it. */
  async #buy(domain: string): Promise<void> {
    const { random } = this.#world;
    const people = this.#people;
    await this.#pause(HOUR_MS);
    people.deleteRecords(domain);
    await this.#pause(random.pick([0, HOUR_MS]));
    const request = { project: 'beta', domain };
    await this.#ask('add', request);
    await this.#pause(10 * MINUTE_MS);
    people.setRecords(domain, { project: 'beta' });
    await this.#ask('verify', request);
    await this.#pause(random.pick([HOUR_MS, 5 * HOUR_MS]));
    // It was a mistake: the records come back.
    if (random.chance(0.3)) people.setRecords(domain, { project: 'alpha', isBeside: random.chance(0.5) });
    await this.#pause(8 * HOUR_MS);
    people.setRecords(domain, { project: 'beta', isBeside: true });
    if (random.chance(0.3)) await this.#ask('verify', request);
  }

  /** Adds, verifies and mostly removes a domain, in one to three rounds. */
  async #addVerifyRemove(domain: string, environment: EnvironmentName): Promise<void> {
    const { random } = this.#world;
    const people = this.#people;
    const project = random.chance(0.7) ? 'alpha' : 'beta';
    const request = { project, domain, environment };
    const isBeside = random.chance(0.5);
    await this.#pause(random.pick([0, 10 * MINUTE_MS, 10 * HOUR_MS]));
    for (let rounds = random.pick([1, 1, 2, 3]); rounds > 0; rounds -= 1) {
      await this.#ask('add', request);
      const isManaged = domain.endsWith(MANAGED_ZONE.name);
      const setRecords = async () => {
        if (isManaged) return;
        // ACM may name its validation record after the owner's first look, so the owner looks twice.
        await this.#pause(random.pick([30 * SECOND_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
        // An owner who has set only the ALIAS has not proven the apex.
        const without = random.chance(0.2) ? 'TXT' : undefined;
        people.setRecords(domain, { project, environment, isBeside, ...(without && { without }) });
        await this.#pause(2 * MINUTE_MS);
        if (without && random.chance(0.5)) await this.#pause(HOUR_MS);
        const isNever = without && random.chance(0.3);
        people.setRecords(domain, { project, environment, isBeside, ...(isNever && { without }) });
      };
      if (random.chance(0.5)) await setRecords();
      else this.#spawn(setRecords);
      await this.#ask('verify', request);
      if (random.chance(0.3)) await this.#ask('verify', request);
      await this.#pause(random.pick([5 * SECOND_MS, 2 * MINUTE_MS, 30 * MINUTE_MS, 30 * HOUR_MS]));
      if (random.chance(0.6)) {
        await this.#ask('remove', request);
        await this.#pause(random.pick([3 * MINUTE_MS, 5 * HOUR_MS]));
      }
    }
  }

  /** Sends one to four random commands, concurrently or shortly after one another. */
  async #randomCommands(withinMs: number): Promise<void> {
    const { random } = this.#world;
    await this.#pause(withinMs);
    for (let count = random.pick([1, 1, 2, 4]); count > 0; count -= 1) {
      const fields = this.#randomRequest();
      const command = random.pick([
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
        'move',
      ] as const);
      const request = { ...fields, ...this.#optionsOf(command) };
      this.#spawn(async () => {
        await this.#ask(command, request);
      });
      if (random.chance(0.5)) await this.#pause(20 * SECOND_MS);
    }
  }

  #optionsOf(command: CommandName): Partial<DomainRequest> {
    const { random } = this.#world;
    switch (command) {
      case 'redirect':
        return { to: random.pick(NAMES) };
      case 'move':
        return { to: random.pick(['alpha', 'beta']) };
      case 'add':
        return {
          ...(random.chance(0.2) && { withWww: true }),
          ...(random.chance(0.2) && { switchLater: true }),
        };
      default:
        return {};
    }
  }

  /** Mostly about a domain that exists. */
  #randomRequest(): DomainRequest {
    const { random } = this.#world;
    const environment = random.chance(0.85) ? 'staging' : 'production';
    const domains = this.#world[environment].domains();
    if (domains.length > 0 && random.chance(0.7)) {
      const { project, domain } = random.pick(domains);
      return { project, domain, environment };
    }
    return { project: random.chance(0.8) ? 'alpha' : 'beta', domain: random.pick(NAMES), environment };
  }

  /** Another user of the account changes a domain name at API Gateway without asking for a slot. */
  async #foreignGatewayChange(withinMs: number): Promise<void> {
    await this.#pause(withinMs);
    this.#world.gateway.useSlot();
  }

  async #incident(withinMs: number): Promise<void> {
    await this.#pause(withinMs);
    await this.#incidents.happen();
  }

  /** The daily check of live domains, some time within the run. */
  async #dailyCheck(withinMs: number): Promise<void> {
    await this.#pause(withinMs);
    for (const environment of this.#world.environments) await environment.recheck();
  }
}
