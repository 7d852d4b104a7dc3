import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import type { DomainSession } from './domain-session.ts';

/** ACM names the validation record seconds to tens of seconds after the certificate was requested. */
export const LONGEST_WAIT_MS = 30_000;
const INTERVAL_MS = 1_000;

export function hasCertificateRecord({ records }: DomainReport): boolean {
  return records.some(({ purpose }) => purpose === 'certificate');
}

/** Waits for the record of the certificate. The report lacks it if ACM does not name it in time. */
export async function awaitCertificateRecord(
  session: DomainSession,
  earlier: DomainReport,
): Promise<DomainReport> {
  if (hasCertificateRecord(earlier)) return earlier;
  session.progress('Waiting for AWS to name the DNS record of the certificate …');
  let report = earlier;
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += INTERVAL_MS) {
    await sleep(INTERVAL_MS);
    report = await session.readDomain(earlier.domain);
    if (hasCertificateRecord(report)) break;
  }
  return report;
}
