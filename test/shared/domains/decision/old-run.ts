import { isUnroutable } from '../../../../shared/domains/front.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { isAttached, isBeingRemoved, isInFlow } from '../../../../shared/domains/life/domain-status.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import { removal } from '../../../../shared/domains/steps/removal.ts';
import { certificateCheck, dnsCheck } from '../../../../shared/domains/steps/verification.ts';
import type { Outcome } from './outcome.ts';
import type { Situation } from './situation.ts';
import { type SituationParts, worldOf } from './situation-world.ts';

/** What the steps of a flow make of a situation, and a pass of what they have attached. */
export async function oldRun(situation: Situation): Promise<Outcome> {
  const { parts, outcome } = worldOf(situation);
  const { claim } = situation;
  if (isInFlow(claim)) await runFlow(claim, parts);
  const after = await parts.domains.find(claim.domain, claim.project);
  if (after && isAttached(after))
    await parts.domains.holding(claim.domain, holder => tender(parts)(after, holder));
  await sweep(parts);
  return outcome();
}

/** Maps what is not mapped as its project asks for, as the scheduled reconcile does. */
export async function sweep({ domains, projects, isMismapped, remap }: SituationParts): Promise<void> {
  for (const claim of await domains.all()) {
    const isDue = isMismapped(claim, await projects.find(claim.project));
    if (isDue) await remap(claim.project, claim.domain);
  }
}

/** The steps of the execution of a claim, until one has to be repeated later or is the last. */
async function runFlow(claim: Domain, parts: SituationParts): Promise<void> {
  const { domain, project, attempt } = claim;
  const steps = isBeingRemoved(claim)
    ? [removal(parts).takeDown]
    : [
        dnsCheck(parts),
        certificateCheck(parts),
        attachment({ ...parts, tendAsWorker: tender(parts) }).attach,
      ];
  for (const step of steps) {
    try {
      const { outcome } = await step({ domain, project, attempt });
      if (outcome !== 'done') return;
    } catch (error) {
      // A domain that is live by now could not be mapped otherwise. Its state machine gives up in the end.
      if (!isUnroutable(error)) throw error;
    }
  }
}
