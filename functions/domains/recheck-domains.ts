import { domainServices } from '../../shared/domains/domain-services.ts';
import { recheckAll } from '../../shared/domains/steps/scheduled-work.ts';

const services = domainServices();

/** What EventBridge sends: every day, and when ACM has an event about the certificates that it names. */
interface Occasion {
  readonly source?: string;
  readonly resources?: readonly string[];
}

/** Checks live domains again: all of them every day, those of a certificate when ACM sends an event about it. */
export async function handler({ source, resources = [] }: Occasion): Promise<{ checked: number }> {
  return { checked: await recheckAll(services, source === 'aws.acm' ? resources : undefined) };
}
