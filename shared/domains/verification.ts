import {
  CERTIFICATE_DEADLINE_HOURS,
  CERTIFICATE_EXPLANATION_MINUTES,
  DNS_DEADLINE_HOURS,
  waitSeconds,
} from './backoff.ts';
import { checkCaa } from './caa.ts';
import { type Certificates, FAILED_CERTIFICATES } from './certificates.ts';
import { checkDns, type Places } from './check-dns.ts';
import type { CheckedRecord } from './check-record.ts';
import { type Domain, withHistory } from './domain.ts';
import { type DomainStore, Superseded } from './domain-store.ts';
import type { GatewayDomains } from './gateway-domains.ts';
import type { PlatformZone } from './platform-zone.ts';
import { wantedRecords } from './wanted-record.ts';

/** What a state machine hands from step to step. */
export interface Attempt {
  readonly domain: string;
  readonly attempt: number;
}

/** What a step tells its state machine: go on, come again after a while, or stop. */
export interface StepResult extends Attempt {
  readonly outcome: 'done' | 'waiting' | 'ended';
  readonly waitSeconds: number;
}

export interface VerificationParts {
  readonly store: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly places: (registrable: string) => Promise<Places>;
  /** Where a project is published. */
  readonly publicationOf: (project: string) => Promise<{ apiId: string; stage: string } | undefined>;
  /** Makes a domain that has gone live the primary one of its project, if that has none. */
  readonly ensurePrimary: (project: string, domain: string) => Promise<void>;
  readonly now: () => number;
}

const HOUR_MS = 60 * 60 * 1000;

/** The steps from verify to live. Each may run twice, and ends quietly when its attempt is over. */
export function verification(parts: VerificationParts) {
  const { store, certificates, gateway, zone, places, now } = parts;
  const time = () => new Date(now()).toISOString();

  /** Runs a step on the domain as it is, unless another attempt or the removal has overtaken it. */
  const step =
    (
      work: (
        domain: Domain,
      ) => Promise<{ domain: Domain; outcome: StepResult['outcome']; waitSeconds?: number }>,
    ) =>
    async ({ domain: name, attempt }: Attempt): Promise<StepResult> => {
      const ended = { domain: name, attempt, outcome: 'ended', waitSeconds: 0 } as const;
      const domain = await store.find(name);
      if (!domain || domain.attempt !== attempt) return ended;
      try {
        const result = await work(domain);
        await store.save(result.domain);
        return { domain: name, attempt, outcome: result.outcome, waitSeconds: result.waitSeconds ?? 0 };
      } catch (error) {
        if (error instanceof Superseded) return ended;
        throw error;
      }
    };

  const wait = (domain: Domain, seconds: number, news: Partial<Domain>) => ({
    domain: noted({
      ...domain,
      ...news,
      rounds: domain.rounds + 1,
      nextCheckAt: new Date(now() + seconds * 1000).toISOString(),
    }),
    outcome: 'waiting' as const,
    waitSeconds: seconds,
  });

  const end = (domain: Domain, reason: string, message: string) => ({
    domain: noted({ ...domain, status: 'failed', reason, message, nextCheckAt: null }),
    outcome: 'ended' as const,
  });

  const noted = (domain: Domain) => withHistory(domain, time(), `${domain.status}: ${domain.message}`);

  const seen = async (domain: Domain): Promise<Domain> => {
    const { arn } = domain.certificate;
    const view = arn === null ? undefined : await certificates.view(arn);
    const certificate = view
      ? { ...domain.certificate, ...view, validation: view.validation ?? domain.certificate.validation }
      : domain.certificate;
    const claim = { ...domain, validation: certificate.validation };
    const records = await checkDns(
      wantedRecords(claim),
      domain.registrable,
      await places(domain.registrable),
    );
    return {
      ...domain,
      certificate,
      records: records.map(record => ({ ...record, observed: [...record.observed] })),
    };
  };

  return {
    /** Done when DNS says, everywhere, that the domain is meant to be here and is the claimant's. */
    checkDns: step(async before => {
      const domain = await seen(before);
      const open = domain.records.find(({ purpose, state }) => purpose !== 'certificate' && state !== 'ok');
      if (!open) {
        const message =
          'The domain points here. Its certificate is being issued, usually within a couple of minutes.';
        const verified = {
          ...domain,
          status: 'issuing',
          reason: null,
          message,
          verifiedAt: time(),
          rounds: 0,
        } as const;
        return { domain: noted({ ...verified, nextCheckAt: null }), outcome: 'done' };
      }
      const startedMs = Date.parse(domain.verifyStartedAt ?? domain.createdAt);
      if (now() - startedMs > DNS_DEADLINE_HOURS * HOUR_MS) {
        return end(
          domain,
          reasonOf(open),
          `Not verified within ${DNS_DEADLINE_HOURS} hours. ${open.action} Then verify again.`,
        );
      }
      const seconds = waitSeconds(domain.rounds);
      return wait(domain, seconds, {
        status: 'verifying',
        reason: reasonOf(open),
        message: open.action ?? '',
      });
    }),

    /** Done when the certificate is issued. After half an hour it says what keeps it. */
    checkCertificate: step(async before => {
      const domain = await seen(before);
      const { status, failure } = domain.certificate;
      if (status === 'ISSUED') {
        return {
          domain: noted({ ...domain, rounds: 0, reason: null, message: 'The certificate is issued.' }),
          outcome: 'done',
        };
      }
      if (status === null || FAILED_CERTIFICATES.includes(status)) {
        const why = failure ?? status ?? 'it is gone';
        return end(
          domain,
          'certificate_failed',
          `The certificate was not issued (${why}). Verify again to request a new one.`,
        );
      }
      const waitedMs = now() - Date.parse(domain.verifiedAt ?? domain.createdAt);
      if (waitedMs > CERTIFICATE_DEADLINE_HOURS * HOUR_MS) {
        return end(
          domain,
          'certificate_timeout',
          'The certificate was not issued within 72 hours. Verify again to request a new one.',
        );
      }
      const isLate = waitedMs > CERTIFICATE_EXPLANATION_MINUTES * 60 * 1000;
      return wait(domain, waitSeconds(domain.rounds), isLate ? await explain(domain, parts) : {});
    }),

    /** Done when the domain is served: domain name, mapping, and the platform's host leading to them. */
    attach: step(async domain => {
      const publication = await parts.publicationOf(domain.project);
      if (!publication) return end(domain, 'project_gone', `There is no project ${domain.project} any more.`);
      const { arn } = domain.certificate;
      let host = await gateway.hostOf(domain.domain);
      if (host === undefined) {
        const waitMs = await store.takeSlot(now());
        if (waitMs > 0)
          return wait(domain, Math.ceil(waitMs / 1000), { message: 'Waiting for its turn at API Gateway.' });
        host = await gateway.create(domain.domain, arn ?? '');
      }
      await gateway.map(domain.domain, publication.apiId, publication.stage);
      const isStillOurs = (await store.find(domain.domain))?.attempt === domain.attempt;
      if (!isStillOurs) {
        await gateway.unmap(domain.domain);
        throw new Superseded(`${domain.domain} was overtaken while it was attached.`);
      }
      await zone.pointAt(domain.target, host);
      await parts.ensurePrimary(domain.project, domain.domain);
      const message = `https://${domain.domain} is live. Keep the records: the certificate is renewed by them.`;
      const live = {
        ...domain,
        status: 'live',
        reason: null,
        message,
        pointsAt: host,
        liveAt: time(),
        nextCheckAt: null,
      } as const;
      return { domain: noted(live), outcome: 'done' };
    }),

    /** What went wrong in a step that could not be repaired by trying again. */
    recordFailure: step(async domain =>
      end(
        domain,
        'internal_error',
        'Something went wrong on our side. Verify again; if it happens again, tell us.',
      ),
    ),
  };
}

/** Why a certificate keeps one waiting: the domain no longer verifies, its validation record, or a CAA record. */
async function explain(domain: Domain, { places }: VerificationParts): Promise<Partial<Domain>> {
  const open = domain.records.find(({ state }) => state !== 'ok');
  if (open) return { reason: reasonOf(open), message: `The certificate waits for a record. ${open.action}` };
  const { authoritative, resolvers } = await places(domain.registrable);
  const lookup = authoritative ?? resolvers[0];
  const caa = lookup && (await checkCaa(domain.domain, lookup));
  if (caa?.kind === 'blocked') {
    return {
      reason: 'caa_blocked',
      message: `The CAA record at ${caa.at} (${caa.record}) forbids Amazon to issue the certificate. Add: ${caa.add}`,
    };
  }
  const message =
    'The certificate takes longer than usual. All records are right; verify again to trigger a new attempt.';
  return { reason: 'certificate_delayed', message };
}

function reasonOf({ purpose, state }: Pick<CheckedRecord, 'purpose' | 'state'>): string {
  return `${purpose}_record_${state}`;
}
