import { describeError, log } from '../../log.ts';
import type { Domain } from '../life/domain.ts';

/** How many domains are worked on at a time, and the least time between two starts. */
export interface Pace {
  readonly concurrency: number;
  readonly everyMs: number;
}

/** Does something with every domain. A failure does not stop the rest; all failures are thrown at the end. */
export async function eachDomain<Each extends Pick<Domain, 'domain'>>(
  domains: Iterable<Each>,
  { concurrency, everyMs }: Pace,
  work: (domain: Each) => Promise<unknown>,
): Promise<void> {
  const queue = Iterator.from(domains);
  const failures: unknown[] = [];
  let nextStart = Promise.resolve();
  const untilNextStart = () => {
    const start = nextStart;
    nextStart = start.then(() => pause(everyMs));
    return start;
  };
  const worker = async () => {
    for (const domain of queue) {
      if (everyMs > 0) await untilNextStart();
      await work(domain).catch((error: unknown) => {
        failures.push(error);
        log.error('The work on a domain failed.', { domain: domain.domain, error: describeError(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw new AggregateError(failures, 'The work on some domains failed.');
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
