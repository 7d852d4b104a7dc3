import {
  type Actor,
  type Call,
  type Certificate,
  HOUR_MS,
  MINUTE_MS,
  regionalDomainName,
  validationOf,
} from '../../../infra/local/simulation.ts';
import { CLAIM_TAG, ENVIRONMENT_TAG } from '../../../shared/aws/ownership-tags.ts';
import { CHALLENGE_LABEL } from '../../../shared/domains/dns/required-record.ts';
import { type ClaimView, may } from '../claims-view.ts';
import type { Environment, RoutedProject } from '../environment.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import type { World } from '../world.ts';

/** An invariant was violated: a state was reached that must never exist. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A resolver may cache a record for this long after it was deleted, and serve it while the zone's servers fail. */
const RESOLVER_CACHE_MS = HOUR_MS;

/** A claim that nobody has proven ends after 30 days, but for the time that storms keep the reconcile from it. */
const UNPROVEN_CLAIM_MS = 30 * 24 * HOUR_MS + 8 * HOUR_MS;

/** The invariants of an environment: what holds after every event of a run. */
export class Invariants {
  readonly #world: World;
  readonly #environment: Environment;
  /** How often a domain went live. */
  wentLive = 0;
  #version = -1;
  #previous: ReadonlyMap<string, ClaimView> = new Map();
  /** The projects, and the claims, for which the routing was checked. */
  #routed: readonly unknown[] = [];
  /** When the removal of a claim started, by the claim's id. */
  readonly #removalStartedAtMs = new Map<string, number>();
  /** Who has mapped each name last. */
  readonly #mapped = new Map<string, { readonly by: Actor; readonly atMs: number }>();
  /** The ids of claims that a removal has unmapped. */
  readonly #unmapped = new Set<string>();

  constructor(world: World, environment: Environment) {
    this.#world = world;
    this.#environment = environment;
  }

  /** Notes who maps a name, and who has requested that it's unmapped. */
  noteCall({ operation, input, actor: by }: Call, when: 'before' | 'after'): void {
    const { domainName: name = '' } = input as { domainName?: string };
    if (operation === 'DeleteBasePathMapping' && when === 'before') {
      const isOfThis = by.purpose.environment === this.#environment.name;
      const domain = isOfThis ? this.#environment.domain(name) : undefined;
      const removalStartedAtMs = this.#removalStartedAtMs.get(domain?.id ?? '') ?? Number.POSITIVE_INFINITY;
      const isOfRemoval = may.takeDown(by) && by.startedAtMs > removalStartedAtMs;
      if (domain?.isBeingRemoved && isOfRemoval) this.#unmapped.add(domain.id);
    }
    if (/^(Create|Update)BasePathMapping$/.test(operation) && when === 'after') {
      this.#mapped.set(name, { by, atMs: this.#world.time.nowMs });
    }
  }

  readonly check = (): void => {
    if (this.#version === this.#world.version) return;
    this.#version = this.#world.version;
    const claims = this.#environment.claims();
    const hasChanged = claims !== this.#previous;
    for (const [key, domain] of claims) {
      if (hasChanged) this.#checkSuccession(domain, this.#previous.get(key) ?? this.#movedFrom(domain));
      this.#checkMapping(domain);
      this.#checkAge(domain);
    }
    if (hasChanged) {
      for (const [key, before] of this.#previous) {
        const isMoved = [...claims.values()].some(({ id }) => id === before.id);
        if (!claims.has(key) && !isMoved) this.#checkForgotten(before);
      }
    }
    this.#previous = claims;
    this.#checkDestinations();
    const projects = this.#environment.projects();
    if (this.#routed[0] === projects && this.#routed[1] === claims) return;
    this.#routed = [projects, claims];
    const claimsOf = Map.groupBy(claims.values(), ({ project }) => project);
    for (const project of projects) checkRouting(project, claimsOf.get(project.id) ?? []);
  };

  /** The claim of another project that this one was before. */
  #movedFrom({ domain, id, project }: ClaimView): ClaimView | undefined {
    return [...this.#previous.values()].find(
      before => before.domain === domain && before.id === id && before.project !== project,
    );
  }

  /** A claim follows from the one that the key had before. */
  #checkSuccession(domain: ClaimView, before: ClaimView | undefined): void {
    if (domain === before) return;
    if (before?.id !== domain.id) {
      if (before) this.#checkForgotten(before);
      if (domain.status !== 'pending_dns') throw new Violation(`${domain.domain} began as ${domain.status}`);
    }
    this.#checkChange(domain, before);
  }

  /** A domain is no longer served once its removal was acknowledged. */
  checkAcknowledgedRemoval(name: string, project: string): void {
    const domain = this.#environment.domain(name, project);
    if (!domain?.isBeingRemoved) return;
    const mapping = this.#environment.nameOf(domain)?.mapping;
    const { atMs = 0 } = this.#mapped.get(name) ?? {};
    if (mapping && atMs <= (this.#removalStartedAtMs.get(domain.id) ?? 0)) {
      throw new Violation(`${name} is served although its removal was acknowledged`);
    }
  }

  /** A generation never decreases, a removal is never undone, and what is verified or live has met the conditions. */
  #checkChange(domain: ClaimView, before: ClaimView | undefined): void {
    const { id, status, generation } = domain;
    const isSameClaim = before?.id === id;
    if (isSameClaim && generation < before.generation)
      throw new Violation(`${domain.domain} went back a generation`);
    if (domain.isBeingRemoved)
      this.#removalStartedAtMs.set(id, this.#removalStartedAtMs.get(id) ?? this.#world.time.nowMs);
    else if (this.#removalStartedAtMs.has(id))
      throw new Violation(`${domain.domain} was removed and is ${status}`);
    const wasLive = isSameClaim && before.isLive;
    if (domain.verifiedAtMs !== null && (!isSameClaim || before.verifiedAtMs === null))
      this.#checkProof(domain);
    const isStuck = status === 'failed' || domain.isStalled;
    if (isStuck && !domain.namesNextStep)
      throw new Violation(`${domain.domain} is ${status}, and nobody knows what to do: ${domain.message}`);
    if (!domain.isLive || wasLive) return;
    this.wentLive += 1;
    this.#checkWentLive(domain);
  }

  /** A domain is verified only if a record that proves its ownership was in DNS. */
  #checkProof({ domain, isApex, target, challenge, verifyAskedAtMs }: ClaimView): void {
    const { dns } = this.#world;
    const provenAtMs = Math.max(
      dns.lastSeenMs(`${CHALLENGE_LABEL}.${domain}`, 'TXT', challenge),
      isApex ? Number.NEGATIVE_INFINITY : dns.lastSeenMs(domain, 'CNAME', target),
    );
    const isProven = provenAtMs >= (verifyAskedAtMs ?? Number.POSITIVE_INFINITY) - RESOLVER_CACHE_MS;
    if (!isProven) throw new Violation(`${domain} is verified, but nothing proved it`);
  }

  /** A domain goes live only if it was verified in this attempt and API Gateway has its issued certificate. */
  #checkWentLive({ domain, certificateArn: arn, ...times }: ClaimView): void {
    const { verifyAskedAtMs, verifiedAtMs, liveAtMs } = times;
    const [asked, verified, live] = [verifyAskedAtMs, verifiedAtMs, liveAtMs].map(
      time => time ?? Number.NaN,
    ) as [number, number, number];
    if (!(asked <= verified && verified <= live))
      throw new Violation(`${domain} is live, but was not verified in this attempt`);
    const { certificates, domainNames } = this.#world;
    const certificate = certificates.find(arn);
    const nowMs = this.#world.time.nowMs;
    // The last step checks the certificate and may take up to its timeout of a minute after that.
    const isIssued = certificate?.issued && lostAtMs(certificate) > nowMs - MINUTE_MS;
    if (!isIssued) throw new Violation(`${domain} is live without a certificate`);
    if (domainNames.find(domain)?.certificateArn !== arn) {
      throw new Violation(`${domain} is live, but API Gateway has another certificate`);
    }
    const reachedAtMs = this.#world.reachedAtMs.get(domain) ?? Number.NEGATIVE_INFINITY;
    if (reachedAtMs < nowMs - MINUTE_MS) throw new Violation(`${domain} is live, but was not reached`);
  }

  /** A claim that nobody has proven ends, however often its owner asks for a look: only operators lengthen it. */
  #checkAge({ domain, status, provenAtMs, addedAtMs, isBeingRemoved }: ClaimView): void {
    if (provenAtMs !== null || isBeingRemoved) return;
    const verifiedAtMs = this.#environment.verifiedAtMs.get(domain) ?? 0;
    const ageMs = this.#world.time.nowMs - Math.max(verifiedAtMs, addedAtMs);
    if (ageMs > UNPROVEN_CLAIM_MS) throw new Violation(`${domain} is ${status}, but should have ended`);
  }

  /**
   * A live domain is its project's own, is mapped, and its host points at API Gateway; a mapping leads only to the project
   * that owns the name.
   */
  #checkMapping(claim: ClaimView): void {
    const { domain, project, target, id, isAttached, isBeingRemoved, formerProjects } = claim;
    const { platformZone, redirectApi } = this.#environment;
    const name = this.#environment.nameOf(claim);
    if (this.#environment.ownerOf(domain) !== project) {
      if (isAttached)
        throw new Violation(`${domain} is ${claim.status} for ${project}, which has not proven it`);
      // What was taken over is taken down.
      if (isBeingRemoved) return;
      if (name) throw new Violation(`${domain} was created for ${project}, which has not proven it`);
      return;
    }
    const mapping = name?.mapping;
    const { tampered } = this.#world;
    if (tampered.has(domain) && this.#environment.isRouted(claim)) tampered.delete(domain);
    const isTampered = isAttached && tampered.has(domain);
    if (isAttached && !isTampered) {
      if (!mapping) throw new Violation(`${domain} is ${claim.status}, but not mapped`);
      const [pointsAt] = this.#world.route53.find(platformZone.id, target, 'CNAME')?.values ?? [];
      if (pointsAt !== regionalDomainName(name)) {
        throw new Violation(`${domain} is ${claim.status}, but its host leads to ${pointsAt}`);
      }
    }
    if (!mapping || isTampered) return;
    // A domain that was moved is served by its former project until its mapping is changed, which is pending, or deleted.
    const isMoving = isBeingRemoved || this.#environment.pendingMappings().includes(domain);
    const former = isMoving ? formerProjects : [];
    const projects = [project, ...former].map(each => this.#environment.apiOf(each));
    if (!projects.includes(mapping.restApiId) && mapping.restApiId !== redirectApi) {
      throw new Violation(`${domain} belongs to ${project}, but is mapped to ${mapping.restApiId}`);
    }
    if (!isBeingRemoved) return;
    const mapped = this.#mapped.get(domain);
    const removalStartedAtMs = this.#removalStartedAtMs.get(id) ?? 0;
    // A request of a step from before may still arrive after the end of that step. The removal deletes what it maps.
    const isLate =
      mapped &&
      mapped.by.startedAtMs <= removalStartedAtMs &&
      mapped.atMs > (mapped.by.diedAtMs ?? Number.POSITIVE_INFINITY);
    if (this.#unmapped.has(id) && !isLate)
      throw new Violation(`${domain} was taken down and is mapped again`);
    if (!mapped || mapped.atMs <= removalStartedAtMs) return;
    const { by, atMs: mappedAtMs } = mapped;
    // A step that was running when the removal started may still map the domain. It deletes the mapping before it ends;
    // if it crashes, if DynamoDB does not say afterwards that the domain is removed, or if an attempt that it gave up on takes
    // effect after its end, the removal deletes the mapping.
    if (by.startedAtMs > removalStartedAtMs)
      throw new Violation(`${domain} was mapped by ${by.name}, after its removal`);
    const isUninformed = by.gaveUpAtMs !== undefined && by.gaveUpAtMs > mappedAtMs;
    if (by.isDone && !isUninformed && mappedAtMs < (by.diedAtMs ?? 0))
      throw new Violation(`${domain} was left mapped by ${by.name}, in spite of its removal`);
  }

  /** No default URL and no redirect leads to a domain whose visitors are known to arrive elsewhere. */
  #checkDestinations(): void {
    for (const { host, destination } of this.#environment.destinations()) {
      if (destination === 'its project') continue;
      const target = this.#environment.domain(destination.to);
      if (target?.isLive && !target.hasVisitors)
        throw new Violation(
          `${host} leads to ${destination.to}, whose visitors are known to arrive elsewhere`,
        );
    }
  }

  /** A claim is forgotten only by its removal, and only when no resource of it is left. */
  #checkForgotten(domain: ClaimView): void {
    this.#removalStartedAtMs.delete(domain.id);
    this.#unmapped.delete(domain.id);
    if (!domain.isBeingRemoved || domain.isStalled)
      throw new Violation(`${domain.domain} was ${domain.status} and is forgotten`);
    const left = resourcesOf(domain, this.#world, this.#environment);
    if (left.length > 0)
      throw new Violation(`${domain.domain} is forgotten, but there is ${left.join(', ')}`);
  }
}

/**
 * A project routes exactly its live domains. Its roles are those of its own domains: one is the primary, which does not
 * redirect, and redirects lead to others without chains.
 */
function checkRouting(
  { id, plan, liveDomains, primary, redirects }: RoutedProject,
  domains: readonly ClaimView[],
): void {
  if (plan === 'free' && domains.length > 0) throw new Violation(`${id} is on the plan free and has domains`);
  const live = domains.filter(({ isLive }) => isLive);
  const names = live.map(({ domain }) => domain).toSorted();
  if (names.join() !== liveDomains.toSorted().join()) {
    throw new Violation(`${id} has the live domains ${liveDomains}, but live are ${names}`);
  }
  const own = domains.filter(({ isBeingRemoved }) => !isBeingRemoved).map(({ domain }) => domain);
  const sources = redirects.map(({ from }) => from);
  const isPrimaryRight =
    primary === null
      ? names.every(name => sources.includes(name))
      : own.includes(primary) && !sources.includes(primary);
  if (!isPrimaryRight) throw new Violation(`${id} has the primary ${primary} of ${names}`);
  const wrong = redirects.find(
    ({ from, to }) => !own.includes(from) || !own.includes(to) || sources.includes(to),
  );
  if (wrong) throw new Violation(`${id} redirects ${wrong.from} to ${wrong.to} of ${names}`);
}

/** When an issued certificate expired or was revoked; infinity if it did not. */
function lostAtMs({ status, issued, revokedAtMs }: Certificate): number {
  if (status === 'ISSUED') return Number.POSITIVE_INFINITY;
  return revokedAtMs ?? issued?.notAfterMs ?? 0;
}

/** The resources of a claim that exist, in words. */
function resourcesOf(
  { id: claim, domain, target, managed }: ClaimView,
  { certificates: all, domainNames, route53, sharedValidations }: World,
  service: Environment,
): string[] {
  const { name: environment, platformZone } = service;
  const inherited = (service.domain(domain)?.managed ?? []).map(({ name }) => name);
  const certificates = all.list().filter(({ tags }) => tags[CLAIM_TAG] === claim);
  const isNeeded = (record: string) =>
    all
      .list()
      .some(
        ({ names: [certified = ''], tags }) =>
          validationOf(certified).name === record && tags[ENVIRONMENT_TAG] !== environment,
      );
  return [
    ...certificates.map(({ arn }) => arn),
    ...(domainNames.find(domain)?.tags[CLAIM_TAG] === claim ? [`the domain name ${domain}`] : []),
    ...(route53.find(platformZone.id, target, 'CNAME') ? [`the host ${target}`] : []),
    ...managed
      // ACM asks for the same record for all certificates of a name in the account, so those of others keep it.
      // A name that was taken over keeps it for its new owner.
      .filter(({ name }) => !sharedValidations.has(name) && !isNeeded(name) && !inherited.includes(name))
      .filter(({ name, type, value }) => {
        const existing = route53.find(MANAGED_ZONE.id, name, type);
        return JSON.stringify(existing ?? '').includes(value);
      })
      .map(({ name, type }) => `the ${type} record ${name}`),
  ];
}
