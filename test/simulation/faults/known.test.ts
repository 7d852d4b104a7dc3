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

/** Two projects prove the name of another one, minutes apart. */
async function contestTwice(run: Run): Promise<void> {
  await run.goLive({ domain: 'zoo.com' });
  run.people.deleteRecords('zoo.com');
  for (const project of ['beta', 'delta']) {
    await run.ask('add', { project, domain: 'zoo.com' });
    await run.pass(5 * MINUTE_MS);
    run.people.setRecords('zoo.com', { project, isBeside: true });
    await run.ask('verify', { project, domain: 'zoo.com' });
  }
  await run.pass(HOUR_MS);
}

/** How each known violation comes about, and how it is reported. */
const SCENARIOS: Readonly<
  Record<KnownViolation, { violation: RegExp; scenario(run: Run): Promise<unknown> }>
> = {
  rivalsInTurn: { violation: /The owner of zoo\.com is told a time again/, scenario: contestTwice },
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
