import { expect, test } from 'vitest';
import { LambdaError } from '../../../../infra/local/lambda/invocation.ts';
import { deployed } from '../lambda/deployed-function.ts';
import { deployedMachine, FUNCTION_ARN, INVOKE } from './deployed-machine.ts';

const machine = (States: Record<string, unknown>, StartAt = Object.keys(States)[0]) => ({ StartAt, States });
const output = ({ output: text }: { output?: string | undefined }) => JSON.parse(text ?? 'null');

test('a task invokes a function by the integration, and by the ARN of the function', async () => {
  const { functions } = deployed(`exports.handler = async ({ n = 1, fails }) => {
    if (fails) { const error = new Error('no'); error.name = 'NotYet'; throw error; }
    return { n: n + 1 };
  };`);
  const { run } = await deployedMachine(
    machine({
      Integration: { ...INVOKE, Next: 'Direct' },
      Direct: { Type: 'Task', Resource: FUNCTION_ARN, End: true },
    }),
    (arn, event) => functions.invoke(arn, JSON.stringify(event)),
  );
  expect(output(await run({ n: 1 }))).toEqual({ n: 3 });
  const failed = await run({ fails: true });
  expect(failed).toMatchObject({ status: 'FAILED', error: 'NotYet' });
  expect(JSON.parse(failed.cause ?? '')).toMatchObject({ errorType: 'NotYet', errorMessage: 'no' });
});

test('an error of Lambda itself has Lambda’s name for it', async () => {
  const { run } = await deployedMachine(machine({ Ask: { ...INVOKE, End: true } }), async () => {
    throw new LambdaError('TooManyRequestsException', 'Rate Exceeded.');
  });
  expect(await run()).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });
});
