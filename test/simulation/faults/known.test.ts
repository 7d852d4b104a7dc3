import { expect, test } from 'vitest';
import { HOUR_MS, SECOND_MS } from '../../../infra/local/virtual/virtual-time.ts';
import { OK } from '../../../infra/local/virtual/weather.ts';
import type { KnownViolation } from '../known.ts';
import { calmRun } from './calm-run.ts';

type Run = ReturnType<typeof calmRun>;

/** How each known violation comes about, and how it is reported. */
const SCENARIOS: Readonly<
  Record<KnownViolation, { violation: RegExp; scenario(run: Run): Promise<unknown> }>
> = {
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
