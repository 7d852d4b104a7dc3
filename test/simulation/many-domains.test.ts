import { expect, test } from 'vitest';
import { manyDomains } from './many-domains.ts';
import { HOUR_MS, SECOND_MS } from './virtual-time.ts';

/** SIMULATION_DOMAINS is how many domains are handled at once. */
const DOMAINS = Number(process.env.SIMULATION_DOMAINS ?? 30);

/** API Gateway's 30 s, and the second that the service adds for clocks that differ. */
const SLOT_HOURS = (31 * SECOND_MS) / HOUR_MS;

test(`${DOMAINS} domains that are verified at once are live at the pace of API Gateway, and removed at it`, {
  timeout: HOUR_MS,
}, async () => {
  const { live, hoursUntilLive, hoursUntilRemoved } = await manyDomains(DOMAINS);
  expect(live).toBe(DOMAINS);
  expect(hoursUntilLive).toBeLessThan(DOMAINS * SLOT_HOURS + 0.25);
  expect(hoursUntilRemoved).toBeLessThan(DOMAINS * SLOT_HOURS + 0.5);
});
