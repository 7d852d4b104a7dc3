import { expect, vi } from 'vitest';
import { done } from './operator.ts';
import { sharedService } from './shared-service.ts';

/** Sends a command to the operator of the staging environment and returns its result. */
export const command = (name: string, fields: object) =>
  done(sharedService().awsEndpoint, 'staging', name, fields);

/** The report of a domain as soon as it is as expected. */
export const shown = (domain: string, expected: object) =>
  vi.waitFor(
    async () => {
      const report = await command('domains.show', { domain });
      expect(report).toMatchObject(expected);
      return report;
    },
    { timeout: 60_000, interval: 100 },
  );

/** Claims a name and returns its report as soon as ACM has named its validation record. */
export async function claimed(domain: string) {
  await command('domains.add', { domain });
  return shown(domain, {
    status: 'pending_dns',
    records: expect.arrayContaining([expect.objectContaining({ purpose: 'certificate' })]),
  });
}
