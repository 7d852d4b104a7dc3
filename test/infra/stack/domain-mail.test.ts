import { describe, expect, test } from 'vitest';
import { readDefinition } from '../../../infra/local/stepfunctions/definition.ts';
import { runExecution } from '../../../infra/local/stepfunctions/interpreter.ts';
import { StateError } from '../../../infra/local/stepfunctions/state-error.ts';
import { type Publication, Topics } from '../../../infra/local/topics.ts';
import { resolvedResources } from './templates.ts';

const STACK = 'Petstore-Production';
const resources = resolvedResources(STACK);
const machine = resources.find(
  ({ type, logicalId }) => type === 'AWS::StepFunctions::StateMachine' && logicalId.startsWith('DomainMail'),
);
const DEFINITION = String(machine?.properties.DefinitionString);

/** The mails for an event, at topics that refuse some calls first. */
async function mailsOf(domain: string, refusals = 0): Promise<unknown[]> {
  const mails: unknown[] = [];
  const topics = new Topics(mail => mails.push(mail));
  topics.deploy(resources);
  let refused = 0;
  const outcome = await runExecution({
    definition: readDefinition(DEFINITION, { stack: STACK }),
    input: JSON.stringify({
      'detail-type': 'Domain needs attention',
      detail: {
        domain,
        project: 'zoo',
        status: 'live',
        reason: 'traffic_record_mismatch',
        message: `Change the record to "{}".\nIt isn't right.`,
        at: '2026-02-01T12:00:00.456Z',
      },
    }),
    clock: { sleep: async () => {} },
    history: [],
    signal: new AbortController().signal,
    runTask: async () => expect.unreachable(),
    callAws: async (call, publication) => {
      expect(call).toBe('sns:publish');
      if (refused++ < refusals) throw new StateError('Sns.InternalErrorException', 'not now');
      try {
        return topics.publish(publication as Publication);
      } catch (error) {
        throw new StateError(`Sns.${(error as Error).name}`, (error as Error).message);
      }
    },
  });
  expect(outcome?.status).toBe('SUCCEEDED');
  return mails;
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
