import { certificates } from '../../shared/domains/aws/certificates.ts';
import { vantagePointsFor } from '../../shared/domains/dns/check-dns.ts';
import { domainStore } from '../../shared/domains/life/domain-store.ts';
import { recheck } from '../../shared/domains/steps/recheck.ts';
import { required } from '../../shared/environment.ts';
import { describeError, log } from '../../shared/log.ts';

const store = domainStore(required('DOMAINS_TABLE'));
const resolvers = required('DNS_RESOLVERS').split(',');
const recheckDomain = recheck({
  store,
  certificates: certificates(),
  vantagePoints: registrable => vantagePointsFor(registrable, resolvers),
  now: Date.now,
});

/** ACM describes ten certificates a second; a few domains at a time leave room for the flows. */
const AT_ONCE = 4;

/** What EventBridge sends every day, and when ACM cannot renew the certificates that it names. */
interface Occasion {
  readonly source?: string;
  readonly resources?: readonly string[];
}

/** Looks at the live domains again: all of them every day, those of a certificate when ACM has news of it. */
export async function handler({ source, resources = [] }: Occasion): Promise<{ checked: number }> {
  const isAffected = (arn: string | null) => source !== 'aws.acm' || resources.includes(arn ?? '');
  const live = (await store.all()).filter(
    ({ status, certificate }) => status === 'live' && isAffected(certificate.arn),
  );
  const queue = live.values();
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const domain of queue) {
        await recheckDomain(domain).catch((error: unknown) => {
          failures.push(error);
          log.error('A domain could not be checked.', { domain: domain.domain, error: describeError(error) });
        });
      }
    }),
  );
  if (failures.length > 0) throw new AggregateError(failures, 'Not every domain could be checked.');
  return { checked: live.length };
}
