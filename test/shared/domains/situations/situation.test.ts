import { beforeEach, expect, test, vi } from 'vitest';
import { type ApiStage, isSameRoute } from '../../../../shared/domains/front.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { isAttached } from '../../../../shared/domains/life/domain-status.ts';
import { claimEndsAt } from '../../../../shared/domains/life/waits.ts';
import { tender } from '../../../../shared/domains/pass/tend.ts';
import { situationOf } from './situation.ts';
import { worldOf } from './situation-world.ts';

// Domains that need attention are logged.
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const { SITUATIONS = '2000', FIRST_SITUATION = '1' } = process.env;
const SEEDS = Array.from({ length: Number(SITUATIONS) }, (_, index) => Number(FIRST_SITUATION) + index);

const PASSES = 5;
/** One requests a certificate, say, of which the next one learns the records. */
const BUSY_PASSES = 2;

/** Passes over the domain of a situation, one after the other at the same instant. */
async function passed(seed: number) {
  const { claim: before, ...situation } = situationOf(seed);
  const { parts, aws } = worldOf({ ...situation, claim: before });
  const find = () => parts.domains.find(before.domain, before.project);
  const tend = tender(parts);
  const states: string[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    await parts.domains.holding(before.domain, holder => tend(before, holder));
    states.push(JSON.stringify([lasting(await find()), aws.calls]));
  }
  const claim = await find();
  return { states, lacks: claim && lacking(claim, await parts.projectOf(claim), aws) };
}

/** What a pass leaves as it is unless it finds something new. */
function lasting(claim: Domain | undefined) {
  return { ...claim, rounds: 0, nextCheckAt: null, revision: 0, history: [] };
}

/** What a domain lacks, or doesn't say. */
function lacking(
  claim: Domain,
  project: { readonly route: ApiStage } | undefined,
  { names, hosts, routes }: ReturnType<typeof worldOf>['aws'],
): string[] {
  const { domain, target, certificate, reason, nextCheckAt } = claim;
  if (!isAttached(claim)) return (reason ?? nextCheckAt ?? claimEndsAt(claim)) ? [] : ['a reason or a time'];
  if (reason !== null) return [];
  const name = names.get(domain);
  const isRight = {
    'its domain name': name?.target === target && name.certificateArn === certificate.arn,
    'its host': name !== undefined && hosts.get(target) === name.host,
    'its mapping': isSameRoute(routes.get(domain), project?.route),
  };
  return Object.entries(isRight).flatMap(([what, isSo]) => (isSo ? [] : [what]));
}

test('passes over any domain come to rest at a standing clock: it is as it should be, or says why or until when it is not', async () => {
  for (const seed of SEEDS) {
    const { states, lacks = [] } = await passed(seed);
    expect(states.slice(BUSY_PASSES), `seed ${seed}`).toEqual(
      Array(PASSES - BUSY_PASSES).fill(states.at(-1)),
    );
    expect(lacks, `seed ${seed}`).toEqual([]);
  }
});
