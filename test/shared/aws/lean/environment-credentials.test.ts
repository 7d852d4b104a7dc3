import { afterEach, expect, test, vi } from 'vitest';
import { defaultProvider } from '../../../../shared/aws/lean/environment-credentials.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('defaultProvider returns the credentials of the environment, with the session token', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'token');
  expect(await defaultProvider()()).toEqual({
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
});

test.each([undefined, ''])('defaultProvider returns no session token when it is %j', async token => {
  vi.stubEnv('AWS_SESSION_TOKEN', token);
  expect(await defaultProvider()()).toEqual({ accessKeyId: 'local', secretAccessKey: 'test' });
});

test.each([undefined, ''])('defaultProvider names a credential that is %j', secret => {
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
  expect(() => defaultProvider()).toThrow('The environment variable AWS_SECRET_ACCESS_KEY is not set.');
});
