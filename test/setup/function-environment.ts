import { inject } from 'vitest';
import { endWithRun } from './end-of-run.ts';

/** What Lambda's environment tells the SDK, with the engine of this run in the place of DynamoDB. */
Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  URL_SUFFIX: 'amazonaws.com',
  // The engine separates data by access key; this one has the tables that `deployTables` creates.
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDbEndpoint'),
  // A busy machine isn't an outage; what the deadlines do is tested with a clock of its own.
  DYNAMODB_DEADLINE_MS: '60000',
  CONTROL_PLANE_DEADLINE_MS: '300000',
  // CDK's check of a template takes 4 s; `npm run check` runs it, for both stacks.
  CDK_VALIDATION: 'false',
});

// npx may have started the tests, and suggested command lines of the petstore command would then begin with npx.
delete process.env.npm_command;

/**
 * The functions log every request that they refuse, and tests send hundreds of those. Such lines do not reach the output
 * of the tests; a test that asks what is logged replaces the method itself. Test files share processes.
 */
const REFUSAL = /^\{"timestamp":"[^"]*","level":"INFO",/;
const QUIET = Symbol.for('petstore-quiet-refusals');

const stdout = process.stdout as typeof process.stdout & { [QUIET]?: true };
if (!stdout[QUIET]) {
  const write = stdout.write.bind(stdout);
  const quietWrite = (text: string | Uint8Array, ...more: never[]) =>
    REFUSAL.test(String(text)) || write(text, ...more);
  Object.assign(stdout, { write: quietWrite, [QUIET]: true });
  endWithRun();
}
