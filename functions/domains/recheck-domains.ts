import { domainServices } from '../../shared/domains/domain-services.ts';
import { eachDomain } from '../../shared/domains/steps/each-domain.ts';

const { domains, recheck } = domainServices();

/** What EventBridge sends: every day, and when ACM sends an event about the certificates that it names. */
interface Occasion {
  readonly source?: string;
  readonly resources?: readonly string[];
}

/** Checks live domains again: all of them every day, those of a certificate when ACM sends an event about it. */
export async function handler({ source, resources = [] }: Occasion): Promise<{ checked: number }> {
  const isAffected = (arn: string | null) => source !== 'aws.acm' || resources.includes(arn ?? '');
  const live = (await domains.all()).filter(
    ({ status, certificate }) => status === 'live' && isAffected(certificate.arn),
  );
  await eachDomain(live, recheck);
  return { checked: live.length };
}
