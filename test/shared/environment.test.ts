import { afterEach, expect, test, vi } from 'vitest';
import { required } from '../../shared/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('returns the value', () => {
  vi.stubEnv('ZOO', 'lions');
  expect(required('ZOO')).toBe('lions');
});

test.each([undefined, ''])('names the variable that is %j', value => {
  vi.stubEnv('ZOO', value);
  expect(() => required('ZOO')).toThrow('The environment variable ZOO is not set.');
});
