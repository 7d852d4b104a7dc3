import { tender } from '../../../../shared/domains/pass/tend.ts';
import { sweep } from './old-run.ts';
import type { Outcome } from './outcome.ts';
import type { Situation } from './situation.ts';
import { worldOf } from './situation-world.ts';

/** What one pass makes of a situation. */
export async function newRun(situation: Situation): Promise<Outcome> {
  const { parts, outcome } = worldOf(situation);
  const { claim } = situation;
  const tend = tender(parts);
  await parts.domains.holding(claim.domain, holder => tend(claim, holder));
  await sweep(parts);
  return outcome();
}
