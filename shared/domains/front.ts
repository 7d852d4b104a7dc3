import type { Domain } from './life/domain.ts';

/**
 * What serves custom domains over HTTPS: a domain is attached with its certificate, routed to an API, and detached. The one
 * implementation uses API Gateway's domain names (aws/gateway-domains.ts); README.md says what another would take.
 *
 * Others in the account may have domains there, too: only what this environment attached for the claim is ever changed. Every
 * call is idempotent. `attach` and `detach` may have to wait for their turn, and then say until when.
 */
export interface Front {
  /** Whether the front has a domain that this environment did not attach. */
  isForeign(name: string): Promise<boolean>;
  find(claim: FrontClaim): Promise<AttachedDomain | undefined>;
  /** Attaches the domain, or gives it this certificate; throws FrontRefused, AttachedByOthers. */
  attach(claim: FrontClaim, certificateArn: string, ticket?: Ticket): Promise<Later | undefined>;
  /** Whether there's an API with this stage to route domains to. */
  hasStage(apiStage: ApiStage): Promise<boolean>;
  routeOf(claim: FrontClaim): Promise<ApiStage | undefined>;
  /** Routes the domain; throws AttachedByOthers, NotAttached, ApiUnknown. */
  route(claim: FrontClaim, apiStage: ApiStage): Promise<void>;
  /** Deletes the route of a domain if it's ours: it's no longer served. */
  unroute(claim: FrontClaim): Promise<void>;
  /** Detaches the domain if it is ours. */
  detach(claim: FrontClaim, ticket?: Ticket): Promise<Later | undefined>;
}

/** What an earlier call gave out for the next one; null at first. */
export type Ticket = string | null;

/** It isn't a change's turn yet: ask again then. `isBusy`: it was its turn, but the front took no change. */
export interface Later {
  readonly kind: 'later';
  readonly atMs: number;
  readonly ticket: string;
  readonly isBusy: boolean;
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

/** The front doesn't have the domain, so it can't be routed. */
export class NotAttached extends Error {
  override readonly name = 'NotAttached';
}

/** There is no such API, or the API has no such stage. */
export class ApiUnknown extends Error {
  override readonly name = 'ApiUnknown';
}

/** Whether routing a domain again won't help: only a verification, or a deploy of its API, does. */
export function isUnroutable(error: unknown): boolean {
  return error instanceof NotAttached || error instanceof AttachedByOthers || error instanceof ApiUnknown;
}
