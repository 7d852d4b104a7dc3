import { expect, inject } from 'vitest';
import { done, eventually } from './operator.ts';
import type { AwsAccess } from './running-service.ts';

/** What a test does with the custom domains of one environment, by default of the shared service. */
export function domainCommands(
  stage: 'production' | 'staging',
  service: () => AwsAccess = () => inject('sharedService'),
) {
  /** Sends a command to the operator and returns its result. */
  const command = (name: string, fields: object) => done(service(), stage, name, fields);

  /** The report of a domain as soon as it is as expected. */
  const shown = (domain: string, expected: object, project?: string) =>
    eventually(async () => {
      const report = await command('domains.show', { domain, project });
      expect(report).toMatchObject(expected);
      return report;
    });

  /** Claims a name and returns its report as soon as ACM has named its validation record. */
  const claimed = async (domain: string, project?: string, options = {}) => {
    await command('domains.add', { domain, project, ...options });
    const expected = {
      status: 'pending_dns',
      records: expect.arrayContaining([expect.objectContaining({ purpose: 'certificate' })]),
    };
    return shown(domain, expected, project);
  };

  /** Removes a domain and waits until nothing of it is left. */
  const removed = async (domain: string, project?: string): Promise<void> => {
    await command('domains.remove', { domain, project });
    await eventually(async () => {
      const { domains } = await command('domains.list', { project });
      expect(domains.map((each: { domain: string }) => each.domain)).not.toContain(domain);
    });
  };

  return { command, shown, claimed, removed };
}

export const { command, shown, claimed } = domainCommands('staging');
