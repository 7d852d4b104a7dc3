import { describeError, log } from '../../log.ts';
import type { Clock } from '../clock.ts';
import type { Domain } from '../life/domain.ts';

/**
 * Does something with every domain, a few at a time. A failure doesn't stop the rest; all failures are thrown at the end.
 */
export async function eachDomain<Each extends Pick<Domain, 'domain'>>(
  domains: Iterable<Each>,
  concurrency: number,
  work: (domain: Each) => Promise<unknown>,
): Promise<void> {
  const queue = Iterator.from(domains);
  const failures: unknown[] = [];
  const worker = async () => {
    for (const domain of queue) {
      await work(domain).catch((error: unknown) => {
        failures.push(error);
        log.error('The work on a domain failed.', { domain: domain.domain, error: describeError(error) });
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw new AggregateError(failures, 'The work on some domains failed.');
}

/** Yields these one by one, as long as there's time. */
export function* within<Each>(all: readonly Each[], ms: number, { now }: Pick<Clock, 'now'>): Iterable<Each> {
  const untilMs = now() + ms;
  for (const each of all) {
    if (now() >= untilMs) return;
    yield each;
  }
}
