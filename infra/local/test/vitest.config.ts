import { defineConfig } from 'vitest/config';

/** These tests by themselves: `npm test -w local-aws`. The root's `npm test` runs them with all others. */
export default defineConfig({
  test: {
    globalSetup: ['testing/engine.ts'],
    env: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'test' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
