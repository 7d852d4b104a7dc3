import type { Domain } from '../../../../shared/domains/life/domain.ts';
import type { DomainReason } from '../../../../shared/domains/life/domain-reason.ts';
import {
  isAttached,
  isBeingRemoved,
  isInFlow,
  isServed,
} from '../../../../shared/domains/life/domain-status.ts';
import { isDue } from '../../../../shared/domains/life/due.ts';
import { claimEndsAt, MAX_CERTIFICATE_REQUESTS } from '../../../../shared/domains/life/waits.ts';
import type { Observed } from '../../../../shared/domains/reach.ts';
import { AT_MS, clockAt, DAY } from '../claimed-domain.ts';
import { abstracted, after, commanded, elapsed, firstClaims, removed, verified } from './walk-claims.ts';
import { type Choose, type World, worldAround } from './walk-world.ts';

const CLOCK = clockAt(AT_MS);

/**
 * Runs something for all that may be chosen in it. One thing is wrong at a time; where `isFull`, something of others, something
 * of ours and a call that puts it right may be.
 */
async function everyWay(run: (choose: Choose) => Promise<void>, isFull: boolean): Promise<void> {
  let script: number[] = [];
  for (;;) {
    const made: { readonly index: number; readonly count: number }[] = [];
    const wrong = new Set<string>();
    const choose: Choose = (_, options, kind) => {
      const index = script[made.length] ?? 0;
      const isPossible = kind === 'nothing' || (isFull ? !wrong.has(kind) : wrong.size === 0);
      made.push({ index, count: isPossible ? options.length : 1 });
      if (index > 0 && kind !== 'nothing') wrong.add(kind);
      return options[index] as (typeof options)[number];
    };
    await run(choose);
    while (made.length > 0 && (made.at(-1)?.index ?? 0) + 1 >= (made.at(-1)?.count ?? 0)) made.pop();
    const last = made.pop();
    if (!last) return;
    script = [...made.map(({ index }) => index), last.index + 1];
  }
}

/** A claim that was reached, and by what. */
interface State {
  readonly key: string;
  readonly claim: Domain;
  readonly by: string;
  readonly from?: State | undefined;
}

/** What was found wrong, with the way to it. */
interface Finding {
  readonly what: string;
  readonly way: string;
}

export interface Walk {
  readonly states: readonly State[];
  readonly passes: number;
  /** The reasons that passes gave. */
  readonly reasons: ReadonlySet<DomainReason>;
  readonly findings: readonly Finding[];
}

/** Everything that can become of a claim: breadth first, so that the way to each state is the shortest. */
export async function walk(): Promise<Walk> {
  const states = new Map<string, State>();
  const reasons = new Set<DomainReason>();
  const findings = new Map<string, Finding>();
  const rested = new Set<string>();
  const kinds = new Set<string>();
  let passes = 0;
  const reach = (given: Domain, by: () => string, from?: State): State => {
    const claim = abstracted(given);
    const key = JSON.stringify(claim);
    const state = states.get(key) ?? { key, claim, by: by(), from };
    states.set(key, state);
    return state;
  };
  for (const claim of firstClaims()) reach(claim, () => 'added');
  // What is reached meanwhile is visited, too.
  for (const state of states.values()) {
    const { claim } = state;
    for (const next of elapsed(claim)) reach(next, () => 'time passes', state);
    for (const next of commanded(claim)) reach(next, () => 'a command', state);
    if (isServed(claim) || claim.status === 'ready' || claim.status === 'failed' || claim.takeover) {
      for (const isContested of [true, false]) {
        const world = await worldAround(claim, (_, options) => options[0] as (typeof options)[number]);
        const told = claim.provenAt && (await world.notice(isContested));
        if (told) reach(told, () => (isContested ? 'contested' : 'no longer contested'), state);
      }
    }
    const kind = kindOf(claim);
    const isFull = !kinds.has(kind);
    kinds.add(kind);
    await everyWay(async choose => {
      const world = await worldAround(claim, choose, { isFull });
      const way = () => wayTo(state, world);
      const found = (what: string) => {
        if (!findings.has(what)) findings.set(what, { what, way: way() });
      };
      const passed = await world.pass();
      passes += 1;
      if (passed.claim?.reason) reasons.add(passed.claim.reason);
      if (passed.claim?.takeover) reasons.add('takeover_announced');
      for (const what of faultsOf(passed, world, claim.status)) found(what);
      if (!passed.claim) return;
      const next = after(passed.claim, world.nowMs() - AT_MS);
      const reached = reach(next, () => describe(world), state);
      const idle =
        reached === state && !isBeingRemoved(claim) ? world.calls.filter(({ isIdle }) => isIdle) : [];
      for (const { what } of idle) found(`asks for what is so already: ${what}`);
      const key = JSON.stringify([reached.key, [...world.chosen].toSorted()]);
      if (world.calls.length === 0 || rested.has(key)) return;
      rested.add(key);
      for (const what of await unrest(world)) found(what);
    }, isFull);
  }
  return { states: [...states.values()], passes, reasons, findings: [...findings.values()] };
}

/** Claims of which the first is walked from in full. */
function kindOf({ status, kind, verifiedAt, issuedAt, switchLater }: Domain): string {
  return [status, kind, verifiedAt === null, issuedAt === null, switchLater].join();
}

/** What passes still do, or change, in a world that stays as it is: the second may finish what the first has begun. */
async function unrest(world: World): Promise<string[]> {
  await world.pass();
  const { claim: settled } = await world.pass();
  const busy = world.calls.map(({ what }) => `never ends to ask for this: ${what}`);
  const { claim } = await world.pass();
  const isSettled =
    JSON.stringify(claim && abstracted(claim)) === JSON.stringify(settled && abstracted(settled));
  return [
    ...(claim && isBeingRemoved(claim) ? [] : busy),
    ...(isSettled ? [] : [`is ${settled?.status} and ${claim?.status} in turn`]),
  ];
}

type Passed = Awaited<ReturnType<World['pass']>>;

function faultsOf({ claim, seconds, isDone, error }: Passed, world: World, before: string): string[] {
  if (error) return [error.message];
  if (!claim || !isDone) return [];
  const { status, reason, nextCheckAt } = claim;
  const isLooked = isDue(claim, 'pass', clockAt(AT_MS + 2 * DAY));
  const isNamed = [reason, seconds, claimEndsAt(claim, CLOCK)].some(each => each != null) || isLooked;
  const isWell = status === 'live' && reason === null;
  return [
    ...(isServed(claim) || isNamed || (status === before && !isInFlow(claim))
      ? []
      : [`${status} without a reason or a time`]),
    ...(isInFlow(claim) && (seconds ?? 0) < 1 ? [`${status} without a wait`] : []),
    ...((seconds === undefined) === (nextCheckAt === null) || !isAttached(claim)
      ? []
      : [`${status}, with a wait that isn't stored`]),
    ...(claim.certificate.requests > MAX_CERTIFICATE_REQUESTS ? ['requests ever more certificates'] : []),
    ...(isWell && nextCheckAt === null ? lacking(claim, world).map(what => `live although ${what}`) : []),
  ];
}

/** What a project may become without a trouble of its live domains. */
const PROJECTS_AS_BEFORE = ['right', 'moved', 'gone', 'free', 'not deployed'];

/** What is wrong with a live domain that says that all is well. Requests that arrive show that its traffic record is right. */
function lacking(claim: Domain, { chosen }: World): string[] {
  const is = (what: string, ...options: readonly unknown[]) => options.includes(chosen.get(what));
  const front = chosen.get('front name') as { isOurs: boolean; certificateArn: string } | null | undefined;
  const mapping = chosen.get('mapping') as { apiId: string } | null | undefined;
  const { edge, visitors } = (chosen.get('reach') ?? {}) as Partial<Observed>;
  const isBlind = edge?.kind === 'unreachable' && visitors?.kind === 'unreachable';
  const isKept =
    isBlind || visitors?.kind === 'unconfirmed' || (visitors?.kind === 'unknown' && claim.isProxied);
  const wanted = is('project', 'moved') ? 'another001' : 'abcdefghij';
  const isProven = is('ownership record', 'ok') || (is('traffic record', 'ok') && claim.kind === 'subdomain');
  const wrong = {
    'the front has no name of it': !front?.isOurs,
    'the front has another certificate': front?.certificateArn !== claim.certificate.arn,
    'it is mapped elsewhere': !is('project', 'gone') && mapping?.apiId !== wanted,
    'its host leads elsewhere': chosen.get('host') === undefined,
    'its certificate is lost or not renewed': !is('certificate', 'ISSUED'),
    'its visitors do not arrive': visitors?.kind !== 'reached' && !isKept,
    'its certificate record is wrong': is('certificate record', 'missing', 'mismatch', 'conflict'),
    'CAA keeps its certificate from being renewed': !is('CAA', 'allowed', 'unknown'),
    'its project is none of PROJECTS_AS_BEFORE': !is('project', ...PROJECTS_AS_BEFORE),
    'its traffic record is missing': is('traffic record', 'missing') && !isKept,
    'nothing proves it':
      !isProven &&
      is('ownership record', 'missing', 'mismatch', 'conflict') &&
      is('traffic record', 'flattened', 'proxied'),
  };
  return Object.entries(wrong).flatMap(([what, isSo]) => (isSo ? [what] : []));
}

function describe({ chosen }: World): string {
  return [...chosen].map(([what, value]) => `${what}: ${JSON.stringify(value)}`).join(', ');
}

function wayTo(state: State | undefined, world?: World): string {
  const before = state
    ? `${wayTo(state.from)}\n  ${state.by} -> ${state.claim.status} ${state.claim.reason}`
    : '';
  return world ? `${before}\n  ${describe(world)}` : before;
}

/** No claim needs more passes in a world that is right. */
const MOST_PASSES = 80;
const DAY_SECONDS = DAY / 1000;
/** An owner asks again where a verification was given up, and where a certificate is lost. */
const MOST_ASKED = 2;
/** One pass leaves to the worker what only that may do. */
const MOST_UNCHANGED = 3;

/** How many passes bring a claim where it is wanted, in a world that was given and stays so; undefined if none do. */
export async function passesTo(
  start: Domain,
  given: Choose,
  isRemoval: boolean,
): Promise<number | undefined> {
  const wanted = isRemoval && !isBeingRemoved(start) ? removed(start) : start;
  const world = await worldAround(wanted ?? start, given);
  world.set('switched', true);
  if (start.takeover) await world.notice(false);
  let [asked, passes, unchanged] = [0, 0, 0];
  while (passes <= MOST_PASSES) {
    const claim = await world.find();
    if (!claim) return passes;
    const isTended = isInFlow(claim) || isAttached(claim);
    const { seconds } = isTended ? await world.pass() : {};
    if (isTended) passes += 1;
    const present = await world.find();
    if (!present || (present.status === 'live' && present.reason === null)) return passes;
    world.later(seconds ?? DAY_SECONDS);
    const isSame = JSON.stringify(abstracted(present)) === JSON.stringify(abstracted(claim));
    unchanged = isSame && !isInFlow(present) ? unchanged + 1 : 0;
    if (isTended && unchanged < MOST_UNCHANGED) continue;
    unchanged = 0;
    const again = isBeingRemoved(present)
      ? removed(present, world.nowMs())
      : verified(present, world.nowMs());
    asked += 1;
    if (!again || asked > MOST_ASKED) return undefined;
    await world.keep({ ...again, revision: present.revision + 1 });
  }
  return undefined;
}
