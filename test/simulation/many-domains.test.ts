import { expect, test } from 'vitest';
import type { DomainStatus } from '../../shared/domains/life/domain-status.ts';
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

/** A world in which so many domains are claimed and have their records. */
async function claimedWorld(count: number) {
  const world = new World(1);
  const run = runIn(world);
  const requests: DomainRequest[] = Array.from({ length: count }, (_, number) => ({
    project: `project-${Math.floor(number / DOMAINS_OF_A_PROJECT)}`,
    domain: `shop-${number}.zoo.com`,
  }));
  for (const project of new Set(requests.map(request => request.project))) world.staging.addProject(project);
  const askForAll = (command: CommandName) =>
    run.until(Promise.all(requests.map(request => run.people.ask(command, request))));
  await askForAll('add');
  await run.pass(5 * MINUTE_MS);
  for (const { domain, project } of requests) run.people.setRecords(domain, { project });
  const domains = (status: DomainStatus) =>
    world.staging.domains().filter(domain => domain.status === status);
  return { ...run, world, requests, askForAll, domains };
}

test(`${DOMAINS} domains that are verified and removed all at once take no longer than API Gateway's slots require`, {
  timeout: HOUR_MS,
}, async () => {
  const { world, askForAll, domains, ...run } = await claimedWorld(DOMAINS);
  const { time } = world;
  const verifiedAtMs = time.nowMs;
  await askForAll('verify');
  await run.untilIdle();
  const live = domains('live');
  expect(live).toHaveLength(DOMAINS);
  const lastLiveAtMs = Math.max(...live.map(({ liveAt }) => Date.parse(liveAt ?? '')));
  expect(lastLiveAtMs - verifiedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 15 * MINUTE_MS);

  const removedAtMs = time.nowMs;
  await run.removeEverything();
  expect(time.nowMs - removedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 30 * MINUTE_MS);
});

test(`of ${DOMAINS} domains those beyond the quota say so, and cost neither each other nor removals a slot`, {
  timeout: HOUR_MS,
}, async () => {
  const quota = Math.floor(DOMAINS * 0.4);
  const { world, requests, askForAll, domains, ...run } = await claimedWorld(DOMAINS);
  world.gateway.quota = quota;
  await askForAll('verify');
  // Those that had booked before the first was refused find out in their slots.
  await run.pass(DOMAINS * SLOT_MS + HOUR_MS);
  expect(domains('live')).toHaveLength(quota);
  const refused = () => domains('issuing');
  expect(refused()).toHaveLength(DOMAINS - quota);
  expect(new Set(refused().map(({ reason }) => reason))).toEqual(new Set(['attachment_refused']));
  expect(new Set(refused().map(({ message }) => message.slice(0, 39)))).toEqual(
    new Set(['This AWS account has reached its limit ']),
  );
  const before = world.gateway.quotaRefusals;
  await run.pass(5 * HOUR_MS);
  expect(world.gateway.quotaRefusals - before).toBeLessThanOrEqual(31);
  expect(refused().every(({ reason }) => reason === 'attachment_refused')).toBe(true);

  // While as many as there is room for wait for their slots, a removal takes the next one.
  world.gateway.quota = DOMAINS;
  await run.pass(HOUR_MS / 2);
  const removed = requests.find(({ domain }) => world.gateway.names.has(domain)) as DomainRequest;
  const removedAtMs = world.time.nowMs;
  void run.people.ask('remove', removed);
  while (world.gateway.names.has(removed.domain)) await run.pass(SECOND_MS);
  expect(world.time.nowMs - removedAtMs).toBeLessThan(90 * SECOND_MS + 2 * SLOT_MS);
  await run.untilIdle();
  expect(domains('live')).toHaveLength(requests.length - 1);
  await run.removeEverything();
});
