import { CALM, HOUR_MS, MINUTE_MS, SECOND_MS, type Weather } from '../../../infra/local/simulation.ts';
import type { Reply } from '../../../shared/operator/contract.ts';
import type { EnvironmentName } from '../deployed.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import type { World } from '../world.ts';
import { incidents } from './incidents.ts';
import { type CommandName, type DomainRequest, NAMES, type People, SQUATTER } from './people.ts';

const HORIZON_MS = 48 * HOUR_MS;

/**
 * What people do in a run. Each domain is added, gets its records and is verified, and may be removed and added again.
 * In between operators send any command at any time, often several at once, and incidents happen.
 */
export function randomActivity(world: World, people: People) {
  const { random, time } = world;
  let ongoing = 0;
  let isStopped = false;
  const { surroundings, happen, occupy, tamper, leaveStrayAddress } = incidents({
    world,
    people,
    pause,
    ask,
  });

  function start(): void {
    surroundings();
    world.weather = withRacingCommands(world.weather, random.pick([0, 0.01, 0.05]));
    world.staging.hasDefaultUrls = random.chance(0.35);
    world.production.hasDefaultUrls = random.chance(0.1);
    const startsLive = random.chance(0.5);
    const chosen = NAMES.filter(() => random.chance(startsLive ? 0.7 : 0.4));
    const names = chosen.length > 0 ? chosen : [NAMES[0]];
    for (const name of names) if (random.chance(0.2)) spawn(() => leaveStrayAddress(name));
    for (let count = random.pick([0, 0, 1, 4]); count > 0; count -= 1) spawn(askForLooks);
    if (startsLive) spawn(() => disturbLiveDomains(names));
    else disturbThroughout(names);
  }

  /** Disturbs the domains from the first command on. */
  function disturbThroughout(names: readonly string[]): void {
    for (const name of names) {
      const environment = random.chance(0.8) ? 'staging' : 'production';
      spawn(() => addVerifyRemove(name, environment));
      // Both environments want the same name now and then.
      if (random.chance(0.3)) spawn(() => addVerifyRemove(name, 'production'));
      if (random.chance(0.2)) spawn(() => squat(name));
      if (random.chance(0.15)) spawn(() => occupy(name));
      if (random.chance(0.2)) spawn(() => prepareAndSwitch(name));
    }
    disturb(random.pick([2 * MINUTE_MS, HOUR_MS, HORIZON_MS]));
  }

  /** Lets the domains of one project go live in calm weather first: most invariants are about live domains. */
  async function disturbLiveDomains(names: readonly string[]): Promise<void> {
    const weatherOfSeed = world.weather;
    world.weather = { ...CALM, issueDelayMs: () => 0, inUseMs: weatherOfSeed.inUseMs };
    for (const domain of names) await ask('add', { project: 'alpha', domain });
    await time.sleep(MINUTE_MS);
    for (const domain of names) {
      people.setRecords(domain);
      await ask('verify', { project: 'alpha', domain });
    }
    await time.sleep(30 * MINUTE_MS);
    world.weather = weatherOfSeed;
    for (const domain of names) {
      if (random.chance(0.15)) spawn(() => buy(domain, 'beta'));
      // Two want the name at once now and then.
      if (random.chance(0.1)) for (const rival of ['beta', 'delta']) spawn(() => buy(domain, rival));
    }
    if (random.chance(0.2)) spawn(tamper);
    disturb(random.pick([MINUTE_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
  }

  /** Sends random commands and causes incidents, at random times within this period. */
  function disturb(withinMs: number): void {
    const later = (act: () => unknown) =>
      spawn(async () => {
        await pause(withinMs);
        await act();
      });
    for (let count = random.between(0, 12); count > 0; count -= 1) spawn(() => randomCommands(withinMs));
    // Another user of the account changes a domain name at API Gateway without asking for a slot.
    const change = () => random.pick(['CreateDomainName', 'UpdateDomainName', 'DeleteDomainName'] as const);
    for (let count = random.pick([0, 0, 3]); count > 0; count -= 1) later(() => world.useSlot(change()));
    for (let count = random.pick([0, 2, 8]); count > 0; count -= 1) later(happen);
    if (random.chance(0.3)) later(dailyCheck);
  }

  async function dailyCheck(): Promise<void> {
    for (const environment of world.environments) await environment.tendAll();
  }

  /**
   * Has a command race with a step now and then: while a step's change is under way, the change is delayed and a random
   * command sent. By chance alone, commands would rarely come within the milliseconds that matter.
   */
  function withRacingCommands(weather: Weather, probability: number): Weather {
    return {
      ...weather,
      fateOf: call => {
        const fate = weather.fateOf(call);
        const isChange = !/^(Get|List|Describe|Query|Ask)/.test(call.operation);
        const isStep = !call.actor.name.startsWith('Operate');
        if (isStopped || !isChange || !isStep || !random.chance(probability)) return fate;
        spawn(() => randomCommands(0));
        const kind = fate.kind === 'ok' ? 'stall' : fate.kind;
        return { kind, latencyMs: random.pick([500, 5 * SECOND_MS, 40 * SECOND_MS]) };
      },
    };
  }

  /** Starts an activity without waiting for its end. */
  function spawn(activity: () => Promise<void>): void {
    ongoing += 1;
    activity().then(() => {
      ongoing -= 1;
    });
  }

  function pause(maxMs: number): Promise<void> {
    return unlessStopped(() => time.sleep(random.between(0, maxMs)));
  }

  function ask(command: CommandName, request: DomainRequest): Promise<Reply> {
    return unlessStopped(() => people.ask(command, request));
  }

  /** A stopped activity never continues: its promise stays pending. */
  async function unlessStopped<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = isStopped ? undefined : await act();
    return isStopped ? new Promise(() => {}) : (result as Result);
  }

  /** Claims a name that is not the squatter's, and verifies it without success. */
  async function squat(domain: string): Promise<void> {
    const request = { project: SQUATTER, domain };
    await pause(random.pick([0, HOUR_MS]));
    await ask('add', request);
    if (random.chance(0.5)) await ask('verify', request);
  }

  /** Prepares a domain whose traffic goes elsewhere, and switches it later, mostly. */
  async function prepareAndSwitch(domain: string): Promise<void> {
    const project = random.chance(0.7) ? 'alpha' : 'beta';
    const isManaged = domain.endsWith(MANAGED_ZONE.name);
    await pause(random.pick([0, HOUR_MS]));
    if (!isManaged) people.pointElsewhere(domain);
    await ask('add', { project, domain, switchLater: true });
    await pause(10 * MINUTE_MS);
    if (!isManaged) people.setRecords(domain, { project, isBeside: true, isPreparation: true });
    await ask('verify', { project, domain });
    await pause(random.pick([10 * MINUTE_MS, 5 * HOUR_MS]));
    if (!isManaged) people.setRecords(domain, { project, isBeside: true, isPreparation: true });
    await pause(random.pick([10 * MINUTE_MS, 30 * HOUR_MS]));
    if (random.chance(0.8) && !isManaged) people.setRecords(domain, { project, isBeside: true });
    if (random.chance(0.3)) await ask('verify', { project, domain });
  }

  /** A domain changes hands: its records go, and its new owner adds it to another project and proves it. */
  async function buy(domain: string, project: string): Promise<void> {
    await pause(HOUR_MS);
    people.deleteRecords(domain);
    await pause(random.pick([0, HOUR_MS]));
    const request = { project, domain };
    await ask('add', request);
    await pause(10 * MINUTE_MS);
    people.setRecords(domain, { project, isBeside: true });
    await ask('verify', request);
    await pause(random.pick([HOUR_MS, 5 * HOUR_MS]));
    // It was a mistake: the records come back.
    if (random.chance(0.3)) people.setRecords(domain, { project: 'alpha', isBeside: random.chance(0.5) });
    await pause(8 * HOUR_MS);
    people.setRecords(domain, { project, isBeside: true });
    if (random.chance(0.3)) await ask('verify', request);
  }

  /** Adds, verifies and mostly removes a domain, in one to three rounds. */
  async function addVerifyRemove(domain: string, environment: EnvironmentName): Promise<void> {
    const project = random.chance(0.7) ? 'alpha' : 'beta';
    const request = { project, domain, environment };
    const isBeside = random.chance(0.5);
    await pause(random.pick([0, 10 * MINUTE_MS, 10 * HOUR_MS]));
    for (let rounds = random.pick([1, 1, 2, 3]); rounds > 0; rounds -= 1) {
      await ask('add', request);
      const isManaged = domain.endsWith(MANAGED_ZONE.name);
      const setRecords = async () => {
        if (isManaged) return;
        // ACM may name its validation record after the owner's first look, so the owner looks twice.
        await pause(random.pick([30 * SECOND_MS, 10 * MINUTE_MS, 5 * HOUR_MS]));
        // An owner who has set only the ALIAS has not proven the apex.
        const without = random.chance(0.2) ? 'TXT' : undefined;
        people.setRecords(domain, { project, environment, isBeside, ...(without && { without }) });
        await pause(2 * MINUTE_MS);
        if (without && random.chance(0.5)) await pause(HOUR_MS);
        const isNever = without && random.chance(0.3);
        people.setRecords(domain, { project, environment, isBeside, ...(isNever && { without }) });
      };
      if (random.chance(0.5)) await setRecords();
      else spawn(setRecords);
      await ask('verify', request);
      if (random.chance(0.3)) await ask('verify', request);
      await pause(random.pick([5 * SECOND_MS, 2 * MINUTE_MS, 30 * MINUTE_MS, 30 * HOUR_MS]));
      if (random.chance(0.6)) {
        await ask('remove', request);
        await pause(random.pick([3 * MINUTE_MS, 5 * HOUR_MS]));
      }
    }
  }

  /** The owner of some domain asks for looks, at any time and sometimes in a row. */
  async function askForLooks(): Promise<void> {
    await pause(random.pick([HOUR_MS, HORIZON_MS]));
    for (let count = random.pick([1, 3]); count > 0; count -= 1) {
      await unlessStopped(() => people.askForLook(randomRequest()));
      await pause(random.pick([5 * SECOND_MS, HOUR_MS]));
    }
  }

  /** Sends one to four random commands, concurrently or shortly after one another. */
  async function randomCommands(withinMs: number): Promise<void> {
    await pause(withinMs);
    for (let count = random.pick([1, 1, 2, 4]); count > 0; count -= 1) {
      const fields = randomRequest();
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
      const request = { ...fields, ...optionsOf(command) };
      spawn(async () => {
        await ask(command, request);
      });
      if (random.chance(0.5)) await pause(20 * SECOND_MS);
    }
  }

  function optionsOf(command: CommandName): Partial<DomainRequest> {
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
  function randomRequest(): DomainRequest {
    const environment = random.chance(0.85) ? 'staging' : 'production';
    const domains = world[environment].domains();
    if (domains.length > 0 && random.chance(0.7)) {
      const { project, domain } = random.pick(domains);
      return { project, domain, environment };
    }
    return { project: random.chance(0.8) ? 'alpha' : 'beta', domain: random.pick(NAMES), environment };
  }

  return {
    start,
    /** Ends every activity before its next act. */
    stop() {
      isStopped = true;
    },
    /** How many activities have not ended. */
    ongoing: () => ongoing,
  };
}
