import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../infra/local/virtual/virtual-time.ts';
import { type CalmRun, calmRun, WWW } from './calm-run.ts';

/** A domain that is ready for the switch, whose traffic goes elsewhere. */
async function readyRun(): Promise<CalmRun> {
  const run = calmRun();
  run.people.pointElsewhere(WWW);
  await run.ask('add', { switchLater: true });
  await run.pass(MINUTE_MS);
  run.people.setRecords(WWW, { isPreparation: true });
  await run.ask('verify');
  await run.untilStatus('ready');
  return run;
}

test('a mapping that was deleted by hand is restored by the look that sees it', async () => {
  const run = calmRun();
  await run.goLive();
  run.world.tampered.add(WWW);
  Object.assign(run.world.gateway.names.get(WWW) ?? {}, { mapping: undefined });
  await run.pass(HOUR_MS + 10 * MINUTE_MS);
  expect([run.apiOf(), run.domain()]).toMatchObject(['staging-alpha', { status: 'live', reason: null }]);
});

test('a domain name that was deleted by hand is attached again, and the domain stays live', async () => {
  const run = calmRun();
  await run.goLive();
  run.world.tampered.add(WWW);
  run.world.gateway.names.delete(WWW);
  await run.pass(HOUR_MS + 30 * MINUTE_MS);
  expect([run.apiOf(), run.domain()]).toMatchObject(['staging-alpha', { status: 'live', reason: null }]);
});

test('a ready domain says that CAA forbids its certificate', async () => {
  const run = await readyRun();
  run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"');
  await run.pass(2 * HOUR_MS);
  await run.until(run.world.staging.run('ReconcileDomains'));
  expect(run.domain()).toMatchObject({ status: 'ready', reason: 'caa_blocked' });
});

test('a ready domain that loses its certificate says so, in an event, too', async () => {
  const run = await readyRun();
  for (const certificate of run.world.acm.certificates.values()) run.world.acm.lose(certificate, 'REVOKED');
  await run.until(run.world.staging.tendAll());
  expect(run.domain()).toMatchObject({ status: 'ready', reason: 'certificate_lost' });
  await run.pass(5 * MINUTE_MS);
  expect(run.delivered().at(-1)).toMatchObject({ detailType: 'Domain needs attention' });
});

test('a sweep over 300 ready domains looks at all of them, and tends 60 at most', async () => {
  const run = await readyRun();
  copyReady(run, 300);
  const { time, staging } = run.world;
  await run.pass(0);
  let isOver = false;
  void staging.run('ReconcileDomains').then(() => {
    isOver = true;
  });
  // The invariants would ask where so many domains come from.
  await time.run(
    () => isOver,
    Number.POSITIVE_INFINITY,
    () => {},
  );
  expect(run.world.trace.text()).not.toMatch(/ReconcileDomains #\d+ {2}ended by Sandbox.Timedout/);
});

/** As many domains more that are as ready as the first one is. */
function copyReady(run: CalmRun, count: number): void {
  const { dynamodb, gateway, dns, staging } = run.world;
  const items = dynamodb.items(staging.tables.domains);
  const [item] = [...items.values()].filter(({ status }) => status === 'ready');
  const name = gateway.names.get(WWW);
  for (let number = 0; number < count; number += 1) {
    const domain = `shop-${number}.zoo.com`;
    dns.set(domain, 'CNAME', 'elsewhere.test');
    items.set(`${domain} alpha`, { ...item, domain });
    if (name) gateway.names.set(domain, { ...name });
  }
}
