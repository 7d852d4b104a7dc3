import { isUnroutable } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import {
  isBeingRemoved,
  isInFlow,
  isReady,
  isServed,
} from '../../../../shared/domains/life/domain-status.ts';
import { verificationStarted } from '../../../../shared/domains/life/transitions.ts';
import { attachment } from '../../../../shared/domains/steps/attachment.ts';
import { readiness } from '../../../../shared/domains/steps/readiness.ts';
import { REATTACHED, rechecker, repairer } from '../../../../shared/domains/steps/recheck.ts';
import { removal } from '../../../../shared/domains/steps/removal.ts';
import { isTakeoverOver, withoutTakeover } from '../../../../shared/domains/steps/takeover.ts';
import { certificateCheck, dnsCheck } from '../../../../shared/domains/steps/verification.ts';
import type { Outcome } from './outcome.ts';
import type { Situation } from './situation.ts';
import { type SituationParts, worldOf } from './situation-world.ts';

/** How a live domain is checked: `repair` as `verify` does, `recheck` as every day. */
export type LiveCheck = 'repair' | 'recheck';

/** What the steps of flows and the scheduled work make of a situation, until there is nothing more to do at that instant. */
export async function oldRun(situation: Situation, check: LiveCheck = 'repair'): Promise<Outcome> {
  const { parts, outcome } = worldOf(situation);
  const { domain, project } = situation.claim;
  const present = () => parts.domains.find(domain, project);
  await endTakeover(situation.claim, parts);
  const claim = (await present()) ?? situation.claim;
  if (isReady(claim)) await readiness(parts)(claim);
  if (isServed(claim)) await checkLive(claim, parts, check);
  const checked = await present();
  if (checked && isInFlow(checked)) await runFlow(checked, parts);
  // The scheduled reconcile.
  await parts.remapAll(await parts.domains.all());
  return outcome();
}

/** The steps of the execution of a claim, until one has to be repeated later or is the last. */
async function runFlow(claim: Domain, parts: SituationParts): Promise<void> {
  const { domain, project, attempt } = claim;
  const steps = isBeingRemoved(claim)
    ? [removal(parts).takeDown]
    : [dnsCheck(parts), certificateCheck(parts), attachment(parts).attach];
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

async function checkLive(claim: Domain, parts: SituationParts, check: LiveCheck): Promise<void> {
  if (check === 'recheck') await rechecker(parts)(claim);
  else await verifyAgain(await repairer(parts)(claim), parts);
}

/** Begins a verification of a domain whose domain name has to be created or changed, as `verify` does. */
async function verifyAgain(checked: Domain, { domains, saveChecked, clock }: SituationParts): Promise<void> {
  if (!REATTACHED.includes(checked.reason ?? '')) return;
  const next = nextRevision(verificationStarted(checked, 'kept', clock.now()));
  await domains.holding(checked.domain, holder => saveChecked(next, holder));
}

/** Takes back the notice of a takeover that did not happen, as the scheduled reconcile does. */
export async function endTakeover(claim: Domain, { domains, clock }: SituationParts): Promise<void> {
  if (!isTakeoverOver(claim, clock)) return;
  const after = nextRevision(withoutTakeover(claim, clock.now()));
  await domains.holding(claim.domain, holder => holder.commit(domains.change(after)));
}
