import { CERTIFICATE_DEADLINE_HOURS, DNS_DEADLINE_HOURS } from './backoff.ts';
import type { Domain } from './domain.ts';
import { wantedRecords } from './wanted-record.ts';

const HOUR_MS = 60 * 60 * 1000;

/** What operators are shown of a domain, in every answer the same. */
export function report(domain: Domain, primary: string | null) {
  const claim = { ...domain, validation: domain.certificate.validation };
  const records = wantedRecords(claim).map(wanted => {
    const seen = domain.records.find(
      ({ purpose, name }) => purpose === wanted.purpose && name === wanted.name,
    );
    const action = `Create a ${wanted.type} record at ${wanted.name} with the value ${wanted.value}.`;
    return seen ?? { ...wanted, state: 'missing' as const, observed: [], action };
  });
  const { arn, status, failure } = domain.certificate;
  return {
    project: domain.project,
    domain: domain.domain,
    kind: domain.kind,
    status: domain.status,
    reason: domain.reason,
    message: domain.message,
    records,
    certificate: { status, arn, failure },
    primary: primary === domain.domain,
    redirect: domain.redirect,
    nextCheckAt: domain.nextCheckAt,
    deadlines: {
      dns: hoursAfter(domain.verifyStartedAt, DNS_DEADLINE_HOURS),
      certificate: hoursAfter(domain.verifiedAt, CERTIFICATE_DEADLINE_HOURS),
    },
    next: nextSteps(domain, records),
    history: domain.history,
  };
}

export type DomainReport = ReturnType<typeof report>;

function hoursAfter(time: string | null, hours: number): string | null {
  return time === null ? null : new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}

function nextSteps(
  { status, domain, message }: Domain,
  records: { state: string; action: string | null }[],
): string[] {
  const open = records.filter(({ state }) => state !== 'ok').flatMap(({ action }) => action ?? []);
  switch (status) {
    case 'pending_dns':
      return [...open, `Then verify ${domain}.`];
    case 'verifying':
    case 'issuing':
      return open.length > 0 ? open : ['Wait. Nothing is needed from you.'];
    case 'failed':
      return [message];
    case 'live':
    case 'removing':
      return [];
  }
}
