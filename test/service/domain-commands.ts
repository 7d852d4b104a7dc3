import { expect, inject, vi } from 'vitest';
import { done } from './operator.ts';

/** Sends a command to the operator of the staging environment and returns its result. */
export const command = (name: string, fields: object) =>
  done(inject('sharedService').awsEndpoint, 'staging', name, fields);

/** The report of a domain as soon as it is as expected. */
export const shown = (domain: string, expected: object, project?: string) =>
  vi.waitFor(
    async () => {
      const report = await command('domains.show', { domain, project });
      expect(report).toMatchObject(expected);
      return report;
    },
    { timeout: 60_000, interval: 100 },
  );

/** Claims a name and returns its report as soon as ACM has named its validation record. */
export async function claimed(domain: string, project?: string) {
  await command('domains.add', { domain, project });
  const expected = {
    status: 'pending_dns',
    records: expect.arrayContaining([expect.objectContaining({ purpose: 'certificate' })]),
  };
  return shown(domain, expected, project);
}
