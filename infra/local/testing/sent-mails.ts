import { expect } from 'vitest';
import type { Resource } from '../cloudformation/resource-type.ts';
import { readDefinition } from '../stepfunctions/definition.ts';
import { runExecution } from '../stepfunctions/interpreter.ts';
import { StateError } from '../stepfunctions/state-error.ts';
import { type Publication, Topics } from '../topics.ts';

/** The mails that a state machine has sent by the topics of its stack when it ends. SNS refuses its first calls. */
export async function sentMails(
  resources: readonly Resource[],
  machine: Resource,
  input: object,
  refusals: number,
): Promise<unknown[]> {
  const mails: unknown[] = [];
  const topics = new Topics(mail => mails.push(mail));
  topics.deploy(resources);
  let refused = 0;
  const outcome = await runExecution({
    definition: readDefinition(String(machine.properties.DefinitionString), { stack: machine.stack }),
    input: JSON.stringify(input),
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
