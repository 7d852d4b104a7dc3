import { longestHistory } from './idle-invariants.ts';
import type { CommandName, DomainRequest } from './people.ts';
import { runIn } from './simulate.ts';
import { HOUR_MS, MINUTE_MS } from './virtual-time.ts';
import { CALM } from './weather.ts';
import { World } from './world.ts';

/** A project may have 20 claims that are not verified. */
const DOMAINS_OF_A_PROJECT = 20;

/** What became of many domains that were handled at once. */
export interface ManyDomains {
  readonly live: number;
  /** From the first verification until the last domain was live. */
  readonly hoursUntilLive: number;
  /** From the first removal until nothing was left. */
  readonly hoursUntilRemoved: number;
  /** Of the longest execution history. */
  readonly historyEvents: number;
}

/** Adds, verifies and later removes this many domains, each time all of them at once, in calm weather. */
export async function manyDomains(count: number): Promise<ManyDomains> {
  const world = new World(1, () => CALM);
  const run = runIn(world);
  const { time, staging } = world;
  const requests: DomainRequest[] = Array.from({ length: count }, (_, number) => ({
    project: `project-${Math.floor(number / DOMAINS_OF_A_PROJECT)}`,
    domain: `shop-${number}.zoo.com`,
  }));
  for (const project of new Set(requests.map(request => request.project))) staging.addProject(project);
  const askForAll = (command: CommandName) =>
    run.until(Promise.all(requests.map(request => run.people.ask(command, request))));

  await askForAll('add');
  await run.pass(5 * MINUTE_MS);
  for (const { domain, project } of requests) run.people.setRecords(domain, { project });
  const verifiedAtMs = time.nowMs;
  await askForAll('verify');
  await run.untilIdle();
  const live = staging.domains().filter(({ status }) => status === 'live');
  const lastLiveAtMs = Math.max(...live.map(({ liveAt }) => Date.parse(liveAt ?? '')));
  const removedAtMs = time.nowMs;
  await run.removeEverything();
  return {
    live: live.length,
    hoursUntilLive: (lastLiveAtMs - verifiedAtMs) / HOUR_MS,
    hoursUntilRemoved: (time.nowMs - removedAtMs) / HOUR_MS,
    historyEvents: longestHistory(world),
  };
}
