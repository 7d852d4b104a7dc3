import { describeError, log } from '../../log.ts';
import type { Domain } from '../life/domain.ts';

/** ACM describes ten certificates a second; a few domains at a time leave room for the flows. */
const CONCURRENCY = 4;

/** Does something with every domain. One that fails does not keep the others from it; the failures are thrown at the end. */
export async function eachDomain(
  domains: readonly Domain[],
  work: (domain: Domain) => Promise<unknown>,
): Promise<void> {
  const queue = domains.values();
  const failures: unknown[] = [];
  const worker = async () => {
    for (const domain of queue) {
      await work(domain).catch((error: unknown) => {
        failures.push(error);
        log.error('The work on a domain failed.', { domain: domain.domain, error: describeError(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  if (failures.length > 0) throw new AggregateError(failures, 'The work on some domains failed.');
}
