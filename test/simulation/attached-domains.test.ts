import type { PutCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import {
  addressOf,
  CALM,
  type Call,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type ServiceName,
  validationOf,
} from '../../infra/local/simulation.ts';
import { CHALLENGE_LABEL } from '../../shared/domains/dns/required-record.ts';
import { RECONCILE_MINUTES } from '../../shared/domains/life/due.ts';
import {
  ADDRESSES,
  type CONTROL_PLANE,
  type DailyUse,
  readingOf,
  useBefore,
  useReport,
} from './attached-costs.ts';
import { calmRun, isExhaustive } from './faults/calm-run.ts';

/** How many domains of each kind are swept over, for how many hours: for some sweeps, or for more than a day. */
const SIZES: readonly [ready: number, live: number, hours: number][] = isExhaustive
  ? [
      [1_000, 10_000, 2],
      [100, 1_000, 26],
    ]
  : [[10, 100, 4]];

const SWEEP_MS = RECONCILE_MINUTES * MINUTE_MS;
/** What the function has. */
const TIMEOUT_MS = 4 * MINUTE_MS;

/** How long calls take in earnest, roughly. */
const LATENCY_MS: Partial<Record<ServiceName, number>> = {
  dynamodb: 5,
  acm: 100,
  apigateway: 100,
  route53: 100,
  dns: 200,
  https: 500,
};

/** Each has a certificate of its own, which names it. */
const arnOf = (arn: string, domain: string) => `${arn}/${domain}`;
const domainOf = (arn: string) => arn.split('/').at(-1) ?? '';

/** One world with domains that were attached at some time in the past day: copies of a ready one and of a live one. */
async function attachedWorld(ready: number, live: number) {
  // Each has a primary domain, which is looked at as often as a ready one.
  const projectCount = Math.ceil(live / 200);
  const run = calmRun();
  const { world } = run;
  const { dynamodb, domainNames, certificates, dns, staging, time } = world;
  await run.goLive({ domain: 'live.zoo.com' });
  await run.becomeReady('ready.zoo.com');
  await run.pass(HOUR_MS);
  const claims = dynamodb.items(staging.tables.domains);
  const projects = dynamodb.items(staging.tables.projects);
  const ago = (ms: number) => new Date(time.nowMs - ms).toISOString();
  const names = { live: [] as string[], ready: [] as string[] };

  const copy = (kind: 'live' | 'ready', number: number, count: number) => {
    const of = `${kind}.zoo.com`;
    const item = claims.get(`${of} alpha`);
    const name = domainNames.find(of);
    const certificate = name && certificates.find(name.certificateArn);
    if (!item || !name?.mapping || !certificate) throw new Error(`There is no ${of}.`);
    const domain = `${kind}-${number}.zoo.com`;
    const project = `project-${number % projectCount}`;
    const arn = arnOf(certificate.arn, domain);
    const validation = validationOf(domain);
    certificates.put({ ...certificate, arn, names: [domain] });
    const mapping = { ...name.mapping, restApiId: staging.apiOf(project) };
    domainNames.put({ ...name, domainName: domain, certificateArn: arn, mapping });
    claims.set(`${domain} ${project}`, {
      ...item,
      domain,
      project,
      records: [],
      route: { apiId: mapping.restApiId, stage: mapping.stage },
      certificate: { ...(item.certificate as object), arn, validations: [validation] },
      checkedAt: ago((number / count) * DAY_MS),
      lookedAt: ago((number % 60) * MINUTE_MS),
    });
    claims.set(`${domain} #owner`, { domain, project: '#owner', provenBy: project });
    dns.set(validation.name, 'CNAME', validation.value);
    dns.set(`${CHALLENGE_LABEL}.${domain}`, 'TXT', String(item.challenge));
    dns.set(domain, 'CNAME', kind === 'live' ? String(item.target) : 'elsewhere.test');
    names[kind].push(domain);
  };
  dns.set('elsewhere.test', 'A', addressOf('elsewhere.test'));
  for (let number = 0; number < projectCount; number += 1) staging.addProject(`project-${number}`);
  for (let number = 0; number < live; number += 1) copy('live', number, live);
  for (let number = 0; number < ready; number += 1) copy('ready', number, ready);
  for (let number = 0; number < projectCount; number += 1) {
    const id = `project-${number}`;
    const liveDomains = names.live.filter((_, index) => index % projectCount === number).toSorted();
    projects.set(id, {
      ...projects.get(id),
      routing: { liveDomains, primary: liveDomains[0] ?? null, redirects: [] },
    });
  }
  for (const kind of ['live', 'ready'] as const) claims.delete(`${kind}.zoo.com alpha`);
  // So many domains would take the invariants days, and the trace all memory.
  staging.judge = () => undefined;
  dynamodb.onWrite = () => {};
  Object.assign(world.trace, { note() {}, say() {} });
  const primaries = new Set(
    [...projects.values()].map(({ routing }) => (routing as { primary?: string } | undefined)?.primary),
  );
  return { world, names, primaries, claims };
}

/** What the calls of a run use. */
const newRun = () => ({ apigateway: 0, acm: 0, route53: 0, passes: 0, reads: 0, writes: 0, looks: 0, ms: 0 });
type Run = ReturnType<typeof newRun>;

/** The capacity units of a write: an item of a domain, or a small one. */
function unitsOf(operation: string, input: unknown): number {
  const kilobytes = (item: unknown) => Math.ceil(JSON.stringify(item).length / 1024);
  if (operation === 'PutItem') return kilobytes((input as PutCommandInput).Item);
  if (operation !== 'TransactWriteItems') return 1;
  const { TransactItems = [] } = input as TransactWriteCommandInput;
  return 2 * TransactItems.reduce((sum, { Put }) => sum + (Put ? kilobytes(Put.Item) : 1), 0);
}

/** What the sweeps of some hours ask of the world, and by how much they are late. */
async function measured(ready: number, live: number, hours: number) {
  const { world, names, primaries, claims } = await attachedWorld(ready, live);
  const { time, staging } = world;
  const startMs = time.nowMs;
  const often = new Set<string | undefined>([...names.ready, ...primaries]);
  const seenMs = new Map<string, { looked: number; inFull: number }>();
  for (const { domain, lookedAt, checkedAt } of claims.values()) {
    if (typeof checkedAt !== 'string' || typeof lookedAt !== 'string') continue;
    const inFull = Date.parse(checkedAt);
    const looked = often.has(String(domain)) ? startMs : Math.max(inFull, Date.parse(lookedAt));
    seenMs.set(String(domain), { looked, inFull });
  }
  const late = { often: 0, others: 0, full: 0 };
  /** A look, or the end: what is not seen by then is late as well. */
  const note = (domain: string, { isFull = false } = {}) => {
    const seen = seenMs.get(domain);
    if (!seen) return;
    const { nowMs } = time;
    const kind = often.has(domain) ? 'often' : 'others';
    const afterMs = kind === 'often' ? SWEEP_MS : HOUR_MS;
    late[kind] = Math.max(late[kind], nowMs - seen.looked - afterMs);
    // The first sweep after a day.
    late.full = Math.max(late.full, nowMs - seen.inFull - DAY_MS - SWEEP_MS);
    seenMs.set(domain, { looked: nowMs, inFull: isFull ? nowMs : seen.inFull });
  };
  const runs: Run[] = [];
  const asked = new WeakSet<object>();
  let run = newRun();
  world.weather = {
    ...CALM,
    fateOf({ service, operation, input, token }: Call) {
      const isRead = /^(Get|Query|Scan)/.test(operation);
      if (service === 'apigateway' || service === 'acm' || service === 'route53') run[service] += 1;
      if (service === 'dynamodb' && isRead) run.reads += operation === 'GetItem' ? 1 : 0;
      else if (service === 'dynamodb') run.writes += unitsOf(operation, input);
      if (service === 'https') {
        run.looks += 1;
        note((input as { domain: string }).domain);
      }
      if (service === 'acm') {
        // ACM takes ten a second; a pass that it throttles asks again.
        if (!asked.has(token)) run.passes += 1;
        asked.add(token);
        const { CertificateArn = '' } = input as { CertificateArn?: string };
        note(domainOf(CertificateArn), { isFull: true });
      }
      return { kind: 'ok', latencyMs: LATENCY_MS[service] ?? 20 };
    },
  };
  const until = (isOver: () => boolean) => time.run(isOver, Number.POSITIVE_INFINITY, () => {});
  while (time.nowMs - startMs < hours * HOUR_MS) {
    const sweptAtMs = time.nowMs;
    run = newRun();
    runs.push(run);
    let isOver = false;
    void staging.run('ReconcileDomains').then(() => {
      isOver = true;
    });
    await until(() => isOver);
    run.ms = time.nowMs - sweptAtMs;
    time.after(SWEEP_MS - run.ms, undefined, () => {});
    await until(() => time.nowMs >= sweptAtMs + SWEEP_MS);
  }
  for (const domain of seenMs.keys()) note(domain);
  return { runs, late, attached: { ready, live, primary: primaries.size } };
}

/** The use of a day, by the runs of some hours. */
function dailyUse(runs: readonly Run[], attached: Parameters<typeof readingOf>[0]): DailyUse {
  const total = (of: (run: Run) => number) => runs.reduce((sum, run) => sum + of(run), 0);
  const aDay = (of: (run: Run) => number) => (total(of) * (DAY_MS / SWEEP_MS)) / runs.length;
  const calls = (service: (typeof CONTROL_PLANE)[number]) => ({
    calls: aDay(run => run[service]),
    worst: Math.max(...runs.map(run => run[service])) / (SWEEP_MS / SECOND_MS),
  });
  const reading = readingOf(attached);
  return {
    lambdaSeconds: reading.lambdaSeconds + aDay(({ ms }) => ms) / SECOND_MS,
    readUnits: reading.readUnits + aDay(({ reads }) => reads),
    writeUnits: aDay(({ writes }) => writes),
    // A look asks one address of the host, and a pass each of them.
    ownRequests: aDay(({ looks, passes }) => looks + passes * (ADDRESSES - 1)),
    controlPlane: {
      apigateway: calls('apigateway'),
      acm: calls('acm'),
      route53: calls('route53'),
    },
  };
}

test.each(SIZES)(
  '%i ready and %i live domains are looked at in time for %i hours, with less than two calls of the control plane a second',
  {
    timeout: 12 * HOUR_MS,
  },
  async (ready, live, hours) => {
    const { runs, late, attached } = await measured(ready, live, hours);
    if (isExhaustive) {
      const latest = Object.entries(late).map(([kind, ms]) => `${kind} ${Math.round(ms / SECOND_MS)} s`);
      const longest = Math.max(...runs.map(({ ms }) => ms)) / SECOND_MS;
      const most = Math.max(...runs.map(({ passes }) => passes));
      process.stderr.write(
        [
          `${ready} ready and ${live} live domains, ${hours} hours`,
          `  the latest looks: ${latest.join(', ')}; at most ${most} passes a sweep, and ${longest} s`,
          useReport('now', dailyUse(runs, attached)),
          useReport('before, without its timeouts', useBefore(attached, { isCut: false })),
          useReport('before', useBefore(attached, { isCut: true })),
        ].join('\n'),
      );
    }
    // A sweep takes a while until it comes to the last of them.
    for (const ms of Object.values(late)) expect(ms).toBeLessThan(2 * MINUTE_MS);
    for (const { apigateway, acm, route53, passes, ms } of runs) {
      expect((apigateway + acm + route53) / (SWEEP_MS / SECOND_MS)).toBeLessThan(2);
      expect(passes).toBeLessThanOrEqual(60);
      expect(ms).toBeLessThan(TIMEOUT_MS);
    }
  },
);
