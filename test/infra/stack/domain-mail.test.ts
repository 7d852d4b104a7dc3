import { describe, expect, test } from 'vitest';
import { resourceNamed } from '../../../infra/local/template.ts';
import { sentMails } from '../../../infra/local/testing/sent-mails.ts';
import { resolvedResources } from './templates.ts';

const resources = resolvedResources('Petstore-Production');
const machine = resourceNamed(resources, 'AWS::StepFunctions::StateMachine', 'DomainMail');

/** The mails for an event, at topics that refuse some calls first. */
function mailsOf(domain: string, refusals = 0): Promise<unknown[]> {
  const event = {
    'detail-type': 'Domain needs attention',
    detail: {
      domain,
      project: 'zoo',
      status: 'live',
      reason: 'traffic_record_mismatch',
      message: `Change the record to "{}".\nIt isn't right.`,
      at: '2026-02-01T12:00:00.456Z',
    },
  };
  return sentMails(resources, machine, event, refusals);
}

const mailFor = (domain: string, subject: string) => ({
  from: 'Petstore production domains',
  to: 'domains@petstore.test',
  subject,
  message: [
    'Change the record to "{}".',
    "It isn't right.",
    '',
    `Domain: ${domain}`,
    'Project: zoo',
    'Status: live',
    'Since: 2026-02-01T12:00:00.456Z',
    '',
    'All domains of the project:',
    'npx petstore domains list --project zoo --stage production',
  ].join('\n'),
});

describe('the mail of a domain event', () => {
  test('is plain text with what happened to which domain, whatever characters the message has', async () => {
    const domain = 'www.zoo.example';
    expect(await mailsOf(domain)).toEqual([
      mailFor(domain, 'Domain needs attention: www.zoo.example (Petstore production)'),
    ]);
  });

  test('has a shorter subject where the name of the domain would be too long for SNS', async () => {
    const domain = `${'a'.repeat(60)}.zoo.example`;
    expect(await mailsOf(domain)).toEqual([mailFor(domain, 'Domain needs attention (Petstore production)')]);
  });

  test('is sent again when SNS fails', async () => {
    const subject = 'Domain needs attention: www.zoo.example (Petstore production)';
    expect(await mailsOf('www.zoo.example', 1)).toMatchObject([{ subject }]);
    expect(await mailsOf('www.zoo.example', 16)).toHaveLength(1);
  });
});
