import { CHALLENGE_LABEL } from '../../shared/domains/dns/required-record.ts';
import { claimOf, type Domain } from '../../shared/domains/life/domain.ts';
import { MANAGED_ZONE, PLATFORM_ZONE, REDIRECTS } from './service.ts';
import { HOUR_MS, MINUTE_MS } from './virtual-time.ts';
import { apiOf, type World } from './world.ts';

/** Something that must never be was. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A resolver may show a record for this long after it was deleted, where the zone's own servers say nothing. */
const LONGEST_MEMORY_MS = HOUR_MS;

/** What must hold at every moment, looked at after everything that happens. */
export class Invariants {
  readonly #world: World;
  /** How often a domain went live. */
  wentLive = 0;
  #version = -1;
  #before = new Map<string, Domain>();
  /** When claims were removed, by their target. */
  readonly #removedAtMs = new Map<string, number>();
  /** Claims whose removal has begun to take things down, and has unmapped them. */
  readonly #takenDown = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    world.gateway.onUnmap = (name, by) => {
      const domain = world.domain(name);
      if (domain?.status === 'removing' && by.name.startsWith('TakeDown')) this.#takenDown.add(domain.target);
    };
  }

  readonly check = (): void => {
    if (this.#version === this.#world.version) return;
    this.#version = this.#world.version;
    const domains = this.#world.domains();
    const now = new Map(domains.map(domain => [domain.domain, domain]));
    for (const domain of domains) {
      const before = this.#before.get(domain.domain);
      if (before?.target !== domain.target) {
        if (before) this.#isGone(before);
        if (domain.status !== 'pending_dns')
          throw new Violation(`${domain.domain} began as ${domain.status}`);
      }
      if (domain !== before) this.#isChanged(domain, before);
      this.#isMappedRightly(domain);
    }
    for (const before of this.#before.values()) {
      if (!now.has(before.domain)) this.#isGone(before);
    }
    this.#before = now;
    this.#isRoutedRightly(domains);
  };

  /** Whoever was told that a domain is removed finds that it is no longer served. */
  isRemoved(name: string): void {
    const domain = this.#world.domain(name);
    if (domain?.status !== 'removing') return;
    const mapping = this.#world.gateway.names.get(name)?.mapping;
    if (mapping && mapping.mappedAtMs <= (this.#removedAtMs.get(domain.target) ?? 0)) {
      throw new Violation(`${name} is served although its removal was answered`);
    }
  }

  #isChanged(domain: Domain, before: Domain | undefined): void {
    const { target, status, attempt } = domain;
    const isSameClaim = before?.target === target;
    if (isSameClaim && attempt < before.attempt) throw new Violation(`${domain.domain} went back an attempt`);
    if (status === 'removing')
      this.#removedAtMs.set(target, this.#removedAtMs.get(target) ?? this.#world.time.nowMs);
    else if (this.#removedAtMs.has(target))
      throw new Violation(`${domain.domain} was removed and is ${status}`);
    const wasLive = isSameClaim && before.status === 'live';
    if (domain.verifiedAt !== null && (!isSameClaim || before.verifiedAt === null)) this.#isProved(domain);
    if (status !== 'live' || wasLive) return;
    this.wentLive += 1;
    this.#isLiveRightly(domain);
  }

  /** Verified only if its owner has said so in DNS, where nobody else can. */
  #isProved({ domain, kind, target, challenge, verifyStartedAt }: Domain): void {
    const { dns } = this.#world;
    const provedAtMs =
      kind === 'apex'
        ? dns.lastSeenMs(`${CHALLENGE_LABEL}.${domain}`, 'TXT', challenge)
        : dns.lastSeenMs(domain, 'CNAME', target);
    const isProved = provedAtMs >= Date.parse(verifyStartedAt ?? '') - LONGEST_MEMORY_MS;
    if (!isProved) throw new Violation(`${domain} is verified, but nothing proved it`);
  }

  /** Live only if it was verified in this attempt, its certificate is issued and it is mapped. */
  #isLiveRightly({ domain, certificate, ...times }: Domain): void {
    const { verifyStartedAt, verifiedAt, liveAt } = times;
    const [started, verified, live] = [verifyStartedAt, verifiedAt, liveAt].map(time =>
      Date.parse(time ?? ''),
    );
    const isInOrder =
      started !== undefined &&
      verified !== undefined &&
      live !== undefined &&
      started <= verified &&
      verified <= live;
    if (!isInOrder) throw new Violation(`${domain} is live, but was not verified in this attempt`);
    const { acm, gateway } = this.#world;
    const arn = certificate.arn ?? '';
    const {
      issuedAtMs = Number.POSITIVE_INFINITY,
      lostAtMs = 0,
      failureReason,
    } = acm.certificates.get(arn) ?? {};
    const nowMs = this.#world.time.nowMs;
    // The last step looks at the certificate, and has a minute from then on.
    const isIssued = issuedAtMs <= nowMs && lostAtMs > nowMs - MINUTE_MS && !failureReason;
    if (!isIssued) throw new Violation(`${domain} is live without a certificate`);
    if (gateway.names.get(domain)?.certificateArn !== arn) {
      throw new Violation(`${domain} is live, but API Gateway has another certificate`);
    }
  }

  #isMappedRightly({ domain, project, status, target }: Domain): void {
    const { gateway, route53 } = this.#world;
    const name = gateway.names.get(domain);
    const mapping = name?.mapping;
    if (status === 'live') {
      if (!mapping) throw new Violation(`${domain} is live, but not mapped`);
      const [{ Value: leadsTo } = {}] =
        route53.find(PLATFORM_ZONE.id, target, 'CNAME')?.ResourceRecords ?? [];
      if (leadsTo !== name.host) throw new Violation(`${domain} is live, but its host leads to ${leadsTo}`);
    }
    if (!mapping) return;
    if (mapping.apiId !== apiOf(project) && mapping.apiId !== REDIRECTS.apiId) {
      throw new Violation(`${domain} belongs to ${project}, but is mapped to ${mapping.apiId}`);
    }
    if (status !== 'removing') return;
    if (this.#takenDown.has(target)) throw new Violation(`${domain} was taken down and is mapped again`);
    const { by, mappedAtMs } = mapping;
    const removedAtMs = this.#removedAtMs.get(target) ?? 0;
    if (mappedAtMs <= removedAtMs) return;
    // Who was at it when the removal came maps once more, and takes it back unless he crashes; then the removal does.
    if (by.startedAtMs > removedAtMs)
      throw new Violation(`${domain} was mapped by ${by.name}, after its removal`);
    if (by.isDone) throw new Violation(`${domain} was left mapped by ${by.name}, in spite of its removal`);
  }

  /** A claim is forgotten only when nothing is left of it. */
  #isGone(domain: Domain): void {
    if (domain.status !== 'removing')
      throw new Violation(`${domain.domain} was ${domain.status} and is forgotten`);
    const left = leftOf(domain, this.#world);
    if (left.length > 0)
      throw new Violation(`${domain.domain} is forgotten, but there is ${left.join(', ')}`);
  }

  #isRoutedRightly(domains: readonly Domain[]): void {
    for (const { id, liveDomains, primary, redirects } of this.#world.projects()) {
      const live = domains.filter(({ project, status }) => project === id && status === 'live');
      const names = live.map(({ domain }) => domain).toSorted();
      if (names.join() !== liveDomains.toSorted().join()) {
        throw new Violation(`${id} has the live domains ${liveDomains}, but live are ${names}`);
      }
      const sources = redirects.map(({ from }) => from);
      const isPrimaryRight =
        primary === null ? names.length === 0 : names.includes(primary) && !sources.includes(primary);
      if (!isPrimaryRight) throw new Violation(`${id} has the primary ${primary} of ${names}`);
      const wrong = redirects.find(
        ({ from, to }) => !names.includes(from) || !names.includes(to) || sources.includes(to),
      );
      if (wrong) throw new Violation(`${id} redirects ${wrong.from} to ${wrong.to} of ${names}`);
    }
  }
}

/** What there still is of a claim, in words. */
function leftOf({ domain, target, managed }: Domain, { acm, gateway, route53 }: World): string[] {
  const claim = claimOf({ target });
  const certificates = [...acm.certificates.values()].filter(({ tags }) =>
    tags.some(({ Value }) => Value === claim),
  );
  return [
    ...certificates.map(({ arn }) => arn),
    ...(gateway.names.has(domain) ? [`the domain name ${domain}`] : []),
    ...(route53.find(PLATFORM_ZONE.id, target, 'CNAME') ? [`the host ${target}`] : []),
    ...managed
      .filter(({ name, type, value }) => {
        const present = route53.find(MANAGED_ZONE.id, name, type);
        return JSON.stringify(present ?? '').includes(value);
      })
      .map(({ name, type }) => `the ${type} record ${name}`),
  ];
}
