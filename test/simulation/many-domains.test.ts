import { expect, test } from 'vitest';
import {
  CALM,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  OK,
  SECOND_MS,
  validationOf,
  type Weather,
} from '../../infra/local/simulation.ts';
import type { ClaimView } from './claims-view.ts';
import { isExhaustive } from './faults/calm-run.ts';
import { Violation } from './invariants/claims.ts';
import type { CommandName, DomainRequest } from './people/people.ts';
import { runIn } from './simulate.ts';
import { World } from './world.ts';

/** SIMULATION_DOMAINS is how many domains are handled at once. */
const DOMAINS = Number(process.env.SIMULATION_DOMAINS ?? 30);

/** How many have their certificates renewed, and for how long. */
const [RENEWED_DOMAINS, YEARS] = isExhaustive ? [100, 3] : [3, 1];

/** A project may have 20 claims that are not verified. */
const DOMAINS_OF_A_PROJECT = 20;

/** API Gateway's 30 s, and the second that the service adds for clocks that differ. */
const SLOT_MS = 31 * SECOND_MS;

/** A world in which so many domains are claimed and have their records. */
async function claimedWorld(count: number, { weather = CALM, longestMs = 21 * DAY_MS } = {}) {
  const world = new World(1, () => weather);
  const run = runIn(world, longestMs);
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
  const domains = (status: ClaimView['status']) =>
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
  const lastLiveAtMs = Math.max(...live.map(({ liveAtMs }) => liveAtMs ?? 0));
  expect(lastLiveAtMs - verifiedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 15 * MINUTE_MS);

  const removedAtMs = time.nowMs;
  await run.removeEverything();
  expect(time.nowMs - removedAtMs).toBeLessThan(DOMAINS * SLOT_MS + 30 * MINUTE_MS);
});

test(`of ${DOMAINS} domains those beyond the quota say so, get the places that others leave, and delay no removal`, {
  timeout: HOUR_MS,
}, async () => {
  const quota = Math.floor(DOMAINS * 0.4);
  const { world, requests, askForAll, domains, ...run } = await claimedWorld(DOMAINS);
  let refusals = 0;
  const allow = (names: number) => () => {
    if (world.domainNames.list().length >= names) refusals += 1;
    return names;
  };
  world.weather = { ...world.weather, maxDomainNames: allow(quota) };
  await askForAll('verify');
  await run.pass(DOMAINS * SLOT_MS + HOUR_MS);
  expect(domains('live')).toHaveLength(quota);
  const refused = () => domains('issuing');
  expect(refused()).toHaveLength(DOMAINS - quota);
  expect(new Set(refused().map(({ reason }) => reason))).toEqual(new Set(['attachment_refused']));
  expect(new Set(refused().map(({ message }) => message.slice(0, 39)))).toEqual(
    new Set(['This AWS account has reached its limit ']),
  );
  // Each tries again every half hour, or as often as its turn comes.
  refusals = 0;
  const refusedCount = refused().length;
  await run.pass(5 * HOUR_MS);
  const periodMs = HOUR_MS / 2 + refusedCount * SLOT_MS;
  expect(refusals).toBeGreaterThan((refusedCount * 4 * HOUR_MS) / periodMs);
  expect(refusals).toBeLessThanOrEqual((5 * HOUR_MS) / SLOT_MS);
  expect(refused().every(({ reason }) => reason === 'attachment_refused')).toBe(true);

  // The creations that are queued delay no removal, and the place that it leaves is used.
  const removed = requests.find(({ domain }) => world.domainNames.find(domain)) as DomainRequest;
  const removedAtMs = world.time.nowMs;
  void run.people.ask('remove', removed);
  while (world.domainNames.find(removed.domain)) await run.pass(SECOND_MS);
  expect(world.time.nowMs - removedAtMs).toBeLessThan(90 * SECOND_MS + 2 * SLOT_MS);
  await run.pass(35 * MINUTE_MS);
  expect(domains('live')).toHaveLength(quota);

  world.weather = { ...world.weather, maxDomainNames: allow(DOMAINS) };
  await run.pass(periodMs + 15 * MINUTE_MS);
  expect(domains('live')).toHaveLength(requests.length - 1);
  await run.untilIdle();
  await run.removeEverything();
});

/**
 * From March 2029 on, a certificate lives 47 days, and a validation counts for 10: every renewal, which ACM begins after two
 * thirds of its life, needs the records of the domain anew.
 */
const SHORT_LIVED: Weather = { ...CALM, validityMs: () => 47 * DAY_MS };

/** What a domain that can't be renewed says of its certificate, so that its owner mends it within four days. */
const TOLD: readonly string[] = ['renewal_action_required', 'certificate_record_missing', 'caa_blocked'];
const OWNER_MS = 4 * DAY_MS;

test(`${RENEWED_DOMAINS} domains with certificates of 47 days have a valid one in every minute of ${YEARS} years`, {
  timeout: HOUR_MS,
}, async () => {
  const count = RENEWED_DOMAINS;
  const yearsMs = YEARS * 365 * DAY_MS;
  const options = { weather: SHORT_LIVED, longestMs: yearsMs + 30 * DAY_MS };
  const { world, askForAll, domains, requests, ...run } = await claimedWorld(count, options);
  const { time, certificates, dns, random, staging } = world;
  await askForAll('verify');
  await run.untilIdle();
  expect(domains('live')).toHaveLength(count);

  let callsUntilCrash = 0;
  world.weather = {
    ...SHORT_LIVED,
    spreadMs: () => random.between(0, HOUR_MS),
    fateOf({ service }) {
      callsUntilCrash -= 1;
      if (callsUntilCrash === 0) return { kind: 'crash after', latencyMs: 20 };
      if (service === 'dns' || service === 'https' || !random.chance(0.01)) return OK;
      return { kind: random.pick(['throttled', 'response lost']), latencyMs: 20 };
    },
  };
  const mishap = (domain: string) =>
    random.pick([
      () => dns.set(validationOf(domain).name, 'CNAME'),
      () => dns.set(domain, 'CAA', '0 issue "letsencrypt.org"'),
    ])();
  const toldAtMs = new Map<string, number>();
  const serials = new Map<string, string>();
  const endMs = time.nowMs + yearsMs;
  const seen = { renewals: 0, mended: 0 };
  while (time.nowMs < endMs) {
    if (random.chance(count / 100)) mishap(random.pick(requests).domain);
    if (random.chance(0.03)) dns.failFor('zoo.com', 12 * HOUR_MS);
    // Of ten daily checks one dies on its way.
    callsUntilCrash = random.chance(0.1) ? random.between(1, count * 10) : 0;
    // ACM works by itself, every few hours.
    for (let tick = 0; tick < 4; tick += 1) {
      await run.pass(6 * HOUR_MS - (time.nowMs % (6 * HOUR_MS)));
      for (const { arn, names, issued } of certificates.list()) {
        if (issued && issued.notAfterMs <= time.nowMs) throw new Violation(`${names[0]} has expired`);
        const { serial = '' } = issued ?? {};
        if (serials.has(arn) && serials.get(arn) !== serial) seen.renewals += 1;
        serials.set(arn, serial);
      }
    }
    for (const claim of staging.domains()) {
      const { domain, project, lookedAtMs } = claim;
      const isChecked = time.nowMs - (lookedAtMs ?? 0) < 4 * DAY_MS;
      if (!isChecked) throw new Violation(`${domain} was last checked at ${lookedAtMs}`);
      const isTold = claim.troubles.some(({ reason }) => TOLD.includes(reason));
      if (claim.isCertificateExpiring(time.nowMs) && !isTold)
        throw new Violation(`Nobody is told why ${domain} isn't renewed`);
      if (!isTold) toldAtMs.delete(domain);
      else if (!toldAtMs.has(domain)) toldAtMs.set(domain, time.nowMs);
      else if (time.nowMs > (toldAtMs.get(domain) ?? 0) + OWNER_MS) {
        dns.set(domain, 'CAA');
        run.people.setRecords(domain, { project });
        seen.mended += 1;
      }
    }
  }
  expect(domains('live')).toHaveLength(count);
  expect(seen.mended).toBeGreaterThan(0);
  expect(seen.renewals).toBeGreaterThanOrEqual(count * YEARS * 7);
  // Renewals don't count as requests, of which an account has 5,000 a year.
  expect(certificates.list()).toHaveLength(count);
  await run.removeEverything();
});
