import { expect, test } from 'vitest';
import { functionArn } from '../../lambda/function-configuration.ts';
import { ARN, deployed } from './deployed-function.ts';

test('the handler receives event and context, and its result is the response', async () => {
  const { invoke } = deployed(
    `exports.handler = async (event, context) => ({ event, ...context, left: context.getRemainingTimeInMillis() });`,
    { Timeout: 60, MemorySize: 256 },
  );
  expect(await invoke({ a: [1] })).toEqual({
    functionError: undefined,
    result: {
      event: { a: [1] },
      left: expect.toSatisfy((left: number) => left > 30_000 && left <= 60_000),
      functionName: 'fn',
      functionVersion: '$LATEST',
      invokedFunctionArn: ARN,
      memoryLimitInMB: '256',
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      logGroupName: '/aws/lambda/fn',
      logStreamName: expect.stringContaining('[$LATEST]'),
      callbackWaitsForEmptyEventLoop: true,
    },
  });
});

test('the environment has the function’s variables and those of Lambda only', async () => {
  const { invoke } = deployed(`exports.handler = async () => process.env;`, {
    Environment: { Variables: { TABLE: 'pets' } },
  });
  const { result } = await invoke({});
  expect(result).toMatchObject({
    TABLE: 'pets',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: expect.stringMatching(/^ASIA[A-Z0-9]{16}$/),
    AWS_LAMBDA_FUNCTION_NAME: 'fn',
    TZ: ':UTC',
  });
  expect(result).not.toHaveProperty('PATH');
  expect(result).not.toHaveProperty('HOME');
});

test('an undefined result is null', async () => {
  const { invoke } = deployed(`exports.handler = async () => {};`);
  expect((await invoke({})).result).toBeNull();
});

test('a thrown error is a function error', async () => {
  const { invoke, reports } = deployed(
    `exports.handler = async () => { throw new TypeError('no such pet'); };`,
  );
  expect(await invoke({})).toEqual({
    functionError: 'Unhandled',
    result: { errorType: 'TypeError', errorMessage: 'no such pet', trace: expect.any(Array) },
  });
  expect(reports).toEqual(['fn: TypeError: no such pet']);
});

test('a handler that times out is terminated; the next invocation starts a new environment', async () => {
  const { invoke } = deployed(
    `let calls = 0; exports.handler = async event => { calls++; if (event.loop) for (;;); return calls; };`,
    { Timeout: 0.2 },
  );
  // On a busy machine an invocation may time out by itself; the next one then starts anew, too.
  const untilFirst = () => expect.poll(async () => (await invoke({})).result).toBe(1);
  await untilFirst();
  expect(await invoke({ loop: true })).toEqual({
    functionError: 'Unhandled',
    result: {
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Task timed out after 0.20 seconds$/),
    },
  });
  await untilFirst();
});

test('a function has the scale of waits as WAIT_SCALE, unless it is 1', async () => {
  const code = 'exports.handler = async () => process.env.WAIT_SCALE ?? null;';
  const scaled = deployed(code, {}, undefined, { waitScale: 0.01 });
  expect((await scaled.invoke({})).result).toBe('0.01');
  expect((await deployed(code).invoke({})).result).toBeNull();
});

test('patience multiplies the time-out; variables of the network override those of a function', async () => {
  const code = `exports.handler = async (event, context) =>
    [process.env.SPECIES, context.getRemainingTimeInMillis() > 60_000];`;
  const settings = { Timeout: 60, Environment: { Variables: { SPECIES: 'cat' } } };
  const patient = deployed(code, settings, undefined, { patience: 20, variables: { SPECIES: 'dog' } });
  expect((await patient.invoke({})).result).toEqual(['dog', true]);
  expect((await deployed(code, settings).invoke({})).result).toEqual(['cat', false]);
});

test.each([
  ['process.exit(3)', 'Runtime.ExitError', 'Runtime exited with error: exit status 3'],
  ['process.exit(0)', 'Runtime.ExitError', 'Runtime exited without providing a reason'],
  [`setImmediate(() => { throw new RangeError('late'); })`, 'RangeError', 'late'],
  [`Promise.reject(new Error('lost'))`, 'Runtime.UnhandledPromiseRejection', 'lost'],
])(
  '%s is a function error; the next invocation starts a new environment',
  async (statement, errorType, errorMessage) => {
    const { invoke } = deployed(
      `exports.handler = async event => { if (!event.crash) return 'fine'; ${statement}; await new Promise(() => {}); };`,
    );
    const { result, functionError } = await invoke({ crash: true });
    expect(functionError).toBe('Unhandled');
    expect(result).toMatchObject({ errorType, errorMessage: expect.stringContaining(errorMessage) });
    expect((await invoke({})).result).toBe('fine');
  },
);

test.each([
  [`throw new Error('no table');`, 'Error', 'no table'],
  ['exports.handler = ;', 'Runtime.UserCodeSyntaxError', 'Unexpected token'],
  ['exports.other = 1;', 'Runtime.HandlerNotFound', 'handler is undefined or not exported'],
])('%s is a function error at each invocation', async (source, errorType, errorMessage) => {
  const { invoke } = deployed(source);
  for (const attempt of [1, 2]) {
    const { result } = await invoke({ attempt });
    expect(result).toMatchObject({ errorType, errorMessage: expect.stringContaining(errorMessage) });
  }
});

test('an environment runs one invocation at a time, several run concurrently, warm ones are reused', async () => {
  const { invoke } = deployed(`
    let busy = false; const id = Math.random();
    exports.handler = async () => {
      if (busy) throw new Error('two at once');
      busy = true; await new Promise(resolve => setTimeout(resolve, 100)); busy = false;
      return id;
    };`);
  const first = await Promise.all(Array.from({ length: 12 }, () => invoke({})));
  expect(first.every(({ functionError }) => functionError === undefined)).toBe(true);
  const ids = new Set(first.map(({ result }) => result));
  expect(ids.size).toBeGreaterThan(1);
  expect(ids).toContain((await invoke({})).result);
});

test('a function is throttled above its reserved concurrency', async () => {
  const { invoke } = deployed(`exports.handler = async () => 'fine';`, { ReservedConcurrentExecutions: 1 });
  const [first, second] = await Promise.allSettled([invoke({}), invoke({})]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { result: 'fine' } });
  expect(second).toMatchObject({ status: 'rejected', reason: { name: 'TooManyRequestsException' } });
});

test('lines go to the log group, also an unfinished last one', async () => {
  const { invoke, log, reports } = deployed(`
    exports.handler = async () => {
      console.log('one\\ntwo'); console.error('three'); process.stdout.write('unfinished');
      process.stdout.write(JSON.stringify({ level: 'ERROR', message: 'It broke.' }) + '\\n'.repeat(0));
    };`);
  await invoke({});
  expect(await log()).toEqual([
    'one',
    'two',
    'three',
    'unfinished{"level":"ERROR","message":"It broke."}',
    '',
  ]);
  expect(reports).toEqual([]);
});

test('a line of level ERROR is reported in short', async () => {
  const { invoke, reports } = deployed(
    `exports.handler = async () => console.log(JSON.stringify({ time: 1, level: 'ERROR', message: 'It broke.', error: { message: 'why' } }));`,
  );
  await invoke({});
  expect(reports).toEqual(['fn: ERROR It broke. (why)']);
});

test('every invocation that throws, times out or crashes is an error, whatever its message, and no other', async () => {
  const source = `exports.handler = async how => {
      if (how === 'throw') throw new Error('Unauthorized');
      if (how === 'wait') await new Promise(() => setInterval(() => {}, 1000));
      if (how === 'exit') process.exit(1);
      return how;
    };`;
  const { invoke, deploy, functions, reports, log } = deployed(source);
  await invoke('return');
  expect(functions.errors.get('fn')).toBeUndefined();
  for (const how of ['throw', 'exit', 'return']) await invoke(how);
  deploy('impatient', source, { Timeout: 1 });
  await invoke('wait');
  expect(functions.errors.get('fn')).toBe(3);
  expect(reports).toHaveLength(3);
  deploy('second', `throw new Error('It cannot be loaded.');`);
  await invoke({});
  expect(functions.errors.get('fn')).toBe(4);
  expect((await log())[0]).toContain('Unauthorized');
});

test('a deployment keeps unchanged functions, and changed ones finish their invocations', async () => {
  const source = `const id = Math.random(); exports.handler = async e => { await new Promise(r => setTimeout(r, e.ms ?? 0)); return id; };`;
  const { invoke, deploy } = deployed(source);
  const { result: id } = await invoke({});
  deploy('first', source);
  expect((await invoke({})).result).toBe(id);
  const running = invoke({ ms: 100 });
  deploy('second', `exports.handler = async () => 'new';`);
  expect((await invoke({})).result).toBe('new');
  expect((await running).result).toBe(id);
  deploy('second', `exports.handler = async () => 'new';`, { Environment: { Variables: { A: 'b' } } });
  expect((await invoke({})).result).toBe('new');
});

test('a service needs a permission to invoke a function', async () => {
  const { functions } = deployed(`exports.handler = async () => 1;`);
  const caller = { principal: 'apigateway.amazonaws.com', sourceArn: 'arn:x' };
  await expect(functions.invokeForService(ARN, {}, caller)).rejects.toMatchObject({
    name: 'AccessDeniedException',
  });
  await expect(functions.invokeForService(functionArn('other'), {}, caller)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('a response above 6 MB is a function error', async () => {
  const { invoke } = deployed(`exports.handler = async () => 'x'.repeat(7_000_000);`);
  expect((await invoke({})).result).toMatchObject({ errorType: 'Function.ResponseSizeTooLarge' });
});

test('a function whose invocations wait serves others, and is not reported as failed when Lambda stops', async () => {
  const { invoke, functions, reports } = deployed(
    `exports.handler = async ({ waits }) => (waits ? new Promise(() => setInterval(() => {}, 1000)) : 'fine');`,
    { Timeout: 900 },
    undefined,
    { patience: 10 },
  );
  const waiting = Array.from({ length: 4 }, () => invoke({ waits: true }));
  expect((await invoke({})).result).toBe('fine');
  await functions.stop();
  await Promise.all(waiting);
  expect(reports).toEqual([]);
});

test('an environment has the memory of its function, and little for short-lived objects', async () => {
  const { invoke } = deployed(
    `exports.handler = async () => require('node:worker_threads').resourceLimits;`,
    { MemorySize: 512 },
  );
  expect((await invoke({})).result).toMatchObject({
    maxOldGenerationSizeMb: 512,
    maxYoungGenerationSizeMb: 6,
  });
});
