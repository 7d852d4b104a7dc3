import { type Actor, HOUR_MS, type ItemWrite } from '../../../infra/local/simulation.ts';
import { type ClaimView, claimIn, keyOf } from '../claims-view.ts';
import type { Environment, ScheduledWork } from '../environment.ts';
import type { World } from '../world.ts';

/** What a run of scheduled work has to notice, or to put right. */
interface Duty {
  readonly work: ScheduledWork;
  readonly isMeant: (claim: ClaimView) => boolean;
  /** What is wrong in the world, whatever the service knows of it. */
  readonly wrong: (claim: ClaimView) => string | undefined;
  /** Whether the service says so. */
  readonly isTold: (claim: ClaimView) => boolean;
}

/**
 * The service knows what it has looked at. When a run of scheduled work has ended that no fault kept from anything, nothing
 * is wrong that was so when it began and that nobody is told of. What somebody else has written meanwhile, or works on, is not judged.
 */
export class ScheduledInvariants {
  readonly #world: World;
  readonly #environment: Environment;
  readonly #duties: readonly Duty[];
  /** Who wrote each claim last. */
  readonly #writers = new Map<string, { readonly by: Actor; readonly atMs: number }>();

  constructor(world: World, environment: Environment) {
    this.#world = world;
    this.#environment = environment;
    const isLive = (claim: ClaimView) => claim.isLive;
    const isReady = ({ status }: ClaimView) => status === 'ready';
    const hasTrouble = ({ reason }: ClaimView) => reason !== null;
    const isAway = ({ hasVisitors }: ClaimView) => !hasVisitors;
    const unreached = (claim: ClaimView) => this.#unreached(claim);
    const adrift = (claim: ClaimView) => {
      const isShown = environment.isMapped(claim)
        ? !environment.isPointed(claim) && this.#isSettled(claim) && !this.#arrivesWithoutHost(claim)
        : !environment.isMappedToOthers(claim);
      return isShown ? 'but its mapping or its host was changed' : undefined;
    };
    // Others than primary domains are looked at every hour.
    const isLookedAt = (claim: ClaimView) => isLive(claim) && this.#isLookedAt(claim);
    const isServing = (claim: ClaimView) => isLookedAt(claim) && claim.hasVisitors;
    this.#duties = [
      { work: 'ReconcileDomains', isMeant: isLookedAt, wrong: unreached, isTold: isAway },
      { work: 'ReconcileDomains', isMeant: isServing, wrong: adrift, isTold: hasTrouble },
      {
        work: 'ReconcileDomains',
        isMeant: ({ lossAtMs }) => lossAtMs !== null,
        wrong: claim =>
          environment.isNoticeOutdated(claim) ? 'but nobody contests the name any more' : undefined,
        isTold: () => false,
      },
      { work: 'ReconcileDomains', isMeant: isReady, wrong: claim => this.#closed(claim), isTold: hasTrouble },
      {
        work: 'ReconcileDomains',
        isMeant: claim => isReady(claim) && this.#isWithoutLook(claim, HOUR_MS),
        wrong: claim => this.#unsupported(claim),
        isTold: hasTrouble,
      },
    ];
    environment.judge = work => this.#judge(work);
  }

  noteWrite({ table, before, after }: ItemWrite, by: Actor): void {
    if (table !== this.#environment.tables.domains) return;
    const claim = claimIn(after ?? before);
    if (!claim) return;
    this.#writers.set(keyOf(claim), { by, atMs: this.#world.time.nowMs });
  }

  /** The judgement of a run that begins now. */
  #judge(work: ScheduledWork): () => void {
    const { actor, nowMs: startedAtMs } = this.#world.time;
    const suspects = this.#duties
      .filter(duty => duty.work === work)
      .flatMap(duty =>
        this.#environment
          .domains()
          .filter(claim => duty.isMeant(claim) && duty.wrong(claim) !== undefined)
          .map(claim => ({ duty, claim })),
      );
    const unavailable = work === 'ReconcileEndpoint' ? this.#unavailableUrls() : [];
    return () => {
      const stillUnavailable = new Set(this.#unavailableUrls());
      for (const host of unavailable) {
        if (stillUnavailable.has(host))
          this.#world.violate(`${host} serves its project, and is not mapped to it after ${actor?.name}`);
      }
      for (const { duty, claim } of suspects) {
        const present = this.#environment.claims().get(keyOf(claim));
        const { by, atMs } = this.#writers.get(keyOf(claim)) ?? { by: actor, atMs: 0 };
        const isOverwritten = by !== actor && atMs >= startedAtMs;
        const isLeft = isOverwritten || this.#environment.isHeld(claim.domain) || present?.isDueAgain;
        if (present?.id !== claim.id || isLeft || !duty.isMeant(present)) continue;
        const wrong = duty.wrong(present);
        if (wrong === undefined || duty.isTold(present)) continue;
        const { domain, status, reason } = present;
        const message = `${domain} is ${status} (${reason ?? 'no trouble'}) after ${actor?.name}, ${wrong}`;
        this.#world.violate(message);
      }
    };
  }

  /** Whether a run looks at a live domain: it's primary, or was not looked at for an hour. */
  #isLookedAt(claim: ClaimView): boolean {
    return this.#environment.isPrimary(claim) || this.#isWithoutLook(claim, HOUR_MS);
  }

  #isWithoutLook({ lookedAtMs }: ClaimView, ms: number): boolean {
    return this.#world.time.nowMs - lookedAtMs >= ms;
  }

  /** The default URLs that serve their projects, and are still mapped to the API of redirects. */
  #unavailableUrls(): string[] {
    const { platformZone } = this.#environment;
    const { certificates, domainNames } = this.#world;
    // Nobody gets anything where its certificate was lost, until another is issued.
    const isServed = (host: string) =>
      certificates.find(domainNames.find(host)?.certificateArn ?? '')?.status === 'ISSUED';
    return this.#environment
      .destinations()
      .filter(({ host, destination }) => destination === 'its project' && host.endsWith(platformZone.name))
      .map(({ host }) => host)
      .filter(isServed);
  }

  /** Whether resolvers can't have anything older of a claim than DNS has. */
  #isSettled({ domain, target }: ClaimView): boolean {
    return [domain, target].every(name => this.#world.dns.isSettled(name));
  }

  #unreached(claim: ClaimView): string | undefined {
    const { kind } = this.#world.visitorsOf(claim.domain);
    if (['reached', 'unknown', 'unconfirmed'].includes(kind) || !this.#isSettled(claim)) return undefined;
    return `but its visitors get ${kind}`;
  }

  /** An alias in a zone of ours leads past the host, so requests don't show that it's gone: the daily look does. */
  #arrivesWithoutHost({ domain }: ClaimView): boolean {
    return this.#world.visitorsOf(domain).kind === 'reached';
  }

  #closed(claim: ClaimView): string | undefined {
    const environment = this.#environment;
    const isSeen = !environment.isInPlace(claim) && !environment.isMappedToOthers(claim);
    return isSeen ? 'but API Gateway does not serve it' : undefined;
  }

  #unsupported(claim: ClaimView): string | undefined {
    const { dns } = this.#world;
    if (!this.#isSettled(claim)) return undefined;
    if (dns.failureOf(claim.domain)) return undefined;
    const txt = claim.recordsWith([]).find(({ type }) => type === 'TXT');
    if (txt && !dns.isStanding(txt.name, 'TXT', txt.value, 0)) return 'but its TXT record is gone';
    return this.#world.isForbidden(claim.domain) ? 'but CAA forbids its certificate' : undefined;
  }
}
