import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../cli/keys/api-key-fixture.ts';
import { answered, petstoreHere } from '../../cli/petstore-here.ts';
import { EMPTY_HOME, petstore } from '../../cli/run-petstore.ts';
import { type Answer, fails, refuses, startOperatorStandIn, succeeds } from '../operator-stand-in.ts';

const LIST = 'keys list';

describe('1: the command explains', () => {
  test('missing credentials', async () => {
    const { stdout, stderr, exitCode } = await petstore(LIST);
    expect(stderr).toContain('There are no AWS credentials');
    for (const way of ['aws configure', 'AWS_PROFILE', '--local', 'npm start']) expect(stderr).toContain(way);
    expect([stdout, exitCode]).toEqual(['', 1]);
  });

  test('an unknown profile', async () => {
    const { stderr, exitCode } = await petstoreHere(`${LIST} --profile nobody --json`);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'no_credentials', message: expect.stringContaining('"nobody"') });
    expect(exitCode).toBe(1);
  });

  test('a missing region', async () => {
    const { AWS_REGION, ...environment } = (await startOperatorStandIn()).environment;
    const { stderr, exitCode } = await petstoreHere(LIST, environment);
    expect(stderr).toContain('--region <region>');
    expect(exitCode).toBe(1);
  });

  test('with --json, what to do in sentences', async () => {
    const rejected = fails(403, 'UnrecognizedClientException', 'No such key');
    const { stderr } = await answered(`${LIST} --json`, rejected);
    expect(JSON.parse(stderr).error.message).toBe(
      "AWS rejected these credentials: No such key. See which ones are used with: aws sts get-caller-identity. Is this machine's clock right?",
    );
  });

  const answers: readonly [string, Answer, readonly string[]][] = [
    [
      'expired credentials',
      fails(403, 'ExpiredTokenException', 'The security token included in the request is expired'),
      ['have expired', 'aws sso login'],
    ],
    [
      'a stack that is not deployed',
      fails(404, 'ResourceNotFoundException', 'Function not found'),
      ['petstore-staging-operator in eu-central-1', 'Petstore-Staging'],
    ],
    [
      'a missing permission',
      fails(403, 'AccessDeniedException', 'User: x is not authorized'),
      ['lambda:InvokeFunction', 'petstore-staging-operator'],
    ],
    [
      'a function that failed',
      {
        status: 200,
        headers: { 'X-Amz-Function-Error': 'Unhandled' },
        body: { errorType: 'E', errorMessage: 'Task timed out', stack: ['at secret.ts'] },
      },
      ['petstore-staging-operator failed: Task timed out.'],
    ],
    ['a response that is not a reply', { reply: 'hello' }, ["can't read"]],
    [
      'a command that the deployed function does not have',
      refuses('command_unknown', 'command must be one of keys.create', 'invalid_request'),
      ['command must be one of keys.create'],
    ],
    ['a lost response', 'hangs up', ['The connection to AWS Lambda in eu-central-1 broke']],
    ['an outage', fails(503, 'ServiceUnavailable', 'Down'), ['AWS Lambda failed: Down.']],
    ["a network's own page", { status: 200, body: '<html>Sign in</html>' }, ['sign in first']],
    ["a network's own error page", { status: 511, body: '<html>Sign in</html>' }, ['sign in first']],
  ];
  test.for(answers)('%s', async ([, answer, hints]) => {
    const { stdout, stderr, exitCode } = await answered(LIST, answer);
    for (const hint of hints) expect(stderr).toContain(hint);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).not.toContain('may or may not');
    expect([stdout, exitCode]).toEqual(['', 1]);
  });
});

describe('1: the command', () => {
  const THROTTLED = fails(429, 'TooManyRequestsException', 'Slow down');
  const EXPIRED = fails(403, 'ExpiredTokenException', 'Expired');
  const CREATE = "keys create --name Acme's --expires=90d --stage production --yes";

  test.for([
    ['a lost response', ['hangs up']],
    ['a lost response, then throttling', ['hangs up', THROTTLED]],
    ['an outage, then expired credentials', [fails(500, 'ServiceException', 'Oops'), EXPIRED]],
    ["a network's own page", [{ status: 200, body: '<html>' }]],
    ['a reply without a result', [{ reply: { ok: true } }]],
    [
      'a failure of the function',
      [{ reply: { ok: false, error: { code: 'unavailable', message: 'Oops.' } } }],
    ],
  ] as [string, Answer[]][])('does not know the outcome of a change after %s', async ([, answers]) => {
    const { stderr, exitCode, sent } = await answered(CREATE, ...answers);
    expect(stderr).toContain('may or may not have been made. See: petstore audit --stage production\n');
    expect(exitCode).toBe(1);
    const [, words = ''] = /(keys create --name .*)$/m.exec(stderr) ?? [];
    expect(words).toMatch(
      /^keys create --name 'Acme'\\''s' --stage production --yes --expires 20\S+Z --request-id [0-9a-f-]{36}$/,
    );
    // The key follows from the seed, which is in no line for the shell.
    expect(stderr).not.toContain(String(sent[0]?.seed));
    const file = join(EMPTY_HOME, `seed-of-${words.slice(-36)}.json`);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const again = words.replace("'Acme'\\''s'", "Acme's");
    expect((await answered(again, succeeds(newApiKey))).sent[0]).toEqual(sent[0]);
    expect(existsSync(file)).toBe(false);
  });

  test.for([
    ['throttling', THROTTLED],
    ['expired credentials', EXPIRED],
    ['a refusal', refuses('key_quota_reached', 'No more keys.')],
  ] as [string, Answer][])('knows that a change was not made after %s', async ([, answer]) => {
    expect((await answered(CREATE, answer)).stderr).not.toMatch(/may or may not|request-id/);
  });

  test('knows that a change was not made if the function refuses it after a lost response', async () => {
    const refused = refuses('key_unknown', 'No key.', 'not_found');
    const { stderr } = await answered('keys revoke key_1', 'hangs up', refused);
    expect(stderr).not.toContain('may or may not');
  });

  test('reports that AWS cannot be reached', async () => {
    const { environment } = await startOperatorStandIn();
    const offline = { ...environment, AWS_ENDPOINT_URL_LAMBDA: 'http://127.0.0.1:1' };
    const { stderr, exitCode } = await petstoreHere(LIST, offline);
    expect(stderr).toContain("can't be reached");
    expect(exitCode).toBe(1);
  });
});

describe('0: the command', () => {
  test('takes the region from --region, AWS_REGION, AWS_DEFAULT_REGION or the profile, in this order', async () => {
    const regionNotFound = fails(404, 'ResourceNotFoundException', 'Function not found');
    const { AWS_REGION, ...environment } = (await startOperatorStandIn(regionNotFound)).environment;
    const home = join(EMPTY_HOME, 'with-profile');
    mkdirSync(join(home, '.aws'), { recursive: true });
    writeFileSync(
      join(home, '.aws/config'),
      '[profile zoo]\nregion = eu-west-3\naws_access_key_id = a\naws_secret_access_key = b\n',
    );
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...noKeys } = environment;
    const runs = await Promise.all([
      petstoreHere(LIST, { ...environment, AWS_DEFAULT_REGION: 'eu-west-1' }),
      petstoreHere(`${LIST} --region eu-west-2`, { ...environment, AWS_REGION: 'us-east-1' }),
      petstoreHere(`${LIST} --profile zoo`, { ...noKeys, HOME: home }),
    ]);
    expect(runs.map(({ stderr }) => /in (eu-\w+-\d)\./.exec(stderr)?.[1])).toEqual([
      'eu-west-1',
      'eu-west-2',
      'eu-west-3',
    ]);
  });
});
