import { expect, test } from 'vitest';
import type { CommandName, DomainRequest } from './people/people.ts';
import { runIn } from './simulate.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from './virtual-time.ts';
import { World } from './world.ts';

/** SIMULATION_DOMAINS is how many domains are handled at once. */
const DOMAINS = Number(process.env.SIMULATION_DOMAINS ?? 30);

/** A project may have 20 claims that are not verified. */
const DOMAINS_OF_A_PROJECT = 20;

/** API Gateway's 30 s, and the second that the service adds for clocks that differ. */
const SLOT_MS = 31 * SECOND_MS;

test(`${DOMAINS} domains that are verified and removed all at once take no longer than API Gateway's slots require`, {
  timeout: HOUR_MS,
}, async () => {
  const world = new World(1);
  const run = runIn(world);
  const { time, staging } = world;
  const requests: DomainRequest[] = Array.from({ length: DOMAINS }, (_, number) => ({
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
  expect(live).toHaveLength(DOMAINS);
  const lastLiveAtMs = Math.max(...live.map(({ liveAt }) => Date.parse(liveAt ?? '')));
  expect(lastLiveAtMs - verifiedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 15 * MINUTE_MS);

  const removedAtMs = time.nowMs;
  await run.removeEverything();
  expect(time.nowMs - removedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 30 * MINUTE_MS);
});
