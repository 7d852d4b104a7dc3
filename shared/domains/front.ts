import type { Domain } from './life/domain.ts';

/**
 * What serves custom domains over HTTPS: a domain is attached with its certificate, routed to an API, and detached. One
 * implementation is there, domain names of API Gateway (aws/gateway-domains.ts); README.md says what another would take.
 *
 * Others of the account may have domains there, too: what was not attached for the claim, by this environment, is never
 * changed. Every call is idempotent. `attach` and `detach` need a slot, and throw FrontBusy without one.
 */
export interface Front {
  /** Books a change: the last that the front takes or, ahead, the first, which moves those that are not booked ahead. */
  bookSlot(options?: { readonly isAhead: boolean }): Promise<Slot>;
  /** The time of a slot that was not booked ahead, as it is now. */
  timeOfSlot(queuedAtMs: number): Promise<number>;
  /** Throws FrontFull while the front is known to be full; one of the domains that ask is let through now and then. */
  requireRoom(domain: string): Promise<void>;
  /** Whether the front has a domain that this environment did not attach. */
  isForeign(name: string): Promise<boolean>;
  find(claim: FrontClaim): Promise<AttachedDomain | undefined>;
  /** Attaches the domain, or gives it this certificate; throws FrontBusy, FrontRefused, AttachedByOthers. */
  attach(claim: FrontClaim, certificateArn: string): Promise<AttachedDomain>;
  /** Whether there is an API with this stage, which domains can be routed to. */
  hasStage(apiStage: ApiStage): Promise<boolean>;
  routeOf(claim: FrontClaim): Promise<ApiStage | undefined>;
  /** Routes the domain; throws AttachedByOthers, NotAttached, ApiUnknown. */
  route(claim: FrontClaim, apiStage: ApiStage): Promise<void>;
  /** Deletes the route of a domain that is ours: it is no longer served. */
  unroute(claim: FrontClaim): Promise<void>;
  /** Detaches the domain if it is ours; throws FrontBusy. */
  detach(claim: FrontClaim): Promise<void>;
}

/** A change that is booked: its time, and its place in the queue, which stays when others are booked ahead; milliseconds. */
export interface Slot {
  readonly atMs: number;
  readonly queuedAtMs: number;
}

/** The claim that a domain is attached for: a custom domain's, or that of default URLs. */
export type FrontClaim = Pick<Domain, 'domain' | 'target'>;

/** An attached domain: the host that serves it, with its zone, and the certificate it has. */
export interface AttachedDomain {
  readonly host: string;
  readonly hostedZoneId: string;
  readonly certificateArn: string;
  /** Whether its tags prove that it was attached for this claim, by this environment. */
  readonly isOurs: boolean;
}

/** The API and stage that a domain is routed to. */
export interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
}

export function isSameRoute(one: ApiStage | undefined, other: ApiStage | undefined): boolean {
  return one?.apiId === other?.apiId && one?.stage === other?.stage;
}

/** The front takes no change at the moment: book another slot. */
export class FrontBusy extends Error {
  override readonly name = 'FrontBusy';
}

/** The front rejects the domain; the message is its own. It may accept it later, as certificates spread. */
export class FrontRefused extends Error {
  override readonly name = 'FrontRefused';
}

/** The account has as many domains as it may have. */
export class FrontFull extends FrontRefused {}

/** Another account has the domain. */
export class FrontTaken extends FrontRefused {}

/** The domain belongs to another environment, team or claim. It was not changed. */
export class AttachedByOthers extends Error {
  override readonly name = 'AttachedByOthers';
}

/** The front does not have the domain, so it cannot be routed. */
export class NotAttached extends Error {
  override readonly name = 'NotAttached';
}

/** There is no such API, or the API has no such stage. */
export class ApiUnknown extends Error {
  override readonly name = 'ApiUnknown';
}

/** Whether routing a domain again would not help: only a verification, or a deploy of its API, does. */
export function isUnroutable(error: unknown): boolean {
  return error instanceof NotAttached || error instanceof AttachedByOthers || error instanceof ApiUnknown;
}
