import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../infra/local/virtual/virtual-time.ts';
import { OK } from '../../../infra/local/virtual/weather.ts';
import { Violation } from '../invariants/claims.ts';
import type { KnownViolation } from '../known.ts';
import { calmRun, WWW } from './calm-run.ts';

type Run = ReturnType<typeof calmRun>;

/** A domain that is ready for the switch, whose traffic goes elsewhere. */
async function getReady(run: Run): Promise<void> {
  run.people.pointElsewhere(WWW);
  await run.ask('add', { switchLater: true });
  await run.pass(MINUTE_MS);
  run.people.setRecords(WWW, { isPreparation: true });
  await run.ask('verify');
  await run.untilStatus('ready');
}

/** How each known violation comes about, and how it is reported. */
const SCENARIOS: Readonly<
  Record<KnownViolation, { violation: RegExp; scenario(run: Run): Promise<unknown> }>
> = {
  driftStays: {
    violation:
      /is live \(mapping_changed\) after RecheckDomains #\d+, but its mapping or its host was changed/,
    async scenario(run) {
      await run.goLive();
      run.world.tampered.add(WWW);
      Object.assign(run.world.gateway.names.get(WWW) ?? {}, { mapping: undefined });
      await run.pass(DAY_MS);
    },
  },
  readyRecordsUnseen: {
    violation: /is ready \(no trouble\) after ReconcileDomains #\d+, but CAA forbids its certificate/,
    async scenario(run) {
      await getReady(run);
      run.world.dns.set('zoo.com', 'CAA', '0 issue "letsencrypt.org"');
      await run.pass(2 * HOUR_MS);
      await run.until(run.world.staging.run('ReconcileDomains'));
    },
  },
  readyTroubleUntold: {
    violation: /Nobody is told of .*"certificate_lost"/,
    async scenario(run) {
      await getReady(run);
      for (const certificate of run.world.acm.certificates.values())
        run.world.acm.lose(certificate, 'REVOKED');
      await run.until(run.world.staging.run('ReconcileDomains'));
      await run.pass(MINUTE_MS);
    },
  },
  reconcileDies: {
    violation: /A reconcile of 300 ready domains is killed/,
    async scenario(run) {
      await getReady(run);
      copyReady(run, 300);
      const { time, staging } = run.world;
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
      if (/ReconcileDomains #\d+ {2}ended by Sandbox.Timedout/.test(run.world.trace.text()))
        throw new Violation('A reconcile of 300 ready domains is killed');
    },
  },
  withdrawalRaced: {
    violation: /Something of default URLs is left/,
    async scenario(run) {
      const { staging } = run.world;
      staging.hasDefaultUrls = true;
      run.change({ issueDelayMs: () => 5 * HOUR_MS });
      await run.until(staging.run('ReconcileEndpoint'));
      // The next run looks at the certificate when it was deleted.
      run.change({
        fateOf: ({ actor, operation }) => {
          const isLook = actor.name.startsWith('ReconcileEndpoint') && operation === 'DescribeCertificate';
          return isLook ? { kind: 'stall', latencyMs: 5 * SECOND_MS } : OK;
        },
      });
      void staging.run('ReconcileEndpoint');
      await run.pass(SECOND_MS);
      await run.removeEverything();
    },
  },
};

test.each(Object.entries(SCENARIOS))('it is known: %s', async (_, { violation, scenario }) => {
  const run = calmRun();
  run.world.isStrict = true;
  await expect(scenario(run)).rejects.toThrow(violation);
});

/** As many domains more that are as ready as the first one is. */
function copyReady(run: Run, count: number): void {
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
