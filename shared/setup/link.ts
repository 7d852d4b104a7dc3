import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Domain } from '../domains/life/domain.ts';

/**
 * The link to the page for the owner of a domain. Whoever has it sees what the domain needs, and may ask for a look. It is
 * computed from a secret of the claim, so it is stored nowhere; it ends after some days, with the claim, or when that secret is
 * replaced.
 */
type Linked = Pick<Domain, 'domain' | 'linkKey'>;
type WithKey = Linked & { readonly linkKey: string };

const SETUP_PATH = '/setup';

/** The path of these pages at the API. */
export const SETUP_ROUTE = `${SETUP_PATH}/{domain}/{key}` as const;

/** For how long a link works, besides the day on which it is made. */
export const LINK_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;
/** 162 bits. */
const PROOF_LENGTH = 27;
/** The names of claims, which have no capitals. Anything else is not worth a look at the table. */
const NAME = /^[a-z0-9.-]{1,253}$/;
const KEY = /^[\w-]{27}[0-9a-z]{1,6}$/;

/** The secret of a claim: 128 random bits. */
export function newLinkKey(): string {
  return randomBytes(16).toString('base64url');
}

/** The link as it is all day, as a path at the API, and until when it works. */
export function linkOf(claim: WithKey, nowMs: number): { readonly path: string; readonly untilMs: number } {
  const lastDay = dayOf(nowMs) + LINK_DAYS;
  return { path: `${SETUP_PATH}/${claim.domain}/${keyOf(claim, lastDay)}`, untilMs: (lastDay + 1) * DAY_MS };
}

/** Whether a link may be one of ours, by its form. */
export function isLinkLike(domain: string, key: string): boolean {
  return NAME.test(domain) && KEY.test(key);
}

/** The claim whose link has this key, among the claims of its name, as long as the link works. */
export function claimOfLink<Claim extends Linked>(
  claims: readonly Claim[],
  key: string,
  nowMs: number,
): Claim | undefined {
  const lastDay = Number.parseInt(key.slice(PROOF_LENGTH), 36);
  if (!KEY.test(key) || lastDay < dayOf(nowMs)) return undefined;
  const hasKey = (claim: Claim): claim is Claim & WithKey => claim.linkKey !== undefined;
  return claims.filter(hasKey).find(claim => isSame(keyOf(claim, lastDay), key));
}

/** The day is last: programs that find links in a text leave an underscore or a hyphen at the end out. */
function keyOf({ domain, linkKey }: WithKey, lastDay: number): string {
  const proof = createHmac('sha256', linkKey).update(`${domain}\n${lastDay}`).digest('base64url');
  return `${proof.slice(0, PROOF_LENGTH)}${lastDay.toString(36)}`;
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Compares without telling by the time that it takes how much is right. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
